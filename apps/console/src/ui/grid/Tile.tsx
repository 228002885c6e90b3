import { Check } from 'lucide-react';
import { memo, type ReactNode, useRef } from 'react';
import { useTouchAndHold } from '../use-touch-and-hold.ts';
import type { Place } from './columns.ts';
import classes from './MediaGrid.module.css';
import type { Drag } from './draggable.ts';
import { useDrag } from './use-drag.ts';

/** An item of a grid. */
export interface GridItem {
  /** Unique in the grid. */
  readonly id: number;
}

/** How items of a grid look. Define it outside of components. */
export interface Look<T extends GridItem> {
  /** Label of a tile for screen readers. */
  readonly describe: (item: T) => string;
  /** The name that is shown while the pointer or the keys are on a tile. */
  readonly nameOf: (item: T) => string;
  /** Height by width. */
  readonly ratioOf: (item: T) => number;
  /** @param width of the tile in CSS pixels */
  readonly content: (item: T, width: number) => ReactNode;
}

/** The keys that are down while a tile is pressed. */
export interface KeysHeld {
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

interface TileProps<T extends GridItem> {
  readonly item: T;
  readonly look: Look<T>;
  readonly place: Place;
  readonly position: number;
  readonly count: number;
  readonly isSelected: boolean;
  /** True if keys act on this tile. */
  readonly isActive: boolean;
  readonly onPress: (id: number, keys: KeysHeld, onCheck: boolean) => void;
  /** Null in a grid whose tiles can't be dragged. */
  readonly dragOf: ((item: T) => Drag) | null;
}

function PlainTile<T extends GridItem>(props: TileProps<T>) {
  const { item, look, place, position, count, isSelected, isActive, onPress, dragOf } = props;
  const element = useRef<HTMLDivElement>(null);
  const hold = useTouchAndHold((event) => onPress(item.id, event, true));
  useDrag(element, dragOf && (() => dragOf(item)));
  return (
    <div
      ref={element}
      id={tileId(item.id)}
      role="option"
      aria-selected={isSelected}
      aria-label={look.describe(item)}
      aria-setsize={count}
      aria-posinset={position + 1}
      className={classes.tile}
      data-name={look.nameOf(item) || undefined}
      data-active={isActive || undefined}
      data-selected={isSelected || undefined}
      style={{ width: place.width, height: place.height, transform: `translate(${place.x}px, ${place.y}px)` }}
      onClick={(event) => onPress(item.id, event, false)}
      {...hold}
    >
      {look.content(item, place.width)}
      <span
        className={classes.check}
        aria-hidden
        onClick={(event) => {
          event.stopPropagation();
          onPress(item.id, event, true);
        }}
      >
        <Check size={15} strokeWidth={3} />
      </span>
    </div>
  );
}

export const Tile = memo(PlainTile) as typeof PlainTile;

export const tileId = (id: number) => `media-${id}`;
