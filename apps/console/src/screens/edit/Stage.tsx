import { VisuallyHidden } from '@mantine/core';
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useLatest } from '../../state/index.ts';
import { Easel } from './easel.ts';
import { frameOf, type Point } from './geometry.ts';
import { type Effects, Hand, type Workplace } from './hand.ts';
import type { StoredMasks } from './mask-canvas.ts';
import type { MaskPlan } from './outlines.ts';
import classes from './Stage.module.css';
import type { Viewport } from './viewport.ts';
import { words } from './words.ts';

interface StageProps extends Omit<Workplace, 'view' | 'isMoving'> {
  readonly url: string;
  readonly viewport: Viewport;
  readonly plan: MaskPlan;
  readonly masks: StoredMasks;
  readonly effects: Omit<Effects, 'see' | 'draw'>;
  /** The picture that came of it, over the frame; and how much of it is hidden from the left: 0 to 1. */
  readonly result: { readonly url: string; readonly hidden: number } | null;
  /** Whether pointers only move the picture. */
  readonly isLocked: boolean;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  /** Shown over the picture. */
  readonly children?: ReactNode;
}

/** The colour of what is marked; the style sheet makes it half transparent. */
const TINT = '#e5254f';
/** The share that a notch of the wheel zooms. */
const WHEEL = 0.0016;
const text = words.stage;

/** The picture with its mask, on which pointers draw. */
export function Stage(props: StageProps) {
  const { url, viewport, plan, masks, size, sides, tool, result, brush, isErasing, isLocked } = props;
  const stage = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const paper = useRef<HTMLDivElement>(null);
  const cursor = useRef<HTMLSpanElement>(null);
  const instructions = useId();
  const isMoving = useSpaceBar() || isLocked;
  const easel = useEasel(stage, canvas, viewport);
  const hand = useHand({ ...props, isMoving }, easel);
  useWheel(stage, viewport);
  useEffect(() => {
    const show = () => {
      const view = viewport.view.get();
      paper.current!.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
      cursor.current!.style.setProperty('--size', `${Math.max(4, brush * view.scale)}px`);
      easel.current?.show({ view, plan, masks });
    };
    easel.current?.draw(null);
    show();
    return viewport.view.subscribe(show);
  }, [viewport, plan, masks, brush, easel]);

  const hasCursor = !isMoving && (tool === 'brush' || tool === 'eraser');
  const { x, y, width, height } = frameOf(size, sides);
  const frame = { left: x, top: y, width, height };
  return (
    <div
      ref={stage}
      className={classes.stage}
      data-tool={isMoving ? 'move' : tool}
      role="application"
      aria-label={text.label}
      aria-describedby={instructions}
      tabIndex={0}
      onKeyDown={props.onKeyDown}
      onPointerDown={(event) => hand.down(event)}
      onPointerMove={(event) => {
        follow(event, cursor.current!);
        hand.move(event);
      }}
      onPointerUp={(event) => hand.up(event)}
      onPointerCancel={(event) => hand.up(event)}
      onContextMenu={(event) => event.preventDefault()}
    >
      <div ref={paper} className={classes.paper} style={{ width: size.width, height: size.height }}>
        <span className={classes.frame} style={frame} />
        <img src={url} alt="" draggable={false} className={classes.picture} style={{ width: '100%', height: '100%' }} />
        {result && (
          <img
            src={result.url}
            alt=""
            draggable={false}
            className={classes.picture}
            style={{ ...frame, clipPath: `inset(0 0 0 ${result.hidden * 100}%)` }}
          />
        )}
      </div>
      <canvas ref={canvas} className={classes.mask} data-hidden={result !== null || undefined} aria-hidden />
      {props.children}
      <span
        ref={cursor}
        className={classes.cursor}
        data-shown={hasCursor || undefined}
        data-erasing={isErasing || undefined}
      />
      <VisuallyHidden id={instructions}>{text.instructions[isLocked ? 'result' : tool]}</VisuallyHidden>
    </div>
  );
}

/** Draws the mask at the size of the stage. */
function useEasel(
  stage: RefObject<HTMLDivElement | null>,
  canvas: RefObject<HTMLCanvasElement | null>,
  viewport: Viewport,
): RefObject<Easel | null> {
  const easel = useRef<Easel>(null);
  useEffect(() => {
    const own = new Easel(canvas.current!, TINT);
    easel.current = own;
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
  return easel;
}

function useHand(props: StageProps & Pick<Workplace, 'isMoving'>, easel: RefObject<Easel | null>): Hand {
  const latest = useLatest(props);
  return useMemo(() => {
    const place = () => ({ ...latest.current, view: latest.current.viewport.view.get() });
    return new Hand(place, {
      see: (view) => latest.current.viewport.see(view),
      draw: (live) => easel.current?.draw(live),
      mark: (mark) => latest.current.effects.mark(mark),
      pull: (change) => latest.current.effects.pull(change),
      choose: (point) => latest.current.effects.choose(point),
    });
  }, [latest, easel]);
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

/** Whether the space bar is held, unless it presses a button or writes. */
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
