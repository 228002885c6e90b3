import { useDebouncedValue } from '@mantine/hooks';
import { type InfiniteData, keepPreviousData, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { libraryListInfiniteOptions, type LibraryResponse, refresh, usePages, x12 } from '../api/index.ts';
import { Changes, type Show, useShown } from '../state/index.ts';
import { useUndoOfDeletion } from '../shell/index.ts';
import { makeWithUndo, notifyDone, notifyError, useNextPage } from '../ui/index.ts';
import { type Item, itemOf } from './item.ts';
import { type LibraryState, NO_FILTER, queryOf } from './library-query.ts';
import { words } from './words.ts';

/** Milliseconds without a keystroke before the service searches. */
const TYPING_MS = 250;
/** Items of a page. */
const PAGE = 100;
/** Items that one call changes. */
const BULK = 500;

/** Items of the address are looked for in this many pages. */
const REACH = 20;

const changes = new Changes<readonly Item[]>('tags');

/** The items that match, page by page. */
export function useLibrary(state: LibraryState, isAsked = true) {
  const [q] = useDebouncedValue(state.q, TYPING_MS);
  const options = libraryListInfiniteOptions({ query: { ...queryOf({ ...state, q }), limit: PAGE } });
  const { list, items: read } = usePages(
    { ...options, placeholderData: keepPreviousData, enabled: isAsked },
    itemsOfPage,
  );
  const items = useShown(changes, read);
  const more = useNextPage(list);
  return { list, items, more };
}

/** The items of a generation; until they are read, those of the generation before. Null for no generation. */
export function useItemsOf(generation: number): readonly Item[] | null {
  const { list, items } = useLibrary({ ...NO_FILTER, generation }, generation > 0);
  const [before, setBefore] = useState<readonly Item[] | null>(null);
  const isRead = items !== undefined && !list.isPlaceholderData;
  const now = generation === 0 ? null : isRead ? items : before;
  if (now !== before) setBefore(now);
  return now;
}

/** Reads pages until the items that the address names are there. @returns whether more is read */
export function useReach(
  { list, items }: Pick<ReturnType<typeof useLibrary>, 'list' | 'items'>,
  ids: readonly number[],
) {
  const { hasNextPage, isFetching, isError, fetchNextPage, data } = list;
  const isMissing = items !== undefined && ids.some((id) => !items.some((item) => item.id === id));
  const goesOn = isMissing && hasNextPage && !isError && (data?.pages.length ?? 0) < REACH;
  useEffect(() => {
    if (goesOn && !isFetching) void fetchNextPage();
  }, [goesOn, isFetching, fetchNextPage]);
  return goesOn || list.isPending;
}

/** The items of each page, made once: tiles of items that are the same are not rendered again. */
const itemsOfPages = new WeakMap<LibraryResponse, readonly Item[]>();

function itemsOfPage(page: LibraryResponse): readonly Item[] {
  const known = itemsOfPages.get(page);
  if (known) return known;
  const items = page.items.map(itemOf);
  itemsOfPages.set(page, items);
  return items;
}

export interface Mark {
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
  readonly rating?: number;
}

/** Rates and tags items, which is shown at once. */
export function useMarks() {
  const queries = useQueryClient();
  /** @returns whether it worked */
  return async (ids: readonly number[], mark: Mark): Promise<boolean> => {
    const wanted = new Set(ids);
    const show = (items: readonly Item[]) => items.map((item) => (wanted.has(item.id) ? marked(item, mark) : item));
    try {
      await changes.make(queries, show, async () => {
        const { add = [], remove = [], ...rest } = mark;
        for (const file_ids of bulksOf(ids)) {
          const { items } = await x12.library.tagMany({ file_ids, add: [...add], remove: [...remove], ...rest });
          const byId = new Map(items.map((item) => [item.file_id, item]));
          // The service brings tags into one form.
          write(queries, (all) => all.map((item) => (byId.has(item.id) ? { ...item, ...byId.get(item.id) } : item)));
        }
      });
      return true;
    } catch (error) {
      notifyError(error);
      void refresh(queries, 'library');
      return false;
    }
  };
}

/** Gives an item another name, which is shown at once. */
export function useRename() {
  const queries = useQueryClient();
  return ({ id }: Item, name: string): void => {
    const show = (items: readonly Item[]) => items.map((item) => (item.id === id ? { ...item, name } : item));
    const work = async () => {
      await x12.library.update({ file_id: id, name });
      write(queries, show);
    };
    void changes.make(queries, show, work).catch(notifyError);
  };
}

/** Deletes items, which the trash has then, and offers to undo it to users who may restore them. */
export function useDeletion() {
  const queries = useQueryClient();
  const { undoOf, notice } = useUndoOfDeletion();
  return (ids: readonly number[]): void => {
    const wanted = new Set(ids);
    /** @returns the first item of each entry of the trash */
    const remove = async () => {
      // All requests at once, as the page may be closing.
      const removeSome = (file_ids: number[]) => x12.library.deleteMany({ file_ids }, { keepalive: true });
      const bulks = await Promise.all(bulksOf(ids).map(removeSome));
      const gone = new Set(bulks.flatMap(({ file_ids }) => file_ids));
      write(queries, (items) => items.filter(({ id }) => !gone.has(id)));
      void refresh(queries, 'trash');
      // Members delete only what they made.
      if (gone.size < ids.length) notifyDone(words.kept(ids.length - gone.size));
      return bulks.flatMap(({ file_ids: [first] }) => first ?? []);
    };
    void makeWithUndo(changes, queries, {
      message: notice(words.deleted(ids.length)),
      show: (items) => items.filter(({ id }) => !wanted.has(id)),
      failure: words.notDeleted(ids.length),
      work: async () => undoOf('item', await remove()),
    });
  };
}

function bulksOf(ids: readonly number[]): number[][] {
  return Array.from({ length: Math.ceil(ids.length / BULK) }, (_, bulk) => ids.slice(bulk * BULK, (bulk + 1) * BULK));
}

/**
 * Writes a change into the pages that are read. They are not read again, because each is a request; so items that no longer
 * match stay until the list is opened again.
 */
function write(queries: QueryClient, show: Show<readonly Item[]>): void {
  const isLibrary = ({ queryKey }: { readonly queryKey: readonly unknown[] }) =>
    (queryKey[0] as { readonly _id?: string })._id === 'libraryList';
  queries.setQueriesData<InfiniteData<LibraryResponse>>({ predicate: isLibrary }, (data) => {
    if (!data || !('pages' in data)) return data;
    return { ...data, pages: data.pages.map((page) => pageAfter(page, show)) };
  });
  void queries.invalidateQueries({ predicate: isLibrary, refetchType: 'none' });
}

/** The same page if nothing of it changed. */
function pageAfter(page: LibraryResponse, show: Show<readonly Item[]>): LibraryResponse {
  const before = itemsOfPage(page);
  const after = show(before);
  const isSame = after.length === before.length && after.every((item, at) => item === before[at]);
  return isSame ? page : { ...page, items: [...after] };
}

function marked(item: Item, { add = [], remove = [], rating = item.rating }: Mark): Item {
  const tags = [...new Set([...item.tags.filter((tag) => !remove.includes(tag)), ...add])].sort();
  return { ...item, tags, rating };
}
