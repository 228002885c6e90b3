import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react';

const HOLD_MS = 400;
/** CSS pixels that a finger which holds may move. */
const STILL = 10;
const NONE = { timer: 0, x: 0, y: 0, isHeld: false };

/**
 * Event handlers for touch and hold. The click that browsers send at the end is suppressed. By pointer events: a list that
 * changes may replace what is under the finger, and the end of a touch would reach only what was replaced.
 */
export function useTouchAndHold(onHold: (event: PointerEvent) => void) {
  const touch = useRef(NONE);
  const end = () => clearTimeout(touch.current.timer);
  useEffect(() => end, []);
  return {
    onPointerDown: (event: PointerEvent) => {
      end();
      touch.current = NONE;
      if (event.pointerType !== 'touch') return;
      const timer = window.setTimeout(() => {
        touch.current.isHeld = true;
        onHold(event);
      }, HOLD_MS);
      touch.current = { timer, x: event.clientX, y: event.clientY, isHeld: false };
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      if (Math.hypot(clientX - touch.current.x, clientY - touch.current.y) > STILL) end();
    },
    onPointerUp: end,
    onPointerCancel: end,
    onClickCapture: (event: MouseEvent) => {
      // A key's click has no detail.
      if (!touch.current.isHeld || event.detail === 0) return;
      touch.current = NONE;
      event.preventDefault();
      event.stopPropagation();
    },
    onContextMenu: (event: MouseEvent) => {
      if ((event.nativeEvent as globalThis.PointerEvent).pointerType === 'touch') event.preventDefault();
    },
  };
}
