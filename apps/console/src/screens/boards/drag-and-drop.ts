import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { setCustomNativeDragPreview } from '@atlaskit/pragmatic-drag-and-drop/element/set-custom-native-drag-preview';
import { pointerOutsideOfPreview } from '@atlaskit/pragmatic-drag-and-drop/element/pointer-outside-of-preview';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useFileTarget } from '../../uploads/index.ts';

/** What is dragged over folders: media, or a folder. */
export type Cargo =
  { readonly kind: 'media'; readonly ids: readonly number[] } | { readonly kind: 'folder'; readonly id: number };

/** What becomes of what is dropped on a folder, or on the board's root. */
export interface DropHandlers {
  readonly accepts: (cargo: Cargo, folderId: number | null) => boolean;
  readonly onDrop: (cargo: Cargo, folderId: number | null) => void;
  readonly onFiles: (files: readonly File[], folderId: number | null) => void;
}

/**
 * Lets an element be dragged.
 *
 * @param cargo asked when the drag begins
 * @param label says under the pointer what is dragged
 */
export function useDrag(element: RefObject<HTMLElement | null>, cargo: () => Cargo, label: () => string): void {
  const latest = useRef({ cargo, label });
  useEffect(() => {
    latest.current = { cargo, label };
  });
  useEffect(() => {
    if (!element.current) return undefined;
    return draggable({
      element: element.current,
      getInitialData: () => ({ ...latest.current.cargo() }),
      onGenerateDragPreview: ({ nativeSetDragImage }) =>
        setCustomNativeDragPreview({
          nativeSetDragImage,
          getOffset: pointerOutsideOfPreview({ x: '12px', y: '12px' }),
          render: ({ container }) => container.append(badge(latest.current.label())),
        }),
    });
  }, [element]);
}

/** Styled by hand: the browser takes its picture before styles of the page reach it. */
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

/** Lets media, folders and files be dropped on a folder. @returns whether something acceptable is over it */
export function useFolderTarget(
  element: RefObject<HTMLElement | null>,
  folderId: number | null,
  handlers: DropHandlers,
): boolean {
  const [isOver, setOver] = useState(false);
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  useEffect(() => {
    if (!element.current) return undefined;
    const cargoOf = ({ source }: { readonly source: { readonly data: object } }) => source.data as Cargo;
    return dropTargetForElements({
      element: element.current,
      canDrop: (drag) => latest.current.accepts(cargoOf(drag), folderId),
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: (drag) => {
        setOver(false);
        latest.current.onDrop(cargoOf(drag), folderId);
      },
    });
  }, [element, folderId]);
  const hasFiles = useFileTarget(element, (files) => handlers.onFiles(files, folderId));
  return isOver || hasFiles;
}
