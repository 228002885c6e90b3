import { isExtended, NO_SIDES, type Rect, type Sides } from './geometry.ts';

/** Marks a part of the picture, or erases marks. */
export type Mark =
  | {
      readonly kind: 'stroke';
      readonly isErasing: boolean;
      /** Diameter, in pixels of the picture. */
      readonly size: number;
      /** True if the width follows the pressure. */
      readonly isPen: boolean;
      /** x, y and pressure of each point, one after the other. */
      readonly points: readonly number[];
    }
  /** Closed by a straight line; x and y of each point, one after the other. */
  | { readonly kind: 'lasso'; readonly isErasing: boolean; readonly points: readonly number[] }
  | { readonly kind: 'rectangle'; readonly isErasing: boolean; readonly rect: Rect }
  /** The white part of a stored mask. */
  | { readonly kind: 'object'; readonly isErasing: boolean; readonly url: string }
  | { readonly kind: 'invert' }
  | { readonly kind: 'clear' };

export type Step =
  | Mark
  | { readonly kind: 'feather'; readonly radius: number }
  | { readonly kind: 'extend'; readonly sides: Sides };

/** Steps of the drawing, with undone steps after them. */
export interface History {
  readonly steps: readonly Step[];
  /** The number of steps that are not undone. */
  readonly done: number;
}

export type Action =
  | { readonly type: 'add'; readonly step: Step }
  | { readonly type: 'undo' }
  | { readonly type: 'redo' };

export interface Drawing {
  /** Since the last `clear`. */
  readonly marks: readonly Mark[];
  /** Pixels of the picture over which the edge of the mask fades. */
  readonly feather: number;
  readonly sides: Sides;
}

export const EMPTY_HISTORY: History = { steps: [], done: 0 };

export function changed(history: History, action: Action): History {
  const { steps, done } = history;
  if (action.type === 'undo') return done === 0 ? history : { steps, done: done - 1 };
  if (action.type === 'redo') return done === steps.length ? history : { steps, done: done + 1 };
  const { step } = action;
  const before = steps.slice(0, done);
  if (step.kind === 'clear' && drawingOf(history).marks.length === 0) return history;
  // The last position of a moving slider counts.
  const isSetting = step.kind === 'feather' || step.kind === 'extend';
  const isSame = isSetting && done === steps.length && before.at(-1)?.kind === step.kind;
  const kept = isSame ? before.slice(0, -1) : before;
  return { steps: [...kept, step], done: kept.length + 1 };
}

export function drawingOf({ steps, done }: History): Drawing {
  const drawing = { marks: [] as Mark[], feather: 0, sides: NO_SIDES };
  for (const step of steps.slice(0, done)) {
    if (step.kind === 'feather') drawing.feather = step.radius;
    else if (step.kind === 'extend') drawing.sides = step.sides;
    else if (step.kind === 'clear') drawing.marks = [];
    else drawing.marks.push(step);
  }
  return drawing;
}

/** Reports whether there is something to change: a mark, or a larger frame. Marks may be erased again by later ones. */
export function hasMarks({ marks, sides }: Drawing): boolean {
  return isExtended(sides) || marks.some((mark) => mark.kind === 'invert' || ('isErasing' in mark && !mark.isErasing));
}
