import type { Size } from './output-size.ts';
import {
  readBrightness,
  readPixels,
  scaledRgb,
  sourceSize,
  UnusableInput,
  writePixels,
  type Pixels,
} from './picture/files.ts';
import { mix } from './picture/picture.ts';
import { readPrompt, seedOf } from './prompt.ts';
import { makePicture } from './render-image.ts';
import type { EditTask, RenderedFile, ReportProgress } from './render-task.ts';
import { readStyles } from './style/style.ts';

/** More would not fit into the memory of the rendering process. */
const MAX_EDITED_PIXELS = 20_000_000;
/** Maximum size of the painting, which is scaled to its area. */
const MAX_PAINTED_PIXELS = 1024 * 1024;
const MIN_SIDE = 64;

interface Box extends Size {
  readonly left: number;
  readonly top: number;
}

/** Paints into the white area of the mask. Pixels where the mask is black stay as they are. */
export async function editImage(task: EditTask, report: ReportProgress): Promise<readonly RenderedFile[]> {
  const size = await sourceSize(task.image, 'input image');
  if (size.width * size.height > MAX_EDITED_PIXELS) {
    throw new UnusableInput(`the input image is too large to edit: at most ${MAX_EDITED_PIXELS / 1e6} megapixels`);
  }
  const mask = await readBrightness(task.mask, 'mask');
  const box = boxOf(mask, size);
  if (!box) throw new UnusableInput('the mask is empty: nothing in it is white');
  const pixels = await readPixels(task.image, 'input image');
  const { image, styleReference, trainedStyle } = task;
  // By default it fits in with the picture itself.
  const styleFor = await readStyles({ trainedStyle, styleReference: styleReference ?? (trainedStyle ? null : image) });
  const job = { content: null, styleFor, size: paintedSize(box), amount: 1, reading: readPrompt(task.prompt) };
  for (const [index, file] of task.files.entries()) {
    const seed = seedOf(task.prompt, task.seed + index);
    const painted = await makePicture(job, seed, (done) => report((index + 0.9 * done) / task.files.length));
    await writePixels(composed(pixels, await scaledRgb(painted, box), mask, size, box), size, file);
    await report((index + 1) / task.files.length);
  }
  return task.files.map(() => ({ ...size, duration: null }));
}

/** The box around all that is not black; `null` for a mask of another size than the picture, and for a black one. */
function boxOf(mask: Buffer, { width, height }: Size): Box | null {
  if (mask.length !== width * height) throw new UnusableInput('the mask must have the size of the input image');
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      if (mask[at] === 0) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
  }
  return right < 0 ? null : { left, top, width: right - left + 1, height: bottom - top + 1 };
}

function paintedSize({ width, height }: Size): Size {
  const scale = Math.min(1, Math.sqrt(MAX_PAINTED_PIXELS / (width * height)));
  const side = (length: number) => Math.max(MIN_SIDE, Math.min(2 * 1024, Math.round(length * scale)));
  return { width: side(width), height: side(height) };
}

function composed({ data, channels }: Pixels, painted: Buffer, mask: Buffer, size: Size, box: Box): Pixels {
  const result = Buffer.from(data);
  for (let y = 0; y < box.height; y++) {
    for (let x = 0; x < box.width; x++) {
      const at = (box.top + y) * size.width + box.left + x;
      const amount = mask[at]! / 255;
      if (amount === 0) continue;
      const from = (y * box.width + x) * 3;
      for (let channel = 0; channel < 3; channel++) {
        const place = at * channels + channel;
        result[place] = Math.round(mix(data[place]!, painted[from + channel]!, amount));
      }
      // Painted pixels are opaque.
      if (channels === 4) result[at * 4 + 3] = Math.round(mix(data[at * 4 + 3]!, 255, amount));
    }
  }
  return { data: result, channels };
}
