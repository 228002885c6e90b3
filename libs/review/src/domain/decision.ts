import { DomainError, plainTextOf } from '#kernel';

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

/** The review of one version of a media item. */
export interface ReviewState {
  /** The newest version, for one that it has replaced. */
  readonly replacedBy: number | null;
  /** The latest one. */
  readonly decision: Verdict;
  /** True if somebody has closed the request for changes. */
  readonly isClosed: boolean;
}

/** Reports whether changes are asked for that no newer version has answered and nobody has closed. */
export function isOpenRequest({ decision, isClosed }: Pick<ReviewState, 'decision' | 'isClosed'>): boolean {
  return decision === 'changes_requested' && !isClosed;
}

/** @throws DomainError `conflict` for a version that a newer one has replaced: what is decided of it counts no more */
export function assertNewest({ replacedBy }: ReviewState): void {
  if (replacedBy !== null) throw new DomainError('conflict', `media item ${replacedBy} is a newer version`);
}

/** @throws DomainError `conflict` */
export function assertOpenRequest(state: ReviewState): void {
  assertNewest(state);
  if (!isOpenRequest(state)) throw new DomainError('conflict', 'no request for changes is open');
}

/** @throws DomainError `validation_failed` for a text of more than 4,000 characters */
export function decisionOf(verdict: Verdict, text: string | null): Decision {
  return { verdict, text: plainTextOf('text', text ?? '', { min: 0, max: MAX_DECISION_TEXT }) || null };
}
