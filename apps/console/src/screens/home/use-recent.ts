import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import {
  type GenerationResponse,
  generationsGetGenerationsOptions,
  isOpen,
  refreshGenerations,
  useLiveGenerations,
} from '../../api/index.ts';
import { weekAgo } from './month.ts';

const OPEN = 50;
const FAILED = 5;
const DONE = 12;
/** Others of the workspace start generations, too. */
const LOOK_EVERY_MS = 10_000;

/** What runs, what failed in the last week, and what succeeded last, all of it live. */
export function useRecent() {
  const queries = useQueryClient();
  const running = useGenerations('running', OPEN);
  const queued = useGenerations('queued', OPEN);
  const failed = useGenerations('failed', FAILED, weekAgo(new Date()));
  const done = useGenerations('succeeded', DONE);

  const listed = [...(running.data?.generations ?? []), ...(queued.data?.generations ?? [])];
  const open = unique(listed.filter(isOpen));
  useLiveGenerations(open);
  useWhenOneEnds(open, () => {
    void refreshGenerations(queries);
    void queries.invalidateQueries({ queryKey: [{ _id: 'creditsGetCredits' }] });
  });

  const all = [running, queued, failed, done];
  return {
    open,
    failed: failed.data?.generations ?? [],
    done: done.data?.generations ?? [],
    isPending: all.some((each) => each.isPending),
    error: all.find((each) => each.error)?.error ?? null,
    retry: () => void refreshGenerations(queries),
  };
}

/** What ends belongs into another list, and changes the credits. */
function useWhenOneEnds(open: readonly GenerationResponse[], refresh: () => void): void {
  const before = useRef<readonly number[]>([]);
  const ids = open.map(({ id }) => id);
  useEffect(() => {
    if (before.current.some((id) => !ids.includes(id))) refresh();
    before.current = ids;
  });
}

function useGenerations(state: GenerationResponse['state'], limit: number, after?: string) {
  return useQuery({
    ...generationsGetGenerationsOptions({ query: { state, limit, after } }),
    refetchInterval: LOOK_EVERY_MS,
  });
}

/** One may be in the lists of two states for a moment. */
function unique(generations: readonly GenerationResponse[]): GenerationResponse[] {
  return [...new Map(generations.map((each) => [each.id, each])).values()];
}
