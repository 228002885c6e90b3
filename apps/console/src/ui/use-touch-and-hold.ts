import { useLongPress } from '@mantine/hooks';
import { type MouseEvent, type TouchEvent, useRef } from 'react';

/** Milliseconds after a finger is lifted in which browsers make a click of the touch. */
const CLICK_FOLLOWS = 400;

/** Handlers of an element that is touched and held: the tap that this may end with does nothing more. */
export function useTouchAndHold(onHold: (event: TouchEvent) => void) {
  const releasedAt = useRef(-Infinity);
  const hold = useLongPress((event) => onHold(event as TouchEvent), {
    events: ['touch'],
    cancelOnMove: true,
    onFinish: () => (releasedAt.current = performance.now()),
  });
  return {
    ...hold,
    onClickCapture: (event: MouseEvent) => {
      if (performance.now() - releasedAt.current > CLICK_FOLLOWS) return;
      event.preventDefault();
      event.stopPropagation();
    },
    onContextMenu: (event: MouseEvent) => {
      if ((event.nativeEvent as PointerEvent).pointerType === 'touch') event.preventDefault();
    },
  };
}
