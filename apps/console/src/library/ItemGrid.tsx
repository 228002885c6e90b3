import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { LibraryBig } from 'lucide-react';
import { type ComponentProps, type ReactNode, useCallback, useMemo, useState } from 'react';
import { batchesListOptions } from '../api/index.ts';
import { type Names, useNames } from '../shell/index.ts';
import {
  allOf,
  comparedIn,
  ErrorNotice,
  FilterChip,
  type FirstTile,
  later,
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
  TileSizeButton,
  uiWords,
  useListState,
  useSelection,
} from '../ui/index.ts';
import { type Entry, isBatch, withBatches } from './batch-tiles.ts';
import { type Item, RATINGS } from './item.ts';
import { ENTRY_LOOK } from './library-tile.tsx';
import { filtersSet, type LibraryState, NO_FILTER } from './library-query.ts';
import { LibraryFilters } from './LibraryFilters.tsx';
import classes from './Library.module.css';
import { SavedSearches } from './SavedSearches.tsx';
import { ShareItems } from './ShareItems.tsx';
import { refusalToCompare, SelectionActions } from './SelectionActions.tsx';
import { useItemKeys } from './use-item-keys.ts';
import { type Mark, useDeletion, useItemsOf, useLibrary, useMarks, useReach, useRename } from './use-library.ts';
import { words } from './words.ts';

const ItemViewer = later('openId', async () => (await import('./ItemViewer.tsx')).ItemViewer);
const CompareItems = later('ids', async () => (await import('./CompareItems.tsx')).CompareItems);
const TagDialog = later('items', async () => (await import('./TagDialog.tsx')).TagDialog);
const text = words.filters;
const ABSENT = { ...NO_FILTER };
/** Batches whose counts are known. */
const BATCHES = 50;
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
  const library = useLibrary({ ...state, generation: 0 });
  const { items = NO_ITEMS } = library;
  const { entries, singles } = useEntries(items, state);
  const ofGeneration = useItemsOf(state.generation);
  const viewed = ofGeneration ?? (singles.some(({ id }) => id === state.open) ? singles : items);
  const { selection, select, order } = useSelection(singles);
  const [taggedIds, setTagged] = useState<readonly number[] | null>(null);
  const [boardIds, setForBoard] = useState<readonly number[] | null>(null);
  const [sharedIds, setShared] = useState<readonly number[] | null>(null);
  const { mark, rate, tag } = useMarking();
  const rename = useRename();
  const remove = useRemoval(select);
  const itemKeys = useItemKeys(items);
  const { comparedIds, compare } = useComparing(state, change, order);
  const isReading = useReach(library, comparedIds ?? (state.open > 0 ? [state.open] : NO_IDS));
  const actions = { ...itemKeys, t: setTagged, b: setForBoard, c: compare, Delete: remove };
  const grid = {
    first,
    items: entries,
    selection,
    onSelect: select,
    actions: onItems({ ...ratingKeys(rate), ...actions }),
  };
  return (
    <>
      <Head state={state} change={change} names={names} tools={tools} />
      <Found state={state} change={change} library={library} grid={grid} empty={empty} />
      <Chosen {...{ selection, select, order, actions }} onRate={rate} onShare={setShared} />
      <ItemViewer
        items={viewed}
        openId={state.open || ofGeneration?.[0]?.id || null}
        names={names}
        onOpen={(id) => change(id === null ? CLOSED : { open: id })}
        onRename={rename}
        onMark={mark}
        onFind={(filter) => change({ ...NO_FILTER, ...filter }, { push: true })}
        onTag={setTagged}
        onPutOnBoard={setForBoard}
        onDelete={(id) => remove([id])}
      />
      <CompareItems
        {...{ items, isReading, names }}
        ids={comparedIds}
        onMark={mark}
        onChange={(ids) => change({ compare: ids?.join('-') ?? '' })}
      />
      <TagDialog
        items={among(viewed, taggedIds)}
        onClose={() => setTagged(null)}
        onMark={(tags) => tag(taggedIds!, tags)}
      />
      <PutOnBoardDialog files={among(viewed, boardIds)?.map(fileOf) ?? null} onClose={() => setForBoard(null)} />
      <ShareItems files={among(viewed, sharedIds)?.map(fileOf) ?? null} onClose={() => setShared(null)} />
    </>
  );
}

/** Entries of the grid, where each batch is one tile unless a filter is set; and the items with a tile of their own. */
function useEntries(items: readonly Item[], state: LibraryState) {
  const isPlain = !isFiltered(state) && ['', 'newest'].includes(state.sort);
  const { data } = useQuery({ ...batchesListOptions({ query: { limit: BATCHES } }), enabled: isPlain });
  const entries = useMemo(
    (): readonly Entry[] => (isPlain ? withBatches(items, data?.batches ?? []) : items),
    [isPlain, items, data],
  );
  const singles = useMemo(() => entries.filter((entry) => !isBatch(entry)) as readonly Item[], [entries]);
  return { entries, singles };
}

function useComparing(state: LibraryState, change: PartProps['change'], order: readonly number[]) {
  const comparedIds = useMemo(() => comparedIn(state.compare), [state.compare]);
  const compare = (ids: readonly number[]) => {
    const refusal = refusalToCompare(ids.length);
    if (refusal) notifyDone(refusal);
    else change({ compare: order.filter((id) => ids.includes(id)).join('-') }, { push: true });
  };
  return { comparedIds, compare };
}

/** Null for no ids. */
function among(items: readonly Item[], ids: readonly number[] | null): readonly Item[] | null {
  const wanted = new Set(ids);
  return ids && items.filter(({ id }) => wanted.has(id));
}

const isFiltered = (state: LibraryState) => state.q.trim() !== '' || filtersSet(state).length > 0;

type Actions = Readonly<Record<string, (ids: readonly number[]) => void>>;

/** The actions without effect on batches. */
const onItems = (actions: Actions): Actions =>
  Object.fromEntries(
    Object.entries(actions).map(([key, run]) => [key, (ids) => ids.every((id) => id > 0) && run(ids)]),
  );

/** Rates and tags, and says so where several items change. */
function useMarking() {
  const mark = useMarks();
  const several = async (ids: readonly number[], marks: Mark, message: string) => {
    if ((await mark(ids, marks)) && ids.length > 1) notifyDone(message);
  };
  return {
    mark: (ids: readonly number[], marks: Mark) => void mark(ids, marks),
    rate: (ids: readonly number[], rating: number) => void several(ids, { rating }, words.rated(ids.length, rating)),
    tag: (ids: readonly number[], tags: Mark) => void several(ids, tags, words.tagged(ids.length)),
  };
}

function useRemoval(select: (selection: Selection) => void) {
  const deleteItems = useDeletion();
  return (ids: readonly number[]) => {
    select(NOTHING);
    deleteItems(ids);
  };
}

type Rate = (ids: readonly number[], rating: number) => void;

const ratingKeys = (rate: Rate) =>
  Object.fromEntries(RATINGS.map((rating) => [String(rating), (ids: readonly number[]) => rate(ids, rating)]));

interface PartProps {
  readonly state: LibraryState;
  readonly change: (part: Partial<LibraryState>, options?: { readonly push?: boolean }) => void;
}

/** The search, its filters, and what the items are like. */
function Head({ state, change, names, tools }: PartProps & { readonly names: Names; readonly tools: ReactNode }) {
  return (
    <>
      <div className={classes.head}>
        <SearchField label={words.search} value={state.q} onChange={(q) => change({ q })} />
        <SavedSearches state={state} onOpen={(next) => change(next, { push: true })} />
        <TileSizeButton />
        {tools}
      </div>
      <LibraryFilters state={state} names={names} onChange={(part) => change(part)} />
      {state.like > 0 && (
        <FilterChip label={text.like} value={uiWords.number(state.like)} onRemove={() => change({ like: 0 })} />
      )}
      {state.customer && (
        <FilterChip label={text.customer} value={state.customer} onRemove={() => change({ customer: '' })} />
      )}
    </>
  );
}

type Grid = Parameters<typeof MediaGrid<Entry>>[0];

interface FoundProps extends PartProps, Pick<ItemGridProps, 'empty'> {
  readonly library: ReturnType<typeof useLibrary>;
  readonly grid: Pick<Grid, 'items' | 'selection' | 'onSelect' | 'actions'> & Required<Pick<Grid, 'first'>>;
}

/** The items, or why there are none. */
function Found({ state, change, library: { list, more }, grid, empty }: FoundProps) {
  const { first, items, actions } = grid;
  const navigate = useNavigate();
  const open = useCallback(
    (id: number) => void (id > 0 ? change({ open: id }, { push: true }) : navigate({ to: `/batches/${-id}` })),
    [change, navigate],
  );
  const isEmpty = list.data !== undefined && items.length === 0;
  return (
    <>
      {list.error && !list.data && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Loading rows={4} height={160} />}
      {isEmpty && (empty === undefined || isFiltered(state)) && (
        <NothingFound
          icon={LibraryBig}
          texts={words}
          isFiltered={isFiltered(state)}
          onClear={() => change({ ...NO_FILTER })}
        />
      )}
      {isEmpty && !isFiltered(state) && first.length === 0 && empty}
      {(items.length > 0 || first.length > 0) && (
        <div className={classes.list} aria-busy={list.isPlaceholderData}>
          <MediaGrid
            {...grid}
            label={words.grid}
            hint={words.keys}
            look={ENTRY_LOOK}
            onOpen={open}
            actions={{ ...actions, Backspace: actions.Delete! }}
            dragLabel={null}
            onEnd={more}
          />
        </div>
      )}
      <NextPageError query={list} />
    </>
  );
}

interface ChosenProps extends Omit<ComponentProps<typeof SelectionActions>, 'ids'> {
  readonly selection: Selection;
  readonly select: (selection: Selection) => void;
  readonly order: readonly number[];
}

/** The bar of the selected items. Its buttons do what keys do. */
function Chosen({ selection, select, order, ...on }: ChosenProps) {
  const selected = selection.ids.size === 0 ? NO_IDS : order.filter((id) => selection.ids.has(id));
  return (
    <SelectionBar selection={selection} onClear={() => select(NOTHING)} onSelectAll={() => select(allOf(order))}>
      <SelectionActions ids={selected} {...on} />
    </SelectionBar>
  );
}

/** An item as a board takes it, with the settings of its generation. */
function fileOf({ url, generation_id, model, prompt }: Item) {
  return { url, ...(generation_id !== null && { extras: { generation_id, model, prompt } }) };
}
