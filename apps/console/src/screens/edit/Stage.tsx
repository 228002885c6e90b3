import { VisuallyHidden } from '@mantine/core';
import { type PointerEvent, type Ref, type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useLatest } from '../../state/index.ts';
import { CanvasState } from './canvas-state.ts';
import { frameOf, type Point } from './geometry.ts';
import { Overlay } from './Overlay.tsx';
import { PointerTools } from './pointer-tools.ts';
import classes from './Stage.module.css';
import type { Editing } from './use-editing.ts';
import type { useStageKeys } from './use-keys.ts';
import type { Viewport } from './viewport.ts';
import { words } from './words.ts';

interface StageProps {
  readonly editing: Editing;
  readonly keys: ReturnType<typeof useStageKeys>;
}

/** The colour of what is marked; the style sheet makes it half transparent. */
const TINT = '#e5254f';
/** The share that a notch of the wheel zooms. */
const WHEEL = 0.0016;
const text = words.stage;

/** The picture with its mask, on which pointers draw. Over a result they only move it. */
export function Stage({ editing, keys }: StageProps) {
  const { viewport, size, tool, isErasing, canDraw, drawing, result } = editing;
  const stage = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const paper = useRef<HTMLDivElement>(null);
  const cursor = useRef<HTMLSpanElement>(null);
  const instructions = useId();
  const isMoving = useSpaceBar() || !canDraw;
  const canvasState = useCanvasState(stage, canvas, viewport);
  const pointerTools = usePointerTools(editing, isMoving, canvasState);
  useWheel(stage, viewport);
  useView(editing, canvasState, paper, cursor);

  const hasCursor = !isMoving && (tool === 'brush' || tool === 'eraser');
  return (
    <div
      ref={stage}
      className={classes.stage}
      data-tool={isMoving ? 'move' : tool}
      role="application"
      aria-label={text.label}
      aria-describedby={instructions}
      tabIndex={0}
      onKeyDown={keys.onKeyDown}
      onPointerDown={(event) => pointerTools.down(event)}
      onPointerMove={(event) => {
        follow(event, cursor.current!);
        pointerTools.move(event);
      }}
      onPointerUp={(event) => pointerTools.up(event)}
      onPointerCancel={(event) => pointerTools.up(event)}
      onContextMenu={(event) => event.preventDefault()}
    >
      <Paper ref={paper} editing={editing} />
      <canvas
        ref={canvas}
        className={classes.mask}
        data-hidden={result.output !== undefined || undefined}
        aria-hidden
      />
      <Overlay
        viewport={viewport}
        size={size}
        sides={drawing.sides}
        hasHandles={canDraw && tool === 'extend'}
        rectangle={keys.rectangle}
        divider={result.output ? result.hidden : null}
      />
      <span
        ref={cursor}
        className={classes.cursor}
        data-shown={hasCursor || undefined}
        data-erasing={isErasing || undefined}
      />
      <VisuallyHidden id={instructions}>{text.instructions[canDraw ? tool : 'result']}</VisuallyHidden>
    </div>
  );
}

interface PaperProps {
  readonly ref: Ref<HTMLDivElement>;
  readonly editing: Editing;
}

/** The picture in its frame, and over it the part of the result that is not hidden. */
function Paper({ ref, editing: { edited, size, drawing, result } }: PaperProps) {
  const { x, y, width, height } = frameOf(size, drawing.sides);
  const frame = { left: x, top: y, width, height };
  const { output, hidden } = result;
  const whole = { width: '100%', height: '100%' };
  return (
    <div ref={ref} className={classes.paper} style={{ width: size.width, height: size.height }}>
      <span className={classes.frame} style={frame} />
      <img src={edited.url} alt="" draggable={false} className={classes.picture} style={whole} />
      {output && (
        <img
          src={output.url}
          alt=""
          draggable={false}
          className={classes.picture}
          style={{ ...frame, clipPath: `inset(0 0 0 ${hidden * 100}%)` }}
        />
      )}
    </div>
  );
}

/** Moves the picture, its mask and the circle of the brush with the view, without rendering them again. */
function useView(
  { viewport, plan, objects: { masks }, brush }: Editing,
  canvasState: RefObject<CanvasState | null>,
  paper: RefObject<HTMLDivElement | null>,
  cursor: RefObject<HTMLSpanElement | null>,
): void {
  useEffect(() => {
    const show = () => {
      const view = viewport.view.get();
      paper.current!.style.setProperty('transform', `translate(${view.x}px, ${view.y}px) scale(${view.scale})`);
      cursor.current!.style.setProperty('--size', `${Math.max(4, brush * view.scale)}px`);
      canvasState.current?.show({ view, plan, masks });
    };
    canvasState.current?.draw(null);
    show();
    return viewport.view.subscribe(show);
  }, [viewport, plan, masks, brush, canvasState, paper, cursor]);
}

/** Draws the mask at the size of the stage. */
function useCanvasState(
  stage: RefObject<HTMLDivElement | null>,
  canvas: RefObject<HTMLCanvasElement | null>,
  viewport: Viewport,
): RefObject<CanvasState | null> {
  const canvasState = useRef<CanvasState>(null);
  useEffect(() => {
    const own = new CanvasState(canvas.current!, TINT);
    canvasState.current = own;
    const observer = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = stage.current!;
      own.resize({ width, height }, devicePixelRatio);
      viewport.resize({ width, height });
    });
    observer.observe(stage.current!);
    return () => {
      observer.disconnect();
      own.stop();
    };
  }, [stage, canvas, viewport]);
  return canvasState;
}

function usePointerTools(
  editing: Editing,
  isMoving: boolean,
  canvasState: RefObject<CanvasState | null>,
): PointerTools {
  const latest = useLatest({ ...editing, isMoving });
  return useMemo(() => {
    const place = () => {
      const { drawing, viewport, ...rest } = latest.current;
      return { ...rest, sides: drawing.sides, view: viewport.view.get() };
    };
    return new PointerTools(place, {
      see: (view) => latest.current.viewport.see(view),
      draw: (live) => canvasState.current?.draw(live),
      mark: (mark) => latest.current.add(mark),
      pull: (change) => latest.current.pull(change),
      choose: (point) => {
        const { objects, size, markObject } = latest.current;
        markObject(objects.at(point, size), words.tools.names.object);
      },
    });
  }, [latest, canvasState]);
}

/** Zooms by the wheel around the pointer. React's own listeners can't keep the page from scrolling. */
function useWheel(stage: RefObject<HTMLDivElement | null>, viewport: Viewport): void {
  useEffect(() => {
    const element = stage.current!;
    const zoom = (event: WheelEvent) => {
      event.preventDefault();
      const { left, top } = element.getBoundingClientRect();
      const at: Point = { x: event.clientX - left, y: event.clientY - top };
      const notches = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * 30 : event.deltaY;
      // Browsers send the spreading of two fingers on a touchpad as a wheel with Ctrl, in small steps.
      viewport.zoom(Math.exp(-notches * (event.ctrlKey ? 6 : 1) * WHEEL), at);
    };
    element.addEventListener('wheel', zoom, { passive: false });
    return () => element.removeEventListener('wheel', zoom);
  }, [stage, viewport]);
}

/** Reports whether the space bar is held, unless it presses a button or writes. */
function useSpaceBar(): boolean {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent) => {
      const { target } = event;
      const isElsewhere =
        target instanceof Element && target.closest('button, a, input, textarea, select, [role=slider]');
      if (event.key !== ' ' || isElsewhere) return;
      event.preventDefault();
      setHeld(true);
    };
    const release = () => setHeld(false);
    addEventListener('keydown', press);
    addEventListener('keyup', release);
    addEventListener('blur', release);
    return () => {
      removeEventListener('keydown', press);
      removeEventListener('keyup', release);
      removeEventListener('blur', release);
    };
  }, []);
  return isHeld;
}

/** Moves the circle of the brush below the pointer; fingers hide it. */
function follow({ currentTarget, clientX, clientY, pointerType }: PointerEvent, cursor: HTMLElement): void {
  const { left, top } = currentTarget.getBoundingClientRect();
  cursor.dataset.pointer = pointerType;
  cursor.style.transform = `translate(${clientX - left}px, ${clientY - top}px) translate(-50%, -50%)`;
}
