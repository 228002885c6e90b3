import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import {
  type BatchCellsResponse,
  type BatchDto,
  batchesGetInfiniteOptions,
  batchesGetInfiniteQueryKey,
  type CellDto,
  isOpen,
  refresh,
  x12,
  useAllPages,
} from '../../api/index.ts';

type Cached = InfiniteData<BatchCellsResponse>;

const PAGE = 200;
/** How often open cells are read, as their progress is in no event of a batch and streams may break. */
const POLL_MS = 5000;
/** Events may come many times a second. */
const READ_EVERY_MS = 700;

const optionsOf = (id: number) => ({ path: { id }, query: { limit: PAGE } });

/** A batch with all its cells, page by page, and with live changes. */
export function useBatch(id: number) {
  const { list, items: cells } = useAllPages(batchesGetInfiniteOptions(optionsOf(id)), (page) => page.cells);
  const batch = list.data?.pages[0]?.batch;
  // The event of the end may come before the last cells are read.
  useLive(id, batch !== undefined && (batch.state !== 'ended' || cells!.some(isOpenCell)));
  return { list, batch, cells };
}

/** Shows a batch as the service has returned it. */
export function showBatch(queries: QueryClient, batch: BatchDto): void {
  queries.setQueryData<Cached>(
    batchesGetInfiniteQueryKey(optionsOf(batch.id)),
    (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, batch })) },
  );
}

/** Follows the events of a batch that has not ended, and reads its open cells after each. */
function useLive(id: number, isFollowed: boolean): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (!isFollowed) return;
    const stop = new AbortController();
    const read = oneAtATime(() => readOpenCells(queries, id, stop.signal), stop.signal);
    const timer = setInterval(read, POLL_MS);
    void followAlways(queries, id, read, stop.signal);
    return () => {
      clearInterval(timer);
      stop.abort();
    };
  }, [queries, id, isFollowed]);
}

/** Opens the stream again after it could not be opened; meanwhile the cells are polled. */
async function followAlways(queries: QueryClient, id: number, read: () => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      return await follow(queries, id, read, signal);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}

async function follow(queries: QueryClient, id: number, read: () => void, signal: AbortSignal): Promise<void> {
  for await (const { type, batch } of x12.batchEvents(id, { signal })) {
    if (type !== 'done') {
      showBatch(queries, batch);
      read();
      continue;
    }
    await readOpenCells(queries, id, signal, true);
    await refresh(queries, 'generations', 'library', 'credits');
  }
}

/** Reads the pages that have open cells, and shows them at once. @param isLast whether no cell waits any more */
async function readOpenCells(queries: QueryClient, id: number, signal: AbortSignal, isLast = false): Promise<void> {
  const queryKey = batchesGetInfiniteQueryKey(optionsOf(id));
  const known = queries.getQueryData<Cached>(queryKey);
  const read = new Map<number, BatchCellsResponse>();
  for (const [at, page] of (known?.pages ?? []).entries()) {
    if (!page.cells.some(isOpenCell)) continue;
    const cursor = known!.pageParams[at];
    const query = { id, limit: PAGE, ...(typeof cursor === 'string' && { cursor }) };
    const next = await x12.batches.get(query, { signal });
    read.set(at, next);
    // Cells are started in their order: behind a page that waits, all wait.
    if (!isLast && next.cells.every(({ generation }) => generation.state === 'queued')) break;
  }
  const { batch } = [...read.values()].at(-1) ?? (await x12.batches.get({ id, limit: 1 }, { signal }));
  queries.setQueryData<Cached>(
    queryKey,
    (data) => data && { ...data, pages: data.pages.map((page, at) => ({ ...page, ...read.get(at), batch })) },
  );
}

function isOpenCell({ generation }: CellDto): boolean {
  return isOpen(generation);
}

/** Calls the work again after it has ended and a pause, if it was called meanwhile. */
function oneAtATime(work: () => Promise<void>, signal: AbortSignal): () => void {
  let isWorking = false;
  let isDue = false;
  return () => {
    isDue = true;
    if (isWorking) return;
    isWorking = true;
    void (async () => {
      while (isDue && !signal.aborted) {
        isDue = false;
        // The next event, or the timer, tries again.
        await work().catch(() => {});
        await new Promise((resolve) => setTimeout(resolve, READ_EVERY_MS));
      }
      isWorking = false;
    })();
  };
}
