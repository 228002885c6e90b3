import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Decision } from '../screens/boards/review/decisions.ts';
import type * as DrawingParts from '../drawing/index.ts';
import { placeOf, type Point } from '../screens/boards/review/threads.ts';
import type { Comment, Media } from './api.ts';
import { type Draft, drafts, NO_DRAFT } from './drafts.ts';
import { useGuest } from './guest-context.ts';

export type Change = (id: number, part: Partial<Media>) => void;

/** Actions of the guest in the review of one item. */
interface Writing {
  readonly id: number;
  readonly draft: Draft;
  /** True if the pin of the new comment is being placed. */
  readonly isPlacing: boolean;
  /** The comment that is marked. */
  readonly activeId: number | null;
}

const begunOn = (id: number): Writing => ({
  id,
  draft: drafts.read(`comment ${id}`),
  isPlacing: false,
  activeId: null,
});

/** The review of the open item: its comments, the comment that is being written, and the decision. */
export function useReview(media: Media, onChange: Change) {
  const { api, named } = useGuest();
  const { id } = media;
  const { comments, error, setError, read } = useComments(id, onChange);
  const [kept, setKept] = useState<Writing>(() => begunOn(id));
  const writing = kept.id === id ? kept : begunOn(id);
  const { draft, isPlacing, activeId } = writing;
  const set = (part: Partial<Writing>) => setKept({ ...writing, ...part });
  const change = (part: Partial<Draft>) => keep({ ...draft, ...part });
  const keep = (next: Draft, more: Partial<Writing> = {}) => {
    drafts.write(`comment ${id}`, next);
    set({ draft: next, ...more });
  };
  const place = (point: Point) => keep({ ...draft, point, time: null }, { isPlacing: false });
  const setPlacing = (next: boolean) => set({ isPlacing: next });
  const setActive = (next: number | null) => set({ activeId: next });
  const tools = useTools(draft.pad !== null, setError);

  /** @returns whether it is written; not without a name. @throws GuestError when it is refused */
  const write = async (text: string, parent?: Comment): Promise<boolean> => {
    const written = await named(() => api.write(id, text, parent ? { parent_id: parent.id } : placeOf(draft)));
    if (!written) return false;
    const { comment } = written;
    const active = { activeId: comment.parent_id ?? comment.id };
    if (parent) set(active);
    else keep(NO_DRAFT, active);
    await read();
    return true;
  };
  /** @throws GuestError when it is refused */
  const edit = async (comment: Comment, text: string) => {
    await api.edit(id, comment.id, text);
    await read();
    return true;
  };
  const remove = (comment: Comment) => api.delete(id, comment.id).then(read).catch(setError);
  return {
    comments,
    error,
    read,
    activeId,
    setActive,
    draft,
    change,
    isPlacing,
    setPlacing,
    place,
    tools,
    write,
    edit,
    remove,
    decide: useDecide(media, onChange),
  };
}

/** The tools of drawings, which are loaded when one is begun. */
function useTools(isDrawing: boolean, onError: (error: unknown) => void) {
  const [tools, setTools] = useState<typeof DrawingParts | null>(null);
  useEffect(() => {
    if (isDrawing) void import('../drawing/index.ts').then(setTools, onError);
  }, [isDrawing, onError]);
  return tools;
}

function useComments(id: number, onChange: Change) {
  const { api, may } = useGuest();
  const [known, setKnown] = useState<{ readonly id: number; readonly comments: readonly Comment[] } | null>(null);
  const [error, setError] = useState<unknown>(null);
  const isShown = may('comment');

  const read = useCallback(async () => {
    try {
      const comments = await api.comments(id);
      setKnown({ id, comments });
      setError(null);
      onChange(id, { comments_count: comments.length });
    } catch (failure) {
      setError(failure);
    }
  }, [api, id, onChange]);
  useEffect(() => {
    if (isShown) void read();
  }, [isShown, read]);
  return {
    comments: known?.id === id ? known.comments : null,
    error: known?.id === id || known === null ? error : null,
    setError,
    read,
  };
}

/** Shows the decision at once, and takes it back if it is refused. @throws GuestError when it is refused */
function useDecide(media: Media, onChange: Change) {
  const { api, named } = useGuest();
  const { id } = media;
  return async (decision: Decision, text = ''): Promise<boolean> => {
    try {
      const made = await named(() => {
        onChange(id, { decision });
        return api.decide(id, decision, text);
      });
      return made !== undefined;
    } catch (failure) {
      onChange(id, { decision: media.decision });
      throw failure;
    }
  };
}

export type Review = ReturnType<typeof useReview>;
