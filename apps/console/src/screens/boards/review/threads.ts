import type { CommentDto } from '../../../api/index.ts';
import type { Stroke } from '../../../drawing/strokes.ts';

/** Fields that the comments of members and of guests have in common. */
type Threaded = Pick<CommentDto, 'parent_id' | 'resolved_at' | 'x' | 'id'>;

/** A comment with the replies to it, oldest first. */
export interface Thread<T extends Threaded = CommentDto> {
  readonly first: T;
  readonly replies: readonly T[];
  /** The number of its pin among the open pins of the item, from 1; null without a pin. */
  readonly pin: number | null;
}

/** The threads of an item: open ones first, resolved ones after them, each oldest first. */
export function threadsOf<T extends Threaded>(
  comments: readonly T[],
): { readonly open: Thread<T>[]; readonly resolved: Thread<T>[] } {
  const replies = Map.groupBy(comments, ({ parent_id }) => parent_id);
  let pins = 0;
  const threads = (replies.get(null) ?? []).map((first): Thread<T> => {
    const isPinned = first.resolved_at === null && first.x !== null;
    return { first, replies: replies.get(first.id) ?? [], pin: isPinned ? ++pins : null };
  });
  return {
    open: threads.filter(({ first }) => first.resolved_at === null),
    resolved: threads.filter(({ first }) => first.resolved_at !== null),
  };
}

/** A moment of a video: `0:07.5`. */
export function momentText(seconds: number): string {
  const tenths = Math.round(seconds * 10);
  const rest = (tenths % 600) / 10;
  return `${Math.floor(tenths / 600)}:${rest < 10 ? '0' : ''}${rest}`;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Position and drawing of a new comment, as the service takes them. */
export function placeOf({
  point,
  time,
  drawing,
}: {
  readonly point: Point | null;
  readonly time: number | null;
  readonly drawing: readonly Stroke[];
}) {
  return { ...(point ?? (time !== null && { time })), ...(drawing.length > 0 && { drawing: [...drawing] }) };
}

/** The step of an arrow key, as a share of the picture. */
const STEP = 0.02;
const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

/** The point after the press of an arrow key, within the picture; null for other keys. */
export function movedBy(key: string, { x, y }: Point): Point | null {
  const step = ARROWS[key];
  return step ? pointAt(x + step[0], y + step[1]) : null;
}

/** The nearest point of the picture, with four digits. */
export function pointAt(x: number, y: number): Point {
  const share = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * 10_000) / 10_000;
  return { x: share(x), y: share(y) };
}
