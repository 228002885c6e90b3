import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useLatest, useSame } from '../../state/index.ts';
import { type Direction, type Layout, neighbour, type Place, withoutFirst } from './columns.ts';
import classes from './MediaGrid.module.css';
import { allOf, extended, NOTHING, type Selection, toggled } from './selection.ts';
import { type GridItem, type KeysHeld, type Look, Tile, tileId } from './Tile.tsx';
import type { Drag } from './draggable.ts';
import { useTileLayout } from './TileSize.tsx';
import { useBand } from './use-band.ts';
import { useDropBetween } from './use-drag.ts';
import { useTiles } from './use-tiles.ts';

const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
};

/** A tile in first place that is no item, such as a generation under way. It may have buttons. */
export interface FirstTile {
  readonly key: string;
  /** Height by width. */
  readonly ratio: number;
  /** Label for screen readers. */
  readonly label: string;
  readonly content: ReactNode;
}

const NONE: readonly FirstTile[] = [];

interface MediaGridProps<T extends GridItem> {
  readonly first?: readonly FirstTile[];
  readonly items: readonly T[];
  readonly label: string;
  /** Says what the keys do. */
  readonly hint: string;
  readonly look: Look<T>;
  readonly selection: Selection;
  readonly onSelect: (change: (before: Selection) => Selection) => void;
  readonly onOpen: (id: number) => void;
  /** Actions of further keys, on the selected items or else on the active item. */
  readonly actions: Readonly<Record<string, (ids: readonly number[]) => void>>;
  /** The text at the pointer while items are dragged; null in a grid whose items can't be dragged. */
  readonly dragLabel: ((item: T, count: number) => string) | null;
  /** Called when items are dropped at a place of the order; absent in a grid without an order by hand. */
  readonly onDrop?: ((ids: readonly number[], at: number) => void) | null;
  /** Shown at the place of an item, over the tiles. */
  readonly over?: { readonly id: number; readonly content: ReactNode } | null;
  /** Called near the end of the list. */
  readonly onEnd?: () => void;
}

/** Items in columns. They are opened by pointer or keys, selected by these or by a band, and dragged. */
export function MediaGrid<T extends GridItem>(props: MediaGridProps<T>) {
  const { first = NONE, items, label, hint, look, selection, onSelect, onDrop = null, over } = props;
  const { ref, whole, layout, shown } = usePlaces(props);
  const order = useSame(useMemo(() => items.map(({ id }) => id), [items]));
  const [activeId, setActive] = useState<number | null>(null);
  const active = Math.max(0, activeId === null ? 0 : order.indexOf(activeId));
  const activate = (index: number) => {
    setActive(order[index] ?? null);
    scrollToTile(ref.current, layout, index);
  };
  const onKeyDown = useKeysOn({ ...props, order, layout, active, activate });
  const { onPress, dragOf } = usePresses(props, order, setActive);
  const listbox = useRef<HTMLDivElement>(null);
  const band = useRef<HTMLDivElement>(null);
  const bandHandlers = useBand({ list: listbox, band, layout, order, selection, onSelect });
  const gap = useDropBetween(listbox, layout, onDrop);
  const list = (
    <div
      ref={listbox}
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-description={hint}
      aria-multiselectable
      aria-activedescendant={shown.includes(active) ? tileId(order[active]!) : undefined}
      className={classes.list}
      data-choosing={selection.ids.size > 0 || undefined}
      onKeyDown={onKeyDown}
      {...bandHandlers}
    >
      {shown.map((index) => (
        <Tile
          key={order[index]}
          item={items[index]!}
          look={look}
          place={layout.places[index]!}
          position={index}
          count={items.length}
          isSelected={selection.ids.has(order[index]!)}
          isActive={index === active}
          onPress={onPress}
          dragOf={dragOf}
        />
      ))}
    </div>
  );
  return (
    <div ref={ref} className={classes.grid} style={{ height: whole.height }}>
      {first.length > 0 && <FirstTiles tiles={first} places={whole.places} />}
      {items.length > 0 && list}
      <div ref={band} className={classes.band} hidden />
      {gap && <div className={classes.gap} style={gapStyle(layout.places[gap.index], gap.isAfter)} />}
      {over && <Over place={layout.places[order.indexOf(over.id)]} content={over.content} list={listbox} />}
    </div>
  );
}

/** The places of all tiles, those of the items alone, and the indexes of the items to render. */
function usePlaces<T extends GridItem>({ first = NONE, items, look, onEnd }: MediaGridProps<T>) {
  // A rating or a tag makes other items of the same shapes: they keep their layout.
  const ratios = useSame(
    useMemo(() => [...first.map(({ ratio }) => ratio), ...items.map(look.ratioOf)], [first, items, look]),
  );
  const { ref, layout: whole, shown: drawn } = useTiles<HTMLDivElement>(ratios, useTileLayout());
  const layout = useMemo(() => withoutFirst(whole, first.length), [whole, first.length]);
  const shown = drawn.flatMap((index) => (index < first.length ? [] : [index - first.length]));
  const isAtEnd = (shown.at(-1) ?? 0) >= items.length - 1 && items.length > 0;
  useEffect(() => {
    if (isAtEnd) onEnd?.();
  }, [isAtEnd, onEnd]);
  return { ref, whole, layout, shown };
}

/** Effects of a press on a tile, and of dragging it. */
function usePresses<T extends GridItem>(
  { selection, dragLabel, onSelect, onOpen }: MediaGridProps<T>,
  order: readonly number[],
  setActive: (id: number) => void,
) {
  const latest = useLatest({ selection, order, dragLabel });
  const onPress = useCallback(
    (id: number, { shiftKey, ctrlKey, metaKey }: KeysHeld, onCheck: boolean) => {
      setActive(id);
      const isChoosing = latest.current.selection.ids.size > 0;
      if (shiftKey) onSelect((before) => extended(before, id, latest.current.order));
      else if (onCheck || isChoosing || ctrlKey || metaKey) onSelect((before) => toggled(before, id));
      else onOpen(id);
    },
    [latest, setActive, onSelect, onOpen],
  );
  const dragOf = useCallback(
    (item: T): Drag => {
      const { ids } = latest.current.selection;
      const dragged = ids.has(item.id) ? [...ids] : [item.id];
      return { cargo: { kind: 'media', ids: dragged }, label: latest.current.dragLabel!(item, dragged.length) };
    },
    [latest],
  );
  return { onPress, dragOf: dragLabel && dragOf };
}

interface OverProps {
  readonly place: Place | undefined;
  readonly content: ReactNode;
  readonly list: RefObject<HTMLElement | null>;
}

/** Content over a tile. The list takes the focus back from it. */
function Over({ place, content, list }: OverProps) {
  useEffect(
    () => () => {
      if (document.activeElement === document.body) list.current?.focus({ preventScroll: true });
    },
    [list],
  );
  return <div className={classes.over} style={styleOf(place)} children={content} />;
}

function FirstTiles({ tiles, places }: { readonly tiles: readonly FirstTile[]; readonly places: readonly Place[] }) {
  return (
    <ul className={classes.first}>
      {tiles.map(({ key, label, content }, at) => (
        <li key={key} className={classes.firstTile} style={styleOf(places[at])}>
          <article aria-label={label}>{content}</article>
        </li>
      ))}
    </ul>
  );
}

/** Absent places are those of a grid whose width is not known yet. */
function styleOf(place: Place | undefined) {
  if (!place) return { display: 'none' };
  return { width: place.width, height: place.height, transform: `translate(${place.x}px, ${place.y}px)` };
}

/** A line between two tiles. */
function gapStyle(place: Place | undefined, isAfter: boolean) {
  return styleOf(place && { ...place, x: place.x + (isAfter ? place.width + 4 : -8), width: 4 });
}

interface KeysOptions extends Pick<MediaGridProps<GridItem>, 'selection' | 'onSelect' | 'onOpen' | 'actions'> {
  readonly order: readonly number[];
  readonly layout: Layout;
  readonly active: number;
  readonly activate: (index: number) => void;
}

/** @returns a handler that activates another tile, or runs the action of a key */
function useKeysOn({ order, layout, active, activate, selection, onSelect, onOpen, actions }: KeysOptions) {
  const runOf = ({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): (() => void) | undefined => {
    const id = order[active];
    if (id === undefined) return undefined;
    const act = actions[altKey ? `Alt+${key}` : key];
    const acting = act && (() => act(selection.ids.size > 0 ? [...selection.ids] : [id]));
    if (altKey && acting) {
      return () => {
        activate(active);
        acting();
        followTile(id);
      };
    }
    if (altKey) return undefined;
    if (ctrlKey || metaKey) return key === 'a' ? () => onSelect(() => allOf(order)) : undefined;
    const next = nextOf(key, layout, active, order.length);
    if (next !== null) {
      return () => {
        if (shiftKey)
          onSelect((before) => extended(before.anchor === null ? toggled(before, id) : before, order[next]!, order));
        if (next !== active) activate(next);
      };
    }
    if (key === 'Escape' && selection.ids.size > 0) return () => onSelect(() => NOTHING);
    if (key === ' ' && shiftKey) return () => onSelect((before) => extended(before, id, order));
    if (key === ' ' || key === 'Enter') return () => onOpen(id);
    if (key === 'x') return () => onSelect((before) => toggled(before, id));
    return acting;
  };
  return (event: KeyboardEvent) => {
    const run = runOf(event);
    if (!run) return;
    event.preventDefault();
    run();
  };
}

function nextOf(key: string, layout: Layout, active: number, count: number): number | null {
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  const direction = ARROWS[key];
  return direction && layout.places[active] ? neighbour(layout, active, direction) : null;
}

/** Scrolls to a tile once it is where an action has put it. */
function followTile(id: number): void {
  requestAnimationFrame(() => document.getElementById(tileId(id))?.scrollIntoView({ block: 'nearest' }));
}

/** Scrolls the active tile into view, clear of the bars of a phone. */
function scrollToTile(list: HTMLElement | null, { places }: Layout, index: number): void {
  const place = places[index];
  if (!list || !place) return;
  const margin = 90;
  const top = list.getBoundingClientRect().top + place.y;
  if (top < margin) scrollBy({ top: top - margin });
  const below = top + place.height - (innerHeight - margin);
  if (below > 0) scrollBy({ top: Math.min(below, top - margin) });
}
