import { type KeyboardEvent, useEffect, useState } from 'react';
import { isTyping } from '../../shell/index.ts';
import { useLatest } from '../../state/index.ts';
import { frameOf, middlePart, nudged, panned, type Point, type Rect, type Sides, type Size } from './geometry.ts';
import type { Tool } from './tools.ts';
import type { Viewport } from './viewport.ts';

/** Actions of keys wherever the focus is. */
export type KeyActions = Readonly<Record<string, (() => void) | undefined>>;

/** By the key, with `ctrl+` and `shift+` before it. Keys that are typed into a field are left alone. */
export function useEditorKeys(actions: KeyActions): void {
  const latest = useLatest(actions);
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => {
      if (event.altKey || event.defaultPrevented || isTyping(event.target)) return;
      const isChord = event.ctrlKey || event.metaKey;
      const key = event.key.toLowerCase();
      // Signs have their place on other keys in each layout, so Shift counts only with Ctrl.
      const name = isChord ? `ctrl+${event.shiftKey ? 'shift+' : ''}${key}` : key;
      const act = latest.current[name];
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [latest]);
}

const ARROWS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowRight: { x: 1, y: 0 },
  ArrowDown: { x: 0, y: 1 },
};
const SIDE_OF: Readonly<Record<string, keyof Sides>> = {
  ArrowLeft: 'left',
  ArrowUp: 'top',
  ArrowRight: 'right',
  ArrowDown: 'bottom',
};
/** Pixels of the screen that an arrow key moves the picture. */
const PAN = 60;
/** Shares of the longest side. */
const RECTANGLE_STEP = 1 / 50;
const SIDE_STEP = 1 / 16;

interface StageKeys {
  readonly tool: Tool;
  readonly size: Size;
  readonly sides: Sides;
  readonly viewport: Viewport;
  readonly onRectangle: (rectangle: Rect) => void;
  readonly onPull: (change: Partial<Sides>) => void;
}

/**
 * Keys of the focused picture: with the rectangle, arrows move it, with Shift they change its size, with Alt by single
 * pixels, and Enter marks it; with the frame, arrows extend a side and with Shift take it back; else they move the picture.
 */
export function useStageKeys({ tool, size, sides, viewport, onRectangle, onPull }: StageKeys) {
  const [rectangle, setRectangle] = useState<Rect | null>(null);
  const shown = tool === 'rectangle' ? rectangle : null;
  const longest = Math.max(size.width, size.height);
  const bounds = frameOf(size, sides);
  const move = (direction: Point, { shiftKey, altKey }: KeyboardEvent) => {
    if (!shown) return setRectangle(middlePart(bounds));
    const step = altKey ? 1 : Math.max(1, Math.round(longest * RECTANGLE_STEP));
    const by = { x: direction.x * step, y: direction.y * step };
    setRectangle(nudged(shown, by, bounds, shiftKey ? 'size' : 'all'));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.target !== event.currentTarget) return;
    const direction = ARROWS[event.key];
    if (direction && tool === 'rectangle') move(direction, event);
    else if (direction && tool === 'extend') {
      const side = SIDE_OF[event.key]!;
      const step = Math.max(1, Math.round(longest * SIDE_STEP)) * (event.shiftKey ? -1 : 1);
      onPull({ [side]: sides[side] + step });
    } else if (direction) {
      viewport.see(panned(viewport.view.get(), { x: -direction.x * PAN, y: -direction.y * PAN }));
    } else if (event.key === 'Enter' && tool === 'rectangle') {
      if (shown) onRectangle(shown);
      setRectangle(shown ? null : middlePart(bounds));
    } else if (event.key === 'Escape' && shown) setRectangle(null);
    else return;
    event.preventDefault();
  };
  return { rectangle: shown, onKeyDown };
}
