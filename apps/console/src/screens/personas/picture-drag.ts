import {
  draggable,
  dropTargetForElements,
  monitorForElements,
} from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { type RefObject, useEffect, useRef, useState } from 'react';

/** A picture of the page in somebody's hand. */
export interface DraggedPicture {
  readonly url: string;
  /** Of a slot or a like of this persona. */
  readonly trainingId?: number;
  readonly slot?: number | null;
}

const PICTURE = 'picture';

function pictureIn(data: Record<string, unknown>): DraggedPicture | undefined {
  return data[PICTURE] as DraggedPicture | undefined;
}

/** Lets a picture be dragged to slots and likes. */
export function useDraggablePicture(element: RefObject<HTMLElement | null>, picture: DraggedPicture | null): void {
  const current = useCurrent(picture);
  const isThere = picture !== null;
  useEffect(() => {
    if (!element.current || !isThere) return undefined;
    return draggable({ element: element.current, getInitialData: () => ({ [PICTURE]: current.current }) });
  }, [element, isThere, current]);
}

/** Takes pictures of the page. @returns whether one is over it */
export function usePictureTarget(
  element: RefObject<HTMLElement | null>,
  accepts: (picture: DraggedPicture) => boolean,
  onPicture: (picture: DraggedPicture) => void,
): boolean {
  const [isOver, setOver] = useState(false);
  const current = useCurrent({ accepts, onPicture });
  useEffect(() => {
    if (!element.current) return undefined;
    return dropTargetForElements({
      element: element.current,
      canDrop: ({ source }) => {
        const picture = pictureIn(source.data);
        return picture !== undefined && current.current.accepts(picture);
      },
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: ({ source }) => {
        setOver(false);
        current.current.onPicture(pictureIn(source.data)!);
      },
    });
  }, [element, current]);
  return isOver;
}

/** Whether a picture of the page is being dragged: the time to show where it can be dropped. */
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

function useCurrent<T>(value: T): RefObject<T> {
  const current = useRef(value);
  useEffect(() => {
    current.current = value;
  });
  return current;
}
