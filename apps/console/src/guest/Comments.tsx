/** @jsxImportSource preact */
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { padOver } from '../drawing/strokes.ts';
import { words as drawingWords } from '../drawing/words.ts';
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
  const show = ({ id, time, drawing }: Comment) => {
    review.setActive(time === null && drawing && review.activeId === id ? null : id);
    if (time !== null) stopAt(video.current, time);
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
          <ThreadView key={thread.first.id} thread={thread} review={review} onShow={show} />
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
  const { point, time, drawing } = draft;
  if (!item.is_playable && !isPicture(item)) return null;
  const isPlaced = point !== null || time !== null;
  const moment = () => video.current?.currentTime ?? 0;
  const draw = () => {
    const at = item.is_playable ? (time ?? moment()) : null;
    if (at !== null) stopAt(video.current, at);
    change({ time: at, ...padOver(draft) });
  };
  return (
    <>
      {isPlaced ? (
        <span class="placed">
          {time === null ? words.pinned : words.at(momentText(time))}
          <button
            type="button"
            class="round"
            aria-label={words.unpin}
            // A drawing over a moment goes with it.
            onClick={() => change({ point: null, time: null, ...(time !== null && { drawing: [] }) })}
          >
            <Icon name="close" size={15} />
          </button>
        </span>
      ) : item.is_playable ? (
        <button type="button" onClick={() => change({ time: moment() })}>
          <Icon name="clock" size={16} /> {words.moment}
        </button>
      ) : (
        <button type="button" aria-pressed={isPlacing} onClick={() => setPlacing(!isPlacing)}>
          <Icon name="pin" size={16} /> {words.pin}
        </button>
      )}
      {item.width && item.height && (
        <button type="button" onClick={draw}>
          <Icon name="pencil" size={16} /> {drawing.length > 0 ? drawingWords.change : drawingWords.draw}
        </button>
      )}
      {!isPlaced && isPicture(item) && (
        <span class="hint dimmed" role="status">
          {isPlacing ? words.pinHint : words.tapHint}
        </span>
      )}
    </>
  );
}

function stopAt(video: HTMLVideoElement | null, seconds: number): void {
  if (!video) return;
  video.pause();
  video.currentTime = seconds;
}

interface ThreadProps {
  readonly thread: Thread<Comment>;
  readonly review: Review;
  /** Shows its moment and its drawing. */
  readonly onShow: (comment: Comment) => void;
}

function ThreadView({ thread: { first, replies, pin }, review, onShow }: ThreadProps) {
  const [isReplying, setReplying] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const isActive = review.activeId === first.id;
  const isResolved = first.resolved_at !== null;
  const isDrawn = [first, ...replies].some(({ drawing }) => drawing !== null);
  useEffect(() => {
    if (isActive) box.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    <div ref={box} class="thread" data-active={isActive || undefined} data-resolved={isResolved || undefined}>
      {pin !== null && <span class="number">{pin}</span>}
      {(first.time !== null || isDrawn) && (
        <button type="button" class="link" onClick={() => onShow(first)}>
          {first.time !== null && words.at(momentText(first.time))}
          {isDrawn && (
            <>
              <Icon name="pencil" size={16} /> {isActive && first.time === null ? drawingWords.hide : drawingWords.show}
            </>
          )}
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
