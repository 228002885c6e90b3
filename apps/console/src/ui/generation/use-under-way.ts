import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import {
  type GenerationResponse,
  type GenerationsListData,
  generationsListOptions,
  isOpen,
  refresh,
  useLiveGenerations,
} from '../../api/index.ts';
import { weekAgo } from '../../days.ts';
import { useShown } from '../../state/index.ts';
import { generationChanges } from './use-cancel.ts';

/** Maximum generations that are read of each state. */
const READ = 50;
/** How often lists are read again, as other members start generations too. */
const LOOK_EVERY_MS = 10_000;

interface UnderWayOptions {
  /** Whose failures are read. */
  readonly userId: number;
  /** Whether only generations of this user are read. */
  readonly isOwn?: boolean;
}

/**
 * Generations under way and a user's failures of the last week, newest first, with live updates. One that succeeded stays
 * until the library is read with its outputs.
 */
export function useUnderWay({ userId, isOwn = false }: UnderWayOptions) {
  const queries = useQueryClient();
  const open = isOwn ? { limit: READ, user_id: userId } : { limit: READ };
  const running = useGenerations({ state: 'running', ...open });
  const queued = useGenerations({ state: 'queued', ...open });
  const failed = useGenerations({ state: 'failed', limit: READ, after: weekAgo(), user_id: userId });

  const listed = [...(running.data?.generations ?? []), ...(queued.data?.generations ?? [])];
  const underWay = newestFirst(listed.filter(({ state }) => state !== 'failed' && state !== 'canceled'));
  useLiveGenerations(underWay);
  useWhenOneEnds(underWay.filter(isOpen), async () => {
    await refresh(queries, 'library', 'credits');
    await refresh(queries, 'generations');
  });

  const all = [running, queued, failed];
  return {
    underWay,
    failed: newestFirst([...(failed.data?.generations ?? []), ...listed.filter(({ state }) => state === 'failed')]),
    isPending: all.some((each) => each.isPending),
    error: all.find((each) => each.error)?.error ?? null,
    retry: () => void refresh(queries, 'generations'),
  };
}

/** Calls `refresh` when a generation ends: it moves to another list, its outputs are in the library, and credits change. */
function useWhenOneEnds(open: readonly GenerationResponse[], refresh: () => Promise<void>): void {
  const before = useRef<readonly number[]>([]);
  const ids = open.map(({ id }) => id);
  useEffect(() => {
    if (before.current.some((id) => !ids.includes(id))) void refresh();
    before.current = ids;
  });
}

function useGenerations(query: GenerationsListData['query']) {
  const { data, isPending, error } = useQuery({ ...generationsListOptions({ query }), refetchInterval: LOOK_EVERY_MS });
  return { data: useShown(generationChanges, data), isPending, error };
}

/** Without duplicates: a generation may be in the lists of two states for a moment. */
function newestFirst(generations: readonly GenerationResponse[]): readonly GenerationResponse[] {
  const byId = new Map(generations.map((each) => [each.id, each]));
  return [...byId.values()].sort((one, other) => other.id - one.id);
}
