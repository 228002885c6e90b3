import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { type RefObject, useEffect, useState } from 'react';
import { useLatest } from '../../state/index.ts';
import { useFileTarget } from '../../uploads/index.ts';

/** The dragged items: media, or a folder. */
export type Cargo =
  | { readonly kind: 'media'; readonly ids: readonly number[] }
  | { readonly kind: 'folder'; readonly id: number };

/** Handlers for drops on a folder, or on the board's root. */
export interface DropHandlers {
  readonly accepts: (cargo: Cargo, folderId: number | null) => boolean;
  readonly onDrop: (cargo: Cargo, folderId: number | null) => void;
  readonly onFiles: (files: readonly File[], folderId: number | null) => void;
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
