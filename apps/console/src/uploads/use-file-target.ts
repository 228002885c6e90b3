import { dropTargetForExternal, monitorForExternal } from '@atlaskit/pragmatic-drag-and-drop/external/adapter';
import { containsFiles } from '@atlaskit/pragmatic-drag-and-drop/external/file';
import { type RefObject, useEffect, useState } from 'react';
import { useLatest } from '../state/index.ts';
import { notifyError } from '../ui/index.ts';
import { droppedFiles } from './dropped-files.ts';

/**
 * Accepts drops of files and folders on an element. Of nested elements the innermost accepts them.
 *
 * @returns whether files are over it
 */
export function useFileTarget(element: RefObject<HTMLElement | null>, onFiles: (files: File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const take = useLatest(onFiles);
  useEffect(() => {
    if (!element.current) return undefined;
    return dropTargetForExternal({
      element: element.current,
      canDrop: containsFiles,
      onDropTargetChange: (drag) => setOver(isInnermost(drag)),
      onDrop: (drag) => {
        setOver(false);
        if (isInnermost(drag)) droppedFiles(drag.source.items).then((files) => take.current(files), notifyError);
      },
    });
  }, [element, take]);
  return isOver;
}

interface Drag {
  readonly self: { readonly element: Element };
  readonly location: { readonly current: { readonly dropTargets: readonly { readonly element: Element }[] } };
}

function isInnermost({ self, location }: Drag): boolean {
  return location.current.dropTargets[0]?.element === self.element;
}

/** Reports whether files are being dragged over the page, so that drop targets can be shown. */
export function useFilesInHand(): boolean {
  const [isInHand, setInHand] = useState(false);
  useEffect(
    () =>
      monitorForExternal({
        canMonitor: containsFiles,
        // Not `onDragStart`, which a component that is mounted during the drag would miss.
        onDrag: () => setInHand(true),
        onDrop: () => setInHand(false),
      }),
    [],
  );
  return isInHand;
}
