import { LibraryBig } from 'lucide-react';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { useNames } from '../shell/index.ts';
import { useSame } from '../state/index.ts';
import {
  allOf,
  comparedIn,
  ErrorNotice,
  type FirstTile,
  keptIn,
  Loading,
  MediaGrid,
  NextPageError,
  NOTHING,
  notifyDone,
  NothingFound,
  PutOnBoardDialog,
  SearchField,
  type Selection,
  SelectionBar,
  useListState,
} from '../ui/index.ts';
import { words } from '../words.ts';
import { CompareItems } from './CompareItems.tsx';
import { type Item, RATINGS } from './item.ts';
import { ItemViewer } from './ItemViewer.tsx';
import { LIBRARY_LOOK } from './library-tile.tsx';
import { filtersSet, type LibraryState, NO_FILTER } from './library-query.ts';
import { LibraryFilters } from './LibraryFilters.tsx';
import classes from './Library.module.css';
import { Likeness } from './Likeness.tsx';
import { SavedSearches } from './SavedSearches.tsx';
import { refusalToCompare, SelectionActions } from './SelectionActions.tsx';
import { TagDialog } from './TagDialog.tsx';
import { useItemKeys } from './use-item-keys.ts';
import { type Mark, useDeletion, useItemsOf, useLibrary, useMarks, useReach } from './use-library.ts';

const said = words.library;
const ABSENT = { ...NO_FILTER };
const CLOSED = { open: 0, generation: 0 };
const NO_ITEMS: readonly Item[] = [];
const NO_IDS: readonly number[] = [];
const NO_TILES: readonly FirstTile[] = [];

interface ItemGridProps {
  /** Tiles in first place that are no items. */
  readonly first?: readonly FirstTile[];
  /** Buttons beside the search. */
  readonly tools?: ReactNode;
  /** Shown in place of an empty grid. */
  readonly empty?: ReactNode;
}

/** All items of the workspace that match: found, selected, rated, tagged, put on boards, and opened on the stage. */
export function ItemGrid({ first = NO_TILES, tools, empty }: ItemGridProps) {
  const [state, change] = useListState(ABSENT);
  const names = useNames();
  const { list, items = NO_ITEMS, more } = useLibrary({ ...state, generation: 0 });
  const ofGeneration = useItemsOf(state.generation);
  const viewed = ofGeneration ?? items;
  const [chosen, setSelection] = useState<Selection>(NOTHING);
  const order = useSame(useMemo(() => items.map(({ id }) => id), [items]));
  const shownIds = useMemo(() => new Set(order), [order]);
  const selection = useMemo(() => keptIn(chosen, shownIds), [chosen, shownIds]);
  const [taggedIds, setTagged] = useState<readonly number[] | null>(null);
  const [boardIds, setForBoard] = useState<readonly number[] | null>(null);
  const open = useCallback((id: number) => change({ open: id }, { push: true }), [change]);
  const find = (filter: Partial<LibraryState>) => change({ ...NO_FILTER, ...filter }, { push: true });
  const itemsOf = (ids: readonly number[] | null) => {
    const wanted = new Set(ids);
    return ids && viewed.filter(({ id }) => wanted.has(id));
  };
  const mark = useMarks();
  const deleteItems = useDeletion();
  const remove = (ids: readonly number[]) => {
    setSelection(NOTHING);
    deleteItems(ids);
  };
  const rate = async (ids: readonly number[], rating: number) => {
    if ((await mark(ids, { rating })) && ids.length > 1) notifyDone(said.rated(ids.length, rating));
  };
  const tag = async (ids: readonly number[], tags: Mark) => {
    if ((await mark(ids, tags)) && ids.length > 1) notifyDone(said.tagged(ids.length));
  };
  const selected = selection.ids.size === 0 ? NO_IDS : order.filter((id) => selection.ids.has(id));
  const comparedIds = useMemo(() => comparedIn(state.compare), [state.compare]);
  const isReading = useReach({ list, items }, comparedIds ?? (state.open > 0 ? [state.open] : NO_IDS));
  const compare = (ids: readonly number[]) => {
    const refusal = refusalToCompare(ids.length);
    if (refusal) notifyDone(refusal);
    else change({ compare: order.filter((id) => ids.includes(id)).join('-') }, { push: true });
  };
  const isFiltered = state.q.trim() !== '' || filtersSet(state).length > 0;
  const openId = state.open || ofGeneration?.[0]?.id || null;
  const isEmpty = list.data !== undefined && items.length === 0;
  const rateByKeys = Object.fromEntries(
    RATINGS.map((rating) => [String(rating), (ids: readonly number[]) => void rate(ids, rating)]),
  );

  const itemKeys = useItemKeys(items);

  return (
    <>
      <div className={classes.head}>
        <SearchField label={said.search} value={state.q} onChange={(q) => change({ q })} />
        <SavedSearches state={state} onOpen={(next) => change(next, { push: true })} />
        {tools}
      </div>
      <LibraryFilters state={state} names={names} onChange={(part) => change(part)} />
      {state.like > 0 && <Likeness id={state.like} onClear={() => change({ like: 0 })} />}
      {list.error && !list.data && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Loading rows={4} height={160} />}
      {isEmpty && (empty === undefined || isFiltered) && (
        <NothingFound icon={LibraryBig} said={said} isFiltered={isFiltered} onClear={() => change({ ...NO_FILTER })} />
      )}
      {isEmpty && !isFiltered && first.length === 0 && empty}
      {(items.length > 0 || first.length > 0) && (
        <div className={classes.list} aria-busy={list.isPlaceholderData}>
          <MediaGrid
            first={first}
            items={items}
            label={said.grid}
            hint={said.keys}
            look={LIBRARY_LOOK}
            selection={selection}
            onSelect={setSelection}
            onOpen={open}
            actions={{
              ...rateByKeys,
              ...itemKeys,
              t: setTagged,
              b: setForBoard,
              c: compare,
              Delete: remove,
              Backspace: remove,
            }}
            dragLabel={null}
            onEnd={more}
          />
        </div>
      )}
      <NextPageError query={list} />
      <SelectionBar
        selection={selection}
        onClear={() => setSelection(NOTHING)}
        onSelectAll={() => setSelection(allOf(order))}
      >
        <SelectionActions
          count={selected.length}
          onCompare={() => compare(selected)}
          onRate={(stars) => void rate(selected, stars)}
          onTag={() => setTagged(selected)}
          onPutOnBoard={() => setForBoard(selected)}
          onDownload={() => itemKeys.d(selected)}
          onDelete={() => remove(selected)}
        />
      </SelectionBar>
      <ItemViewer
        items={viewed}
        openId={openId}
        names={names}
        onOpen={(id) => change(id === null ? CLOSED : { open: id })}
        onMark={(ids, marks) => void mark(ids, marks)}
        onFind={find}
        onTag={setTagged}
        onPutOnBoard={setForBoard}
        onDelete={(id) => remove([id])}
      />
      <CompareItems
        ids={comparedIds}
        items={items}
        isReading={isReading}
        names={names}
        onMark={(ids, marks) => void mark(ids, marks)}
        onChange={(ids) => change({ compare: ids?.join('-') ?? '' })}
      />
      <TagDialog
        items={itemsOf(taggedIds)}
        onClose={() => setTagged(null)}
        onMark={(tags) => taggedIds && void tag(taggedIds, tags)}
      />
      <PutOnBoardDialog files={itemsOf(boardIds)?.map(fileOf) ?? null} onClose={() => setForBoard(null)} />
    </>
  );
}

/** An item as a board takes it, with the settings of its generation. */
function fileOf({ url, generation_id, model, prompt }: Item) {
  return { url, ...(generation_id !== null && { extras: { generation_id, model, prompt } }) };
}
