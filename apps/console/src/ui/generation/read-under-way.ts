import type { GenerationResponse, GenerationsListData, ListedGenerations } from '../../api/index.ts';
import { weekAgo } from '../../days.ts';

/** Maximum generations that are read of each state. */
export const MOST_UNDER_WAY = 50;

export interface UnderWayOptions {
  /** The user whose failures are read. */
  readonly userId: number;
}

type List = (query: NonNullable<GenerationsListData['query']>) => Promise<ListedGenerations>;

/**
 * Reads the lists of generations under way and of failures as one, newest first, in the order of a generation's life: one
 * that moves on meanwhile is in at least one of them. Its tile would vanish for a moment otherwise, and lose the focus.
 */
export async function readUnderWay(list: List, { userId }: UnderWayOptions): Promise<ListedGenerations> {
  const lists = [
    await list({ state: 'queued', limit: MOST_UNDER_WAY }),
    await list({ state: 'running', limit: MOST_UNDER_WAY }),
    await list({ state: 'failed', limit: MOST_UNDER_WAY, after: weekAgo(), user_id: userId, single: true }),
  ];
  const all = lists.flatMap(({ generations }) => generations);
  const byId = new Map<number, GenerationResponse>(all.map((each) => [each.id, each]));
  return { generations: [...byId.values()].sort((one, other) => other.id - one.id) };
}
