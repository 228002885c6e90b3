import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { setCustomNativeDragPreview } from '@atlaskit/pragmatic-drag-and-drop/element/set-custom-native-drag-preview';
import { pointerOutsideOfPreview } from '@atlaskit/pragmatic-drag-and-drop/element/pointer-outside-of-preview';
import { type RefObject, useEffect, useState } from 'react';
import { useLatest } from '../../state/index.ts';
import { useFileTarget } from '../../uploads/index.ts';

/** The dragged items: media, or a folder. */
export type Cargo =
  { readonly kind: 'media'; readonly ids: readonly number[] } | { readonly kind: 'folder'; readonly id: number };

/** Handlers for drops on a folder, or on the board's root. */
export interface DropHandlers {
  readonly accepts: (cargo: Cargo, folderId: number | null) => boolean;
  readonly onDrop: (cargo: Cargo, folderId: number | null) => void;
  readonly onFiles: (files: readonly File[], folderId: number | null) => void;
}

/**
 * Makes an element draggable.
 *
 * @param cargo called when the drag begins
 * @param label the text shown at the pointer
 */
export function useDrag(element: RefObject<HTMLElement | null>, cargo: () => Cargo, label: () => string): void {
  const latest = useLatest({ cargo, label });
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
  }, [element, latest]);
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

/** Accepts drops of media, folders and files on a folder. @returns whether an acceptable item is over the folder */
export function useFolderTarget(
  element: RefObject<HTMLElement | null>,
  folderId: number | null,
  handlers: DropHandlers,
): boolean {
  const [isOver, setOver] = useState(false);
  const latest = useLatest(handlers);
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
  }, [element, folderId, latest]);
  const hasFiles = useFileTarget(element, (files) => handlers.onFiles(files, folderId));
  return isOver || hasFiles;
}
