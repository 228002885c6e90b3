import { plainTextOf } from '#kernel';

/** `none` takes a decision back. */
export const VERDICTS = ['approved', 'changes_requested', 'none'] as const;
export type Verdict = (typeof VERDICTS)[number];

export const MAX_DECISION_TEXT = 4_000;

/** A decision about a media item. The latest one counts; earlier ones are kept. */
export interface Decision {
  readonly verdict: Verdict;
  /** `null` for none. */
  readonly text: string | null;
}

/** @throws DomainError `validation_failed` for a text of more than 4,000 characters */
export function decisionOf(verdict: Verdict, text: string | null): Decision {
  return { verdict, text: plainTextOf('text', text ?? '', { min: 0, max: MAX_DECISION_TEXT }) || null };
}
