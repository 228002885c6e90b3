import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type GenerationResponse, isOpen, refresh, useLiveGenerations, x12 } from '../../api/index.ts';
import { useShown } from '../../state/index.ts';
import { readUnderWay, type UnderWayOptions } from './read-under-way.ts';
import { generationChanges } from './use-cancel.ts';

/** How often lists are read again, as other members start generations too. */
const LOOK_EVERY_MS = 10_000;
const NONE: readonly GenerationResponse[] = [];

/**
 * Generations under way and a user's failures of the last week, newest first, with live updates. One that succeeded stays
 * until the library is read with its outputs.
 */
export function useUnderWay({ userId }: UnderWayOptions) {
  const queries = useQueryClient();
  const { data, isPending, error } = useQuery({
    queryKey: [{ _id: 'generationsList', underWay: { userId } }],
    queryFn: ({ signal }) => readUnderWay((query) => x12.generations.list(query, { signal }), { userId }),
    refetchInterval: LOOK_EVERY_MS,
  });
  const shown = useShown(generationChanges, data)?.generations ?? NONE;
  const underWay = shown.filter(({ state }) => state !== 'failed' && state !== 'canceled');
  useLiveGenerations(underWay);
  useWhenOneEnds(underWay.filter(isOpen), async () => {
    await refresh(queries, 'library', 'batches', 'credits');
    await refresh(queries, 'generations');
  });
  return {
    underWay,
    failed: shown.filter(({ state }) => state === 'failed'),
    isPending,
    error,
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
