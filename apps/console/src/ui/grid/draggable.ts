import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { setCustomNativeDragPreview } from '@atlaskit/pragmatic-drag-and-drop/element/set-custom-native-drag-preview';
import { pointerOutsideOfPreview } from '@atlaskit/pragmatic-drag-and-drop/element/pointer-outside-of-preview';
import type { Point } from './band.ts';

/** The dragged items. */
export interface Drag {
  readonly cargo: Readonly<Record<string, unknown>>;
  /** The text shown at the pointer. */
  readonly label: string;
}

/** @returns a function that ends it */
export function makeDraggable(element: HTMLElement, drag: () => Drag): () => void {
  return draggable({
    element,
    getInitialData: () => ({ ...drag().cargo }),
    onGenerateDragPreview: ({ nativeSetDragImage }) =>
      setCustomNativeDragPreview({
        nativeSetDragImage,
        getOffset: pointerOutsideOfPreview({ x: '12px', y: '12px' }),
        render: ({ container }) => container.append(badge(drag().label)),
      }),
  });
}

interface Drops {
  /** @param point from the top left of the element; null when the items leave it */
  readonly onMove: (point: Point | null) => void;
  readonly onDrop: (ids: readonly number[], point: Point) => void;
}

/** Accepts dropped items. @returns a function that ends it */
export function acceptDrops(element: HTMLElement, { onMove, onDrop }: Drops): () => void {
  type Drop = Parameters<NonNullable<Parameters<typeof dropTargetForElements>[0]['onDrop']>>[0];
  const pointIn = ({ location }: Drop): Point => {
    const { left, top } = element.getBoundingClientRect();
    const { clientX, clientY } = location.current.input;
    return { x: clientX - left, y: clientY - top };
  };
  return dropTargetForElements({
    element,
    canDrop: ({ source }) => source.data.kind === 'media',
    onDrag: (drop) => onMove(pointIn(drop)),
    onDragLeave: () => onMove(null),
    onDrop: (drop) => {
      onMove(null);
      onDrop(drop.source.data.ids as readonly number[], pointIn(drop));
    },
  });
}

/** Has inline styles, because the browser takes its picture before the style sheets apply. */
function badge(text: string): HTMLElement {
  const element = document.createElement('div');
  element.textContent = text;
  Object.assign(element.style, {
    maxWidth: '260px',
    padding: '8px 14px',
    overflow: 'hidden',
    borderRadius: '10px',
    background: '#0c675d',
    color: '#fff',
    font: '600 14px Figtree, sans-serif',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
  });
  return element;
}
