import { createRequire } from 'node:module';
import sharp, { type Metadata, type CreateText, type OverlayOptions, type Sharp } from 'sharp';
import type { Overlay } from '#sharing';
import type { PictureFacts } from '#sources';
import { passedOn } from '../marks/marks.ts';
import { UnreadablePicture } from '../strip/reader.ts';
import { inspect, openPicture, readable, withoutMetadata } from './decode.ts';
import { encoded } from './derive.ts';
import type { PictureTask } from './picture-process.ts';

const QUALITY = 85;
const OPACITY = 0.3;
/** The height of the text as a share of the longer side, and the least pixels that can be read. */
const TEXT_SHARE = 1 / 32;
const MIN_TEXT = 9;
const MIN_LABEL = 12;
/** White text on it has a contrast of 7 to 1 on a white picture. */
const GROUND = { r: 0, g: 0, b: 0, alpha: 0.65 };
/** WebP has no larger pictures. */
const MAX_EDGE = 16_383;
/** Servers may have no fonts at all. */
const FONT = createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf');

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Pixels {
  readonly data: Buffer;
  readonly raw: { readonly width: number; readonly height: number; readonly channels: 4 };
}

/** @throws UnreadablePicture */
export async function writeMarked(
  task: Extract<PictureTask, { kind: 'mark' }>,
  inspected: () => void,
): Promise<PictureFacts> {
  const { file, target, overlay, contentType, keepsFormat } = task;
  const picture = await openPicture(await withoutMetadata(task), contentType);
  const metadata = await inspect(picture);
  const { autoOrient: upright, depth } = metadata;
  inspected();
  if (keepsFormat) assertStill(metadata);
  const scale = keepsFormat ? 1 : Math.min(1, MAX_EDGE / Math.max(upright.width, upright.height));
  const [width, height] = [scaled(upright.width, scale), scaled(upright.height, scale)];
  const inSrgb = depth === 'uchar' ? picture : picture.withIccProfile('srgb');
  const marked = inSrgb
    .autoOrient()
    .resize(width, height, { fit: 'fill' })
    .composite(await layersOf(overlay, { width, height }));
  const xmp = await passedOn(file, contentType);
  if (keepsFormat && !metadata.hasAlpha) marked.removeAlpha();
  const copy = keepsFormat ? encoded(marked, metadata) : marked.webp({ quality: QUALITY, effort: 2 });
  const written = await readable((xmp === null ? copy : copy.withXmp(xmp)).toFile(target));
  return { contentType: keepsFormat ? contentType : 'image/webp', width: written.width, height: written.height };
}

/** A label must cost neither the other frames nor the mark of provenance, which sharp can't write into a GIF. */
function assertStill({ format, pages = 1 }: Metadata): void {
  if (format === 'gif' || pages > 1) throw new UnreadablePicture('the format takes no label');
}

/** Writes the texts as they are put over a picture of this size, on a transparent ground. */
export async function writeOverlay(overlay: Overlay, size: Size, target: string): Promise<void> {
  const blank = sharp({ create: { ...size, channels: 4, background: '#0000' } });
  await blank
    .composite(await layersOf(overlay, size))
    .png()
    .toFile(target);
}

/** The label is over the watermark, which could make it unreadable. */
async function layersOf({ watermark, label }: Overlay, size: Size): Promise<OverlayOptions[]> {
  const layers: OverlayOptions[] = [];
  if (watermark !== null) {
    const { data: input, raw } = await tileOf(watermark, size);
    layers.push({ input, raw, tile: true });
  }
  if (label !== null) layers.push(await labelOn(label, size));
  return layers;
}

/** A label in the bottom right corner of a picture: white text on a dark ground, no larger than the picture. */
export async function labelOn(text: string, picture: Size): Promise<OverlayOptions> {
  const size = textSize(picture, MIN_LABEL);
  const margin = Math.floor(Math.min(size, picture.width / 4, picture.height / 4) / 2);
  const within = (side: number) => Math.max(1, side - 2 * margin);
  const room = { width: within(picture.width), height: within(picture.height) };
  const line = await drawn(text, 'white', size, room, { width: room.width });
  assertSeen(line);
  const { data: input, raw } = line;
  const width = Math.min(picture.width, raw.width + 2 * margin);
  const height = Math.min(picture.height, raw.height + 2 * margin);
  const ground = sharp({ create: { width, height, channels: 4, background: GROUND } });
  const [left, top] = [Math.floor((width - raw.width) / 2), Math.floor((height - raw.height) / 2)];
  const label = await pixelsOf(ground.composite([{ input, raw, left, top }]));
  return { input: label.data, raw: label.raw, left: picture.width - width, top: picture.height - height };
}

const textSize = ({ width, height }: Size, min: number) =>
  Math.max(min, Math.round(Math.max(width, height) * TEXT_SHARE));

const scaled = (side: number, scale: number) => Math.max(1, Math.round(side * scale));

/** A tile with the text once, white with a dark shadow; no larger than the picture. */
async function tileOf(text: string, picture: Size): Promise<Pixels> {
  const size = textSize(picture, MIN_TEXT);
  const [dark, light] = [await drawn(text, 'black', size, picture), await drawn(text, 'white', size, picture)];
  const width = Math.min(picture.width, light.raw.width + 2 * size);
  const height = Math.min(picture.height, light.raw.height + 3 * size);
  const shift = Math.max(1, Math.round(size / 16));
  const layer = ({ data: input, raw }: Pixels, by: number) => {
    return { input, raw, left: Math.min(by, width - raw.width), top: Math.min(by, height - raw.height) };
  };
  const blank = sharp({ create: { width, height, channels: 4, background: '#0000' } });
  const tile = await pixelsOf(blank.composite([layer(dark, shift), layer(light, 0)]));
  const { data } = tile;
  for (let alpha = 3; alpha < data.length; alpha += 4) data[alpha] = Math.round(data[alpha]! * OPACITY);
  assertSeen(tile);
  return tile;
}

/** Guests get no picture rather than an unmarked one. */
function assertSeen({ data }: Pixels): void {
  if (!data.some((value, index) => index % 4 === 3 && value > 0)) throw new Error('the text cannot be seen');
}

/** The text in one line, or in lines of a width, made smaller to fit into the picture. */
async function drawn(
  text: string,
  color: 'black' | 'white',
  size: number,
  picture: Size,
  lines: Pick<CreateText, 'width'> = {},
): Promise<Pixels> {
  const markup = `<span foreground="${color}">${text.replace(/[&<>]/g, (each) => ESCAPED[each]!)}</span>`;
  const font = `DejaVu Sans Bold ${size}`;
  const line = sharp({ text: { text: markup, font, fontfile: FONT, dpi: 72, rgba: true, ...lines } });
  return pixelsOf(line.resize(picture.width, picture.height, { fit: 'inside', withoutEnlargement: true }));
}

const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

async function pixelsOf(picture: Sharp): Promise<Pixels> {
  const { data, info } = await picture.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, raw: { width: info.width, height: info.height, channels: 4 } };
}
