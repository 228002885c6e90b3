import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { GenerationEvent, GenerationResponse } from '#client';
import { generationsGetQueryKey } from '#client/query';
import { x12 } from './client.ts';
import { refresh } from './refresh.ts';

/** Maximum open event streams: browsers open six connections to a host over HTTP/1.1, and other requests need some. */
const STREAMS = 3;
/** How often lists with open generations are read again, as streams may break or be too many. */
const POLL_MS = 5000;
const LISTS = [{ _id: 'generationsList' }];

export type ListedGenerations = { readonly generations: readonly GenerationResponse[] };
type Cached = ListedGenerations | { readonly pages: readonly ListedGenerations[] };
type Change = Partial<GenerationResponse>;

export function isOpen({ state }: Pick<GenerationResponse, 'state'>): boolean {
  return state === 'queued' || state === 'running';
}

/** `refetchInterval` of a query for a list of generations: polls while a generation is open. */
export function pollWhileOpen({ state }: { readonly state: { readonly data?: Cached } }): number | false {
  const pages = state.data === undefined ? [] : 'pages' in state.data ? state.data.pages : [state.data];
  return pages.some(({ generations }) => generations.some(isOpen)) && POLL_MS;
}

/** Follows the events of the oldest open generations, and writes their changes into the cache. */
export function useLiveGenerations(generations: readonly Pick<GenerationResponse, 'id' | 'state'>[]): void {
  const queries = useQueryClient();
  const streams = useRef(new Map<number, AbortController>());
  const open = generations.filter(isOpen).map(({ id }) => id);
  const followed = open
    .sort((a, b) => a - b)
    .slice(0, STREAMS)
    .join(' ');
  useEffect(() => {
    const wanted = followed.split(' ').filter(Boolean).map(Number);
    for (const [id, stream] of streams.current) {
      if (wanted.includes(id)) continue;
      stream.abort();
      streams.current.delete(id);
    }
    for (const id of wanted) {
      if (!streams.current.has(id)) streams.current.set(id, follow(queries, id));
    }
  }, [followed, queries]);
  useEffect(() => {
    const all = streams.current;
    return () => {
      for (const stream of all.values()) stream.abort();
      all.clear();
    };
  }, []);
}

function follow(queries: QueryClient, id: number): AbortController {
  const stop = new AbortController();
  // Without a stream the lists are polled, and show errors.
  writeEvents(queries, id, stop.signal).catch(() => {});
  return stop;
}

async function writeEvents(queries: QueryClient, id: number, signal: AbortSignal): Promise<void> {
  for await (const event of x12.generationEvents(id, { signal })) {
    changeGeneration(queries, id, changeOf(event));
  }
  await refresh(queries, 'credits', 'lineages');
}

/** Keeps a generation open until the event `done` brings its outputs: its stream would otherwise be closed early. */
function changeOf(event: GenerationEvent): Change {
  if (event.type === 'done') return event.generation;
  const { state, progress } = event;
  return isOpen(event) ? { state, progress } : { progress };
}

/** Changes a generation in every cached list, and in its own query. */
function changeGeneration(queries: QueryClient, id: number, change: Change): void {
  const changed = (list: ListedGenerations) => withGeneration(list, id, change);
  queries.setQueriesData<Cached>({ queryKey: LISTS }, (data) => {
    if (data === undefined) return undefined;
    return 'pages' in data ? { ...data, pages: data.pages.map(changed) } : changed(data);
  });
  queries.setQueryData<GenerationResponse>(
    generationsGetQueryKey({ path: { id } }),
    (data) => data && { ...data, ...change },
  );
}

/** A list with a changed generation. */
export function withGeneration<List extends ListedGenerations>(list: List, id: number, change: Change): List {
  return { ...list, generations: list.generations.map((each) => (each.id === id ? { ...each, ...change } : each)) };
}
