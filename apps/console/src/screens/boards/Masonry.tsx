import { type KeyboardEvent, useCallback, useMemo, useState } from 'react';
import type { MediaDto } from '../../api/index.ts';
import { useLatest } from '../../state/index.ts';
import { words } from '../../words.ts';
import { type Direction, type Layout, neighbour } from './columns.ts';
import { type KeysHeld, MediaTile, tileId } from './MediaTile.tsx';
import classes from './MediaTile.module.css';
import { allOf, extended, NOTHING, type Selection, toggled } from './selection.ts';
import { useTiles } from './use-tiles.ts';

const TILES = { gap: 12, column: (width: number) => (width < 500 ? 150 : 215) };
/** Limits of the height of a tile by its width: pictures beyond them are cropped. */
const FLATTEST = 0.4;
const TALLEST = 2;
const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
};

interface MasonryProps {
  readonly media: readonly MediaDto[];
  readonly selection: Selection;
  readonly onSelect: (change: (before: Selection) => Selection) => void;
  readonly onOpen: (id: number) => void;
  readonly onDelete: (ids: readonly number[]) => void;
  readonly onMove: (ids: readonly number[]) => void;
}

/** Media in columns. They are opened and selected by pointer or keys, and dragged to folders. */
export function Masonry({ media, selection, onSelect, onOpen, onDelete, onMove }: MasonryProps) {
  const ratios = useMemo(() => media.map(ratioOf), [media]);
  const { ref, layout, shown } = useTiles<HTMLDivElement>(ratios, TILES);
  const order = useMemo(() => media.map(({ id }) => id), [media]);
  const [activeId, setActive] = useState<number | null>(null);
  const active = Math.max(0, activeId === null ? 0 : order.indexOf(activeId));
  const keys = useKeysOn({ order, layout, active, selection, onSelect, onOpen, onDelete, onMove });

  const activate = (index: number) => {
    setActive(order[index] ?? null);
    scrollToTile(ref.current, layout, index);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = keys(event);
    if (next === null) return;
    event.preventDefault();
    if (next !== active) activate(next);
  };

  const latest = useLatest({ selection, order });
  const onPress = useCallback(
    (id: number, { shiftKey, ctrlKey, metaKey }: KeysHeld, onCheck: boolean) => {
      setActive(id);
      const isChoosing = latest.current.selection.ids.size > 0;
      if (shiftKey) onSelect((before) => extended(before, id, latest.current.order));
      else if (onCheck || isChoosing || ctrlKey || metaKey) onSelect((before) => toggled(before, id));
      else onOpen(id);
    },
    [latest, onSelect, onOpen],
  );
  const draggedWith = useCallback(
    (id: number) => {
      const { ids } = latest.current.selection;
      return ids.has(id) ? [...ids] : [id];
    },
    [latest],
  );

  return (
    <div
      ref={ref}
      role="listbox"
      tabIndex={0}
      aria-label={words.boards.mediaList}
      aria-description={words.boards.keys}
      aria-multiselectable
      aria-activedescendant={shown.includes(active) ? tileId(order[active]!) : undefined}
      className={classes.list}
      data-choosing={selection.ids.size > 0 || undefined}
      style={{ height: layout.height }}
      onKeyDown={onKeyDown}
    >
      {shown.map((index) => (
        <MediaTile
          key={order[index]}
          media={media[index]!}
          place={layout.places[index]!}
          position={index}
          count={media.length}
          isSelected={selection.ids.has(order[index]!)}
          isActive={index === active}
          onPress={onPress}
          draggedWith={draggedWith}
        />
      ))}
    </div>
  );
}

interface KeysOptions extends Omit<MasonryProps, 'media'> {
  readonly order: readonly number[];
  readonly layout: Layout;
  readonly active: number;
}

/** @returns a handler that runs the action of a key and returns the tile to activate; null for other keys */
function useKeysOn({ order, layout, active, selection, onSelect, onOpen, onDelete, onMove }: KeysOptions) {
  return ({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): number | null => {
    const id = order[active];
    if (id === undefined || altKey) return null;
    const chosen = selection.ids.size > 0 ? [...selection.ids] : [id];
    if (ctrlKey || metaKey) {
      if (key !== 'a') return null;
      onSelect(() => allOf(order));
      return active;
    }
    const next = nextOf(key, layout, active, order.length);
    if (next !== null) {
      if (shiftKey)
        onSelect((before) => extended(before.anchor === null ? toggled(before, id) : before, order[next]!, order));
      return next;
    }
    const actions: Record<string, () => void> = {
      ' ': () => onSelect((before) => (shiftKey ? extended(before, id, order) : toggled(before, id))),
      Enter: () => onOpen(id),
      Delete: () => onDelete(chosen),
      Backspace: () => onDelete(chosen),
      m: () => onMove(chosen),
    };
    if (key === 'Escape' && selection.ids.size > 0) actions.Escape = () => onSelect(() => NOTHING);
    if (!actions[key]) return null;
    actions[key]();
    return active;
  };
}

function nextOf(key: string, layout: Layout, active: number, count: number): number | null {
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  const direction = ARROWS[key];
  return direction && layout.places[active] ? neighbour(layout, active, direction) : null;
}

function ratioOf({ width, height, state }: MediaDto): number {
  if (state !== 'processed' || !width || !height) return 1;
  return Math.min(TALLEST, Math.max(FLATTEST, height / width));
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
