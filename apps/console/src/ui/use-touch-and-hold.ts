import { useLongPress } from '@mantine/hooks';
import { type MouseEvent, type TouchEvent, useRef } from 'react';

/** Milliseconds after the end of a touch in which browsers send a click. */
const CLICK_FOLLOWS = 400;

/** Event handlers for touch and hold. The click that browsers send at the end is suppressed. */
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
