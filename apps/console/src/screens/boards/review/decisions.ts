import type { MediaDto } from '../../../api/index.ts';

export type Decision = MediaDto['decision'];

/** In the order in which they are offered. */
export const DECISIONS: readonly Decision[] = ['none', 'changes_requested', 'approved'];

/** A decision, or `open` for changes that are asked for until a version answers or somebody closes the request. */
export type DecisionFilter = Decision | 'open';

/** A filter of an address; empty for all. */
export function decisionIn(text: string): DecisionFilter | null {
  return [...DECISIONS, 'open' as const].find((each) => each === text) ?? null;
}

export function hasDecision(item: Pick<MediaDto, 'decision' | 'changes_open'>, filter: DecisionFilter): boolean {
  return filter === 'open' ? item.changes_open : item.decision === filter;
}

/** Reports whether anybody has decided or written about one of the items. */
export function isReviewed(media: readonly Pick<MediaDto, 'decision' | 'comments_count'>[]): boolean {
  return media.some(({ decision, comments_count: comments }) => decision !== 'none' || comments > 0);
}

/** The next item without a decision after an item, from the first one on after the last; null if there is none. */
export function nextUndecided<T extends Pick<MediaDto, 'id' | 'decision'>>(media: readonly T[], id: number): T | null {
  const position = media.findIndex((each) => each.id === id);
  const others = [...media.slice(position + 1), ...media.slice(0, Math.max(0, position))];
  return others.find(({ decision }) => decision === 'none') ?? null;
}
