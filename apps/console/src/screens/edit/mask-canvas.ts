import { toScreen, type Point, type Rect, type View } from './geometry.ts';
import type { Command, MaskPlan } from './outlines.ts';

/** Stored masks by their URL: white where something is, else transparent. */
export type StoredMasks = ReadonlyMap<string, CanvasImageSource>;

/** As far as a blurred edge reaches, for each pixel of the blur. */
const REACH = 2;
/** Moves a picture out of the canvas, whose shadow stays within. */
const FAR = 20_000;

/**
 * Paints the part of a mask that a box of the screen shows: white where the picture changes, else transparent. At scale 1,
 * with the frame as the box, it is the mask itself.
 */
export function maskCanvas(plan: MaskPlan, view: View, box: Rect, masks: StoredMasks): HTMLCanvasElement {
  const canvas = newCanvas(box.width, box.height);
  const shifted = { ...view, x: view.x - box.x, y: view.y - box.y };
  const context = contextOf(canvas);
  for (const command of plan.commands) paint(context, command, { view: shifted, plan, masks });
  const blur = plan.feather * view.scale;
  const result = blur < 0.5 ? canvas : feathered(canvas, blur);
  if (plan.picture) fillAround(contextOf(result), rectOn(shifted, plan.frame), rectOn(shifted, plan.picture));
  return result;
}

interface Setting {
  readonly view: View;
  readonly plan: Pick<MaskPlan, 'frame' | 'picture'>;
  readonly masks: StoredMasks;
}

/** Paints a command with the fill style of the context, within the frame. */
export function paint(context: CanvasRenderingContext2D, command: Command, { view, plan, masks }: Setting): void {
  const { frame } = plan;
  context.save();
  context.setTransform(view.scale, 0, 0, view.scale, view.x, view.y);
  context.beginPath();
  context.rect(frame.x, frame.y, frame.width, frame.height);
  context.clip();
  if (command.op === 'invert') {
    context.globalCompositeOperation = 'xor';
    context.fillRect(frame.x, frame.y, frame.width, frame.height);
  } else {
    if (command.op === 'erase') context.globalCompositeOperation = 'destination-out';
    if ('outline' in command) {
      trace(context, command.outline, command.isSmooth);
      context.fill();
    } else {
      const mask = masks.get(command.url);
      const { width, height } = sizeWithin(plan);
      if (mask) context.drawImage(mask, 0, 0, width, height);
    }
  }
  context.restore();
}

/** The size of the picture within the frame. */
function sizeWithin({ frame, picture }: Setting['plan']): Pick<Rect, 'width' | 'height'> {
  return picture ?? frame;
}

function trace(context: CanvasRenderingContext2D, points: readonly Point[], isSmooth: boolean): void {
  context.beginPath();
  const last = points.at(-1);
  if (!last) return;
  for (const [at, point] of points.entries()) {
    const next = points[at + 1] ?? points[0]!;
    if (!isSmooth) context.lineTo(point.x, point.y);
    else if (at === 0) context.moveTo((last.x + point.x) / 2, (last.y + point.y) / 2);
    if (isSmooth) context.quadraticCurveTo(point.x, point.y, (point.x + next.x) / 2, (point.y + next.y) / 2);
  }
  context.closePath();
}

/** Everything of the frame but the picture. */
function fillAround(context: CanvasRenderingContext2D, frame: Rect, picture: Rect): void {
  context.beginPath();
  context.rect(frame.x, frame.y, frame.width, frame.height);
  context.rect(picture.x, picture.y, picture.width, picture.height);
  context.fill('evenodd');
}

/** Blurs by a shadow: Safari has no filters. Continues the picture beyond its edges, where a mask does not fade. */
function feathered(source: HTMLCanvasElement, blur: number): HTMLCanvasElement {
  const { width, height } = source;
  const pad = Math.ceil(blur * REACH);
  const [wide, high] = [width + 2 * pad, height + 2 * pad];
  const padded = newCanvas(wide, high);
  const context = contextOf(padded);
  context.drawImage(source, 0, 0, 1, height, 0, pad, pad, height);
  context.drawImage(source, width - 1, 0, 1, height, width + pad, pad, pad, height);
  context.drawImage(source, pad, pad);
  context.drawImage(padded, 0, pad, wide, 1, 0, 0, wide, pad);
  context.drawImage(padded, 0, pad + height - 1, wide, 1, 0, pad + height, wide, pad);
  const result = newCanvas(width, height);
  const blurred = contextOf(result);
  blurred.shadowColor = '#fff';
  blurred.shadowBlur = blur;
  blurred.shadowOffsetX = FAR;
  blurred.drawImage(padded, -pad - FAR, -pad);
  blurred.shadowColor = 'transparent';
  return result;
}

export function rectOn(view: View, rect: Rect): Rect {
  return { ...toScreen(view, rect), width: rect.width * view.scale, height: rect.height * view.scale };
}

export function newCanvas(width: number, height: number): HTMLCanvasElement {
  return Object.assign(document.createElement('canvas'), {
    width: Math.max(1, Math.round(width)),
    height: Math.max(1, Math.round(height)),
  });
}

/** @throws Error when the browser has no memory for the canvas */
export function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d');
  if (!context) throw new Error('the browser has too little memory for a picture of this size');
  context.fillStyle = '#fff';
  return context;
}
