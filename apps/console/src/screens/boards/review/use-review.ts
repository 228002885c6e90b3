import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { boardsMediaCommentsListQueryKey, type CommentDto, type MediaDto, refresh, x12 } from '../../../api/index.ts';
import type { Pad, Stroke } from '../../../drawing/strokes.ts';
import { notifyDone, notifyError } from '../../../ui/index.ts';
import { boardChanges, changeOf } from '../changes.ts';
import type { Decision } from './decisions.ts';
import { placeOf, type Point } from './threads.ts';
import { words } from './words.ts';

/** Comments of a page, at most. */
const PAGE = 200;

export type Review = ReturnType<typeof useReview>;

/** Position of a new comment. */
export interface Draft {
  readonly point: Point | null;
  /** Seconds. */
  readonly time: number | null;
  /** True if the next click on the picture sets the pin. */
  readonly isPlacing: boolean;
  readonly drawing: readonly Stroke[];
  /** Null unless it is being drawn. */
  readonly pad: Pad | null;
}

const NO_DRAFT: Draft = { point: null, time: null, isPlacing: false, drawing: [], pad: null };

/**
 * The review of the open item of a board.
 *
 * @param isGone whether the item was deleted: its comments are shown as they were
 */
export function useReview(boardId: number, media: Pick<MediaDto, 'id'> | undefined, isGone: boolean) {
  const queries = useQueryClient();
  const decideOn = useDecide(boardId);
  const [drafts, setDrafts] = useState<Readonly<Record<number, Draft>>>({});
  const [activeId, setActive] = useState<number | null>(null);
  const id = media?.id ?? 0;
  const path = { board_id: boardId, id };
  const list = useQuery({
    queryKey: boardsMediaCommentsListQueryKey({ path }),
    queryFn: async ({ signal }) => {
      const comments: CommentDto[] = [];
      for await (const comment of x12.boards.media.comments.list({ ...path, limit: PAGE }, { signal })) {
        comments.push(comment);
      }
      return { comments, next_cursor: null };
    },
    enabled: media !== undefined && !isGone,
  });
  const draft = drafts[id] ?? NO_DRAFT;
  const change = (part: Partial<Draft>) =>
    setDrafts((before) => ({ ...before, [id]: { ...(before[id] ?? NO_DRAFT), ...part } }));
  const changed = () => refresh(queries, 'boards', 'comments');

  /** @throws X12Error when it is refused */
  const write = async (text: string, parent?: CommentDto) => {
    const place = parent ? { parent_id: parent.id } : placeOf(draft);
    const { comment } = await x12.boards.media.comments.create({ ...path, text, ...place });
    if (!parent) change(NO_DRAFT);
    setActive(comment.parent_id ?? comment.id);
    await changed();
  };
  /** @throws X12Error when it is refused */
  const edit = async (comment: CommentDto, text: string) => {
    await x12.boards.media.comments.update({ ...path, comment_id: comment.id, text });
    await changed();
  };
  const attempt = (work: () => Promise<unknown>) => void work().then(changed).catch(notifyError);
  const remove = (comment: CommentDto) =>
    attempt(async () => {
      await x12.boards.media.comments.delete({ ...path, comment_id: comment.id });
      notifyDone(words.deleted);
    });
  const resolve = (comment: CommentDto, resolved: boolean) =>
    attempt(() => x12.boards.media.comments.resolve({ ...path, comment_id: comment.id, resolved }));
  return {
    list,
    comments: list.data?.comments ?? [],
    draft,
    change,
    activeId,
    setActive,
    write,
    edit,
    remove,
    resolve,
    decide: (decision: Decision) => decideOn(id, decision),
  };
}

/** Decides about items of a board. */
export function useDecide(boardId: number) {
  const queries = useQueryClient();
  return (id: number, decision: Decision) => {
    const part = { decision, changes_open: decision === 'changes_requested' };
    void boardChanges
      .make(queries, changeOf(boardId, { kind: 'item', id, part }), () =>
        x12.boards.media.decisions.create({ board_id: boardId, id, decision }),
      )
      .then(() => refresh(queries, 'decisions'))
      .catch(notifyError);
  };
}
