import { dropTargetForExternal, monitorForExternal } from '@atlaskit/pragmatic-drag-and-drop/external/adapter';
import { containsFiles } from '@atlaskit/pragmatic-drag-and-drop/external/file';
import { type RefObject, useEffect, useState } from 'react';
import { useLatest } from '../state/index.ts';
import { notifyError } from '../ui/index.ts';

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

/** The files of a drop and of its folders, without hidden files. Call it synchronously in the drop handler. */
async function droppedFiles(items: Iterable<DataTransferItem>): Promise<File[]> {
  // After the first `await` the items are empty.
  const dropped = [...items]
    .filter(({ kind }) => kind === 'file')
    .map((item) => item.webkitGetAsEntry() ?? item.getAsFile());
  const files = await Promise.all(dropped.filter((each) => each !== null).map(filesIn));
  return files.flat().filter(({ name }) => !name.startsWith('.'));
}

async function filesIn(dropped: File | FileSystemEntry): Promise<File[]> {
  if (dropped instanceof File) return [dropped];
  if (dropped.isFile) return [await new Promise<File>((...done) => (dropped as FileSystemFileEntry).file(...done))];
  const entries = await entriesOf((dropped as FileSystemDirectoryEntry).createReader());
  return (await Promise.all(entries.map(filesIn))).flat();
}

/** Reads all entries of a folder. Browsers return some at a time, and none at the end. */
async function entriesOf(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const entries: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((...done) => reader.readEntries(...done));
    if (some.length === 0) return entries;
    entries.push(...some);
  }
}
