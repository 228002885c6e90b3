/** A line over an item: an arrow and a box are lines, too. */
export interface Stroke {
  /** `#rrggbb` */
  readonly color: string;
  /** Share of the width of the item. */
  readonly width: number;
  /** Shares of the width and the height from the upper left corner. */
  readonly points: Point[];
}

export type Point = [x: number, y: number];
export type Tool = 'pen' | 'arrow' | 'box';

export const COLORS = { red: '#e5383b', yellow: '#ffd60a', blue: '#2f80ed', white: '#ffffff' };

/** Seconds that a browser may be off the moment that it was told to show. */
const NEAR = 0.1;

/** A drawing that is being made. */
export interface Pad {
  readonly tool: Tool;
  readonly color: string;
  /** True if the last line did not fit any more. */
  readonly isFull: boolean;
  /** The state that it goes back to when it is cancelled. */
  readonly before: { readonly time: number | null; readonly drawing: readonly Stroke[] };
}

/** Strokes, and the moment of a video that they are over. */
export interface Drawn {
  readonly time: number | null;
  readonly drawing: readonly Stroke[] | null;
}

/** Changes of a comment that is being written by its drawing. */
export const padOver = ({ time, drawing }: Pad['before']): { readonly pad: Pad } => ({
  pad: { tool: 'pen', color: COLORS.red, isFull: false, before: { time, drawing } },
});

/**
 * The strokes over an item: those of the open thread and of the comment that is being written. Strokes over a moment of a
 * video are shown only while it stands there.
 *
 * @param still the moment where a video stands; null while it plays
 */
export function strokesOver(
  comments: readonly (Drawn & { readonly id: number; readonly parent_id: number | null })[],
  openId: number | null,
  draft: Drawn,
  still: number | null,
): readonly Stroke[] {
  const open = comments.filter(({ id, parent_id: parent }) => openId !== null && (id === openId || parent === openId));
  const isShown = (time: number | null) => time === null || (still !== null && Math.abs(time - still) < NEAR);
  const first = open.find(({ id }) => id === openId);
  return [...(isShown(first?.time ?? null) ? open : []), ...(isShown(draft.time) ? [draft] : [])].flatMap(
    ({ drawing }) => drawing ?? [],
  );
}
