import { openUrlOf } from '../../ui/index.ts';
import type { Rect } from './geometry.ts';
import { contextOf, maskCanvas, newCanvas, type StoredMasks } from './mask-canvas.ts';
import type { MaskPlan } from './outlines.ts';

/** The side of the small copy that is searched for white. */
const SMALL = 512;
/** Colour of the area that is added to a picture. */
const NEW_AREA = '#808080';
const QUALITY = 0.95;

/** The mask as a PNG of the exact size of the frame, white on black. Null if nothing is white. */
export async function maskFile(plan: MaskPlan, masks: StoredMasks): Promise<File | null> {
  const { x, y, width, height } = plan.frame;
  const canvas = maskCanvas(plan, { scale: 1, x: -x, y: -y }, { x: 0, y: 0, width, height }, masks);
  if (isBlank(canvas)) return null;
  const context = contextOf(canvas);
  context.globalCompositeOperation = 'destination-over';
  context.fillStyle = '#000';
  context.fillRect(0, 0, width, height);
  return encoded(canvas, 'mask', 'image/png');
}

/** The picture within the larger frame, in its own format if that is JPEG, else as a PNG. */
export async function extendedPicture(url: string, { x, y, width, height }: Rect): Promise<File> {
  const blob = await fetched(url);
  const picture = await createImageBitmap(blob);
  const canvas = newCanvas(width, height);
  const context = contextOf(canvas);
  context.fillStyle = NEW_AREA;
  context.fillRect(0, 0, width, height);
  context.clearRect(-x, -y, picture.width, picture.height);
  context.drawImage(picture, -x, -y);
  picture.close();
  return encoded(canvas, 'picture', blob.type === 'image/jpeg' ? blob.type : 'image/png');
}

/** Reads a file of the storage. A copy that the browser has from a picture element may not be readable by scripts. */
export async function fetched(url: string): Promise<Blob> {
  const read = (at: string) => fetch(at, { cache: 'reload' }).catch(() => Response.error());
  const first = await read(url);
  const response = first.ok ? first : await read(await openUrlOf(url));
  if (!response.ok) throw new PictureGone();
  return response.blob();
}

/** The file can't be read: it was deleted, or the connection broke. */
export class PictureGone extends Error {
  override readonly name = 'PictureGone';
}

function isBlank(canvas: HTMLCanvasElement): boolean {
  const small = newCanvas(Math.min(canvas.width, SMALL), Math.min(canvas.height, SMALL));
  const context = contextOf(small);
  context.imageSmoothingQuality = 'high';
  context.drawImage(canvas, 0, 0, small.width, small.height);
  const { data } = context.getImageData(0, 0, small.width, small.height);
  return data.every((value, at) => at % 4 !== 3 || value === 0);
}

async function encoded(canvas: HTMLCanvasElement, name: string, type: string): Promise<File> {
  const { promise, resolve } = Promise.withResolvers<Blob | null>();
  canvas.toBlob(resolve, type, QUALITY);
  const blob = await promise;
  if (!blob) throw new Error('the browser has too little memory for a picture of this size');
  return new File([blob], `${name}.${type === 'image/jpeg' ? 'jpg' : 'png'}`, { type });
}
