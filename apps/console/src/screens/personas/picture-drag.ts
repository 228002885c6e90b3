import {
  draggable,
  dropTargetForElements,
  monitorForElements,
} from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { type RefObject, useEffect, useState } from 'react';
import { useLatest } from '../../state/index.ts';

/** A picture of the page that is being dragged. */
export interface DraggedPicture {
  readonly url: string;
  /** Set if the picture is a slot or like of this persona. */
  readonly trainingId?: number;
  readonly slot?: number | null;
}

const PICTURE = 'picture';

function pictureIn(data: Record<string, unknown>): DraggedPicture | undefined {
  return data[PICTURE] as DraggedPicture | undefined;
}

/** Makes a picture draggable to slots and likes. */
export function useDraggablePicture(element: RefObject<HTMLElement | null>, picture: DraggedPicture | null): void {
  const latest = useLatest(picture);
  const isThere = picture !== null;
  useEffect(() => {
    if (!element.current || !isThere) return undefined;
    return draggable({ element: element.current, getInitialData: () => ({ [PICTURE]: latest.current }) });
  }, [element, isThere, latest]);
}

/** Accepts drops of pictures of the page. @returns whether a picture is over the element */
export function usePictureTarget(
  element: RefObject<HTMLElement | null>,
  accepts: (picture: DraggedPicture) => boolean,
  onPicture: (picture: DraggedPicture) => void,
): boolean {
  const [isOver, setOver] = useState(false);
  const latest = useLatest({ accepts, onPicture });
  useEffect(() => {
    if (!element.current) return undefined;
    return dropTargetForElements({
      element: element.current,
      canDrop: ({ source }) => {
        const picture = pictureIn(source.data);
        return picture !== undefined && latest.current.accepts(picture);
      },
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: ({ source }) => {
        setOver(false);
        latest.current.onPicture(pictureIn(source.data)!);
      },
    });
  }, [element, latest]);
  return isOver;
}

/** Reports whether a picture of the page is being dragged, so that drop targets can be shown. */
export function usePictureInHand(): boolean {
  const [isInHand, setInHand] = useState(false);
  useEffect(
    () =>
      monitorForElements({
        canMonitor: ({ source }) => pictureIn(source.data) !== undefined,
        onDragStart: () => setInHand(true),
        onDrop: () => setInHand(false),
      }),
    [],
  );
  return isInHand;
}
