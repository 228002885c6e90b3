import { Badge, Button, Group, Paper, Stack, Text, UnstyledButton } from '@mantine/core';
import { CircleCheck, Pencil, PenLine, RotateCcw, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { CommentDto } from '../../../api/index.ts';
import { words as drawingWords } from '../../../drawing/words.ts';
import { useMe, useRole } from '../../../shell/index.ts';
import { ActionMenu, When } from '../../../ui/index.ts';
import { CommentForm } from './CommentForm.tsx';
import { hasDraft } from './drafts.ts';
import classes from './Review.module.css';
import { momentText, type Thread } from './threads.ts';
import type { Review } from './use-review.ts';
import { words } from './words.ts';

interface CommentThreadProps {
  readonly thread: Thread;
  readonly isActive: boolean;
  readonly review: Review;
  /** Shows what the thread points at. */
  readonly onOpen: () => void;
}

/** A comment with its replies. */
export function CommentThread({ thread, isActive, review, onOpen }: CommentThreadProps) {
  const { first, replies, pin } = thread;
  const [isReplying, setReplying] = useState(hasDraft(`reply ${first.id}`));
  const isResolved = first.resolved_at !== null;
  const isDrawn = [first, ...replies].some(({ drawing }) => drawing !== null);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) box.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    <Paper ref={box} withBorder p="sm" radius="md" className={classes.thread} data-active={isActive || undefined}>
      <Stack gap="xs">
        {(pin !== null || first.time !== null || isDrawn) && (
          <UnstyledButton className={classes.place} onClick={onOpen}>
            {pin !== null && <Badge circle>{pin}</Badge>}
            {first.time !== null && words.at(momentText(first.time))}
            {isDrawn && (
              <>
                <PenLine size={14} aria-hidden />{' '}
                {isActive && first.time === null ? drawingWords.hide : drawingWords.show}
              </>
            )}
          </UnstyledButton>
        )}
        {[first, ...replies].map((comment) => (
          <Comment key={comment.id} comment={comment} replies={comment === first ? replies : []} review={review} />
        ))}
        {isReplying ? (
          <CommentForm
            draft={`reply ${first.id}`}
            label={words.replyTo(nameOf(first))}
            action={words.reply}
            onSubmit={(text) => review.write(text, first).then(() => setReplying(false))}
            onCancel={() => setReplying(false)}
          />
        ) : (
          <Group gap="xs">
            {!isResolved && (
              <Button size="compact-xs" variant="subtle" onClick={() => setReplying(true)}>
                {words.reply}
              </Button>
            )}
            <Button
              size="compact-xs"
              variant="subtle"
              leftSection={isResolved ? <RotateCcw size={13} aria-hidden /> : <CircleCheck size={13} aria-hidden />}
              onClick={() => review.resolve(first, !isResolved)}
            >
              {isResolved ? words.reopen : words.resolve}
            </Button>
          </Group>
        )}
      </Stack>
    </Paper>
  );
}

interface CommentProps {
  readonly comment: CommentDto;
  readonly replies: readonly CommentDto[];
  readonly review: Review;
}

function Comment({ comment, replies, review }: CommentProps) {
  const { text, author, created_at: createdAt, edited_at: editedAt } = comment;
  const [isEditing, setEditing] = useState(false);
  const me = useMe();
  const isAdmin = useRole('admin');
  const isMine = author.user_id === me.user.id || isAdmin;
  // The replies of others would go with it.
  const mayDelete = isAdmin || replies.every((reply) => reply.author.user_id === me.user.id);
  if (isEditing) {
    return (
      <CommentForm
        draft={`edit ${comment.id}`}
        label={words.edit}
        action={words.save}
        text={text}
        onSubmit={(changed) => review.edit(comment, changed).then(() => setEditing(false))}
        onCancel={() => setEditing(false)}
      />
    );
  }
  const items = [
    { label: words.edit, icon: Pencil, onClick: () => setEditing(true) },
    ...(mayDelete
      ? [{ label: words.delete, icon: Trash2, isDangerous: true, onClick: () => review.remove(comment) }]
      : []),
  ];
  return (
    <div>
      <Group gap="xs" justify="space-between" wrap="nowrap" align="start">
        <Text size="sm" c="dimmed" className={classes.author}>
          <Text span inherit component="bdi" fw={600} c="var(--mantine-color-text)">
            {nameOf(comment)}
          </Text>{' '}
          {author.user_id === null && <Badge color="yellow">{words.guest}</Badge>}{' '}
          <When at={createdAt} span size="sm" />
          {editedAt !== null && ` · ${words.edited}`}
        </Text>
        <ActionMenu label={words.actionsOf(text.slice(0, 40))} items={isMine ? items : []} />
      </Group>
      <Text size="sm" dir="auto" className={classes.text}>
        {text}
      </Text>
    </div>
  );
}

function nameOf({ author }: CommentDto): string {
  return author.name ?? words.somebody;
}
