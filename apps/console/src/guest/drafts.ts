import type { Pad, Stroke } from '../drawing/strokes.ts';
import type { Point } from '../screens/boards/review/threads.ts';
import { Memory } from './memory.ts';

/** A comment that is not sent yet, its position, and its drawing. */
export interface Draft {
  readonly text: string;
  readonly point: Point | null;
  /** Seconds. */
  readonly time: number | null;
  readonly drawing: readonly Stroke[];
  /** Null unless it is being drawn. */
  readonly pad: Pad | null;
}

export const NO_DRAFT: Draft = { text: '', point: null, time: null, drawing: [], pad: null };

const texts = new Memory(() => sessionStorage, 'draft ');

/** Drafts outlive another item, a new password, and a reload: the browser of a phone drops pages that it does not show. */
export const drafts = {
  read(key: string): Draft {
    const stored = texts.read(key);
    return stored === '' ? NO_DRAFT : { ...NO_DRAFT, ...(JSON.parse(stored) as Draft) };
  },

  write(key: string, draft: Draft): void {
    texts.write(key, draft === NO_DRAFT ? '' : JSON.stringify(draft));
  },
};
