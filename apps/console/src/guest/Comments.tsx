/** @jsxImportSource preact */
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { momentText, type Thread, threadsOf } from '../screens/boards/review/threads.ts';
import { relativeTime } from '../ui/formats.ts';
import type { Comment, Media } from './api.ts';
import { errorText } from './errors.ts';
import { Icon } from './icons.tsx';
import { isPicture } from './media.ts';
import { Sentence } from './Sentence.tsx';
import type { Review } from './use-review.ts';
import { words } from './words.ts';

/** Characters of a comment. */
const MOST = 4_000;

interface CommentsProps {
  readonly item: Media;
  readonly review: Review;
  readonly video: RefObject<HTMLVideoElement | null>;
  /** True if a phone shows them. */
  readonly isUnfolded: boolean;
  readonly onUnfold: (isUnfolded: boolean) => void;
}

/** The threads about an item, and a field for a new comment. */
export function Comments({ item, review, video, isUnfolded, onUnfold }: CommentsProps) {
  const { comments, error, draft, change } = review;
  const { open, resolved } = threadsOf(comments ?? []);
  const seek = (seconds: number) => {
    if (video.current) video.current.currentTime = seconds;
  };
  const number = comments?.length ?? item.comments_count;
  return (
    <section class="comments" aria-label={words.commentsTitle}>
      <button
        type="button"
        class="fold"
        aria-expanded={isUnfolded}
        aria-controls="threads"
        onClick={() => onUnfold(!isUnfolded)}
      >
        <Icon name="comment" /> {number === 0 ? words.write : words.comments(number)}
      </button>
      <div id="threads" class="threads">
        {error !== null && (
          <div class="alert" role="alert">
            <p>{errorText(error)}</p>
            <button type="button" onClick={() => void review.read()}>
              {words.retry}
            </button>
          </div>
        )}
        {comments?.length === 0 && <p class="dimmed">{words.noComments}</p>}
        {[...open, ...resolved].map((thread) => (
          <ThreadView key={thread.first.id} thread={thread} review={review} onSeek={seek} />
        ))}
        <Sentence
          name={`comment ${item.id}`}
          id="write"
          label={words.write}
          action={words.send}
          maxLength={MOST}
          text={draft.text}
          onText={(text) => change({ text })}
          onSend={(text) => review.write(text)}
        >
          <PlaceButtons item={item} review={review} video={video} />
        </Sentence>
      </div>
    </section>
  );
}

/** Buttons that choose what the new comment points at. */
function PlaceButtons({ item, review, video }: Pick<CommentsProps, 'item' | 'review' | 'video'>) {
  const { draft, change, isPlacing, setPlacing } = review;
  const { point, time } = draft;
  if (point !== null || time !== null) {
    return (
      <span class="placed">
        {time === null ? words.pinned : words.at(momentText(time))}
        <button
          type="button"
          class="round"
          aria-label={words.unpin}
          onClick={() => change({ point: null, time: null })}
        >
          <Icon name="close" size={15} />
        </button>
      </span>
    );
  }
  if (item.is_playable) {
    return (
      <button type="button" onClick={() => change({ time: video.current?.currentTime ?? 0 })}>
        <Icon name="clock" size={16} /> {words.moment}
      </button>
    );
  }
  if (!isPicture(item)) return null;
  return (
    <>
      <button type="button" aria-pressed={isPlacing} onClick={() => setPlacing(!isPlacing)}>
        <Icon name="pin" size={16} /> {words.pin}
      </button>
      <span class="hint dimmed" role="status">
        {isPlacing ? words.pinHint : words.tapHint}
      </span>
    </>
  );
}

interface ThreadProps {
  readonly thread: Thread<Comment>;
  readonly review: Review;
  readonly onSeek: (seconds: number) => void;
}

function ThreadView({ thread: { first, replies, pin }, review, onSeek }: ThreadProps) {
  const [isReplying, setReplying] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const isActive = review.activeId === first.id;
  const isResolved = first.resolved_at !== null;
  useEffect(() => {
    if (isActive) box.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    <div ref={box} class="thread" data-active={isActive || undefined} data-resolved={isResolved || undefined}>
      {pin !== null && <span class="number">{pin}</span>}
      {first.time !== null && (
        <button type="button" class="link" onClick={() => onSeek(first.time!)}>
          {words.at(momentText(first.time))}
        </button>
      )}
      {isResolved && <span class="dimmed">{words.resolved}</span>}
      {[first, ...replies].map((comment) => (
        <CommentView key={comment.id} comment={comment} replies={comment === first ? replies : []} review={review} />
      ))}
      {isReplying ? (
        <Sentence
          name={`reply ${first.id}`}
          label={words.replyTo(nameOf(first))}
          action={words.reply}
          maxLength={MOST}
          onSend={async (text) => {
            const isSent = await review.write(text, first);
            if (isSent) setReplying(false);
            return isSent;
          }}
          onCancel={() => setReplying(false)}
        />
      ) : (
        !isResolved && (
          <button type="button" class="link" onClick={() => setReplying(true)}>
            {words.reply}
          </button>
        )
      )}
    </div>
  );
}

interface CommentProps {
  readonly comment: Comment;
  readonly replies: readonly Comment[];
  readonly review: Review;
}

function CommentView({ comment, replies, review }: CommentProps) {
  const { id, text, created_at: at, edited_at: editedAt } = comment;
  const [isEditing, setEditing] = useState(false);
  if (isEditing) {
    return (
      <Sentence
        name={`edit ${id}`}
        label={words.edit}
        action={words.save}
        maxLength={MOST}
        text={text}
        onSend={async (changed) => {
          await review.edit(comment, changed);
          setEditing(false);
          return true;
        }}
        onCancel={() => setEditing(false)}
      />
    );
  }
  return (
    <article>
      <p class="author">
        <bdi>{nameOf(comment)}</bdi>{' '}
        <time class="dimmed" dateTime={at} title={new Date(at).toLocaleString('en')}>
          {relativeTime(new Date(at), new Date())}
          {editedAt !== null && ` · ${words.edited}`}
        </time>
      </p>
      <p class="text" dir="auto">
        {text}
      </p>
      {comment.author.is_you && (
        <p class="own">
          <button type="button" class="link" onClick={() => setEditing(true)}>
            {words.edit}
          </button>
          {/* The replies of others would go with it. */}
          {replies.every(({ author }) => author.is_you) && (
            <button
              type="button"
              class="link"
              onClick={() => {
                if (confirm(words.deleteQuestion)) void review.remove(comment);
              }}
            >
              {words.delete}
            </button>
          )}
        </p>
      )}
    </article>
  );
}

const nameOf = ({ author }: Comment) => author.name ?? words.somebody;
