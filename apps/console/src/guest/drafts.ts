import type { Pad, Stroke } from '../drawing/strokes.ts';
import type { Point } from '../screens/boards/review/threads.ts';

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

const kept = new Map<string, Draft>();

/** Drafts outlive another item, a new password, and a reload: the browser of a phone drops pages that it does not show. */
export const drafts = {
  read(key: string): Draft {
    try {
      const stored = sessionStorage.getItem(`draft ${key}`);
      return kept.get(key) ?? (stored === null ? NO_DRAFT : { ...NO_DRAFT, ...(JSON.parse(stored) as Draft) });
    } catch {
      return kept.get(key) ?? NO_DRAFT;
    }
  },

  write(key: string, draft: Draft): void {
    kept.set(key, draft);
    try {
      if (draft === NO_DRAFT) sessionStorage.removeItem(`draft ${key}`);
      else sessionStorage.setItem(`draft ${key}`, JSON.stringify(draft));
    } catch {
      // Without storage the page itself keeps it.
    }
  },
};
