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
import { useMe } from '../../shell/index.ts';
import { useShown } from '../../state/index.ts';
import { generationChanges } from '../../ui/index.ts';
import { weekAgo } from './month.ts';

const OPEN = 50;
const FAILED = 5;
const DONE = 12;
/** How often lists are read again, as other members start generations too. */
const LOOK_EVERY_MS = 10_000;

/** Open generations, the user's failures of the last week, and the latest successes, with live updates. */
export function useRecent() {
  const queries = useQueryClient();
  const { user } = useMe();
  const running = useGenerations({ state: 'running', limit: OPEN });
  const queued = useGenerations({ state: 'queued', limit: OPEN });
  const failed = useGenerations({ state: 'failed', limit: FAILED, after: weekAgo(new Date()), user_id: user.id });
  const done = useGenerations({ state: 'succeeded', limit: DONE });

  const listed = [...(running.data?.generations ?? []), ...(queued.data?.generations ?? [])];
  const open = unique(listed.filter(isOpen));
  useLiveGenerations(open);
  useWhenOneEnds(open, () => void refresh(queries, 'generations', 'credits'));

  const all = [running, queued, failed, done];
  return {
    open,
    failed: failed.data?.generations ?? [],
    done: done.data?.generations ?? [],
    isPending: all.some((each) => each.isPending),
    error: all.find((each) => each.error)?.error ?? null,
    retry: () => void refresh(queries, 'generations'),
  };
}

/** Refreshes when a generation ends: it moves to another list, and changes the credits. */
function useWhenOneEnds(open: readonly GenerationResponse[], refresh: () => void): void {
  const before = useRef<readonly number[]>([]);
  const ids = open.map(({ id }) => id);
  useEffect(() => {
    if (before.current.some((id) => !ids.includes(id))) refresh();
    before.current = ids;
  });
}

function useGenerations(query: GenerationsListData['query']) {
  const { data, isPending, error } = useQuery({ ...generationsListOptions({ query }), refetchInterval: LOOK_EVERY_MS });
  return { data: useShown(generationChanges, data), isPending, error };
}

/** Removes duplicates: a generation may be in the lists of two states for a moment. */
function unique(generations: readonly GenerationResponse[]): GenerationResponse[] {
  return [...new Map(generations.map((each) => [each.id, each])).values()];
}
