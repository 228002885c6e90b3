import { rename } from 'node:fs/promises';
import type { Metadata, Sharp } from 'sharp';
import { provenanceOf, xmpPacketOf, type Marking } from '#files';
import type { Derived, MarkTarget, PictureFacts } from '#sources';
import { passedOn, stripButMarks, writeMark } from '../marks/marks.ts';
import { inspect, openPicture, readable, withoutMetadata } from './decode.ts';
import type { PictureTask } from './picture-process.ts';
import { makePreview } from './preview.ts';

/** Quality of re-encoded pictures: visually lossless. */
const QUALITY = 95;

/** @throws UnreadablePicture */
export async function derive(task: Extract<PictureTask, { kind: 'derive' }>, inspected: () => void): Promise<Derived> {
  const { file, contentType, original, marked } = task;
  const isDrawing = contentType === 'image/svg+xml';
  const bare = await withoutMetadata(task);
  const picture = await openPicture(bare, contentType);
  const metadata = await inspect(picture);
  inspected();

  // sharp can't turn frames, and programs that play animations don't turn them either.
  const isAnimated = contentType !== 'image/tiff' && (metadata.pages ?? 1) > 1;
  const size = isAnimated ? metadata : metadata.autoOrient;
  const upright = isAnimated ? picture : picture.autoOrient();
  const xmp = marked ? xmpPacketOf(provenanceOf(marked.mark)) : await passedOn(file, contentType);
  const options = { enlarge: isDrawing, xmp };
  const preview = await readable(makePreview(inSrgb(upright, metadata), size, task.thumbnails, options));
  const marking = marked ? await markingOf(task, marked) : null;
  if (original === null) return { contentType, ...preview, marking };
  const write = () => writeOriginal({ bare, contentType }, original, metadata, isAnimated);
  return { contentType, ...preview, marking: await stripButMarks(file, original, contentType, write) };
}

/** No picture is given up for its mark. */
async function markingOf(
  { file, contentType }: Extract<PictureTask, { kind: 'derive' }>,
  { file: target, mark }: MarkTarget,
): Promise<Marking> {
  try {
    return await writeMark(file, target, contentType, provenanceOf(mark));
  } catch {
    return 'unmarked';
  }
}

/** @throws UnreadablePicture */
export async function reduce(
  task: Extract<PictureTask, { kind: 'reduce' }>,
  inspected: () => void,
): Promise<PictureFacts> {
  const picture = await openPicture(await withoutMetadata(task), task.contentType);
  const metadata = await inspect(picture);
  inspected();
  const { edge, target } = task;
  const upright = inSrgb(picture.autoOrient(), metadata);
  const reduced = upright.resize(edge, edge, { fit: 'inside', withoutEnlargement: true });
  const { isOpaque } = metadata.hasAlpha ? await readable(picture.clone().stats()) : { isOpaque: true };
  const written = isOpaque ? reduced.removeAlpha().jpeg({ quality: QUALITY }) : reduced.png();
  const { width, height } = await readable(written.toFile(target));
  return { contentType: isOpaque ? 'image/jpeg' : 'image/png', width, height };
}

/**
 * libvips converts 8-bit colours to sRGB by default, 16-bit ones only on request; those without a profile are in sRGB, and
 * it would take them for Display P3.
 */
export function inSrgb(picture: Sharp, { depth, hasProfile }: Metadata): Sharp {
  return depth === 'uchar' || !hasProfile ? picture : picture.withIccProfile('srgb');
}

async function writeOriginal(
  { bare, contentType }: { readonly bare: string; readonly contentType: string },
  target: string,
  metadata: Metadata,
  isAnimated: boolean,
): Promise<void> {
  const isUpright = isAnimated || (metadata.orientation ?? 1) === 1;
  if (isUpright && contentType !== 'image/tiff') return rename(bare, target);
  const { space } = metadata;
  const picture = await openPicture(bare, contentType, {
    animated: isAnimated,
    // The samples stay as they are, and so does the profile that defines them.
    ignoreIcc: space !== 'cmyk',
  });
  if (space === 'cmyk') picture.pipelineColourspace('cmyk');
  if (!isAnimated) picture.autoOrient();
  await readable(encoded(picture.toColourspace(space), metadata).keepIccProfile().toFile(target));
}

/** In the format of the picture. */
export function encoded(picture: Sharp, { format, chromaSubsampling }: Metadata): Sharp {
  if (format === 'jpeg') {
    return picture.jpeg({
      quality: QUALITY,
      chromaSubsampling: chromaSubsampling?.startsWith('4:4:4') ? '4:4:4' : '4:2:0',
      // Optimised coding would keep the whole picture in memory, and save only a few per cent.
      optimiseCoding: false,
    });
  }
  if (format === 'webp') return picture.webp({ quality: QUALITY, effort: 2 });
  if (format === 'gif') return picture.gif();
  if (format === 'tiff') return picture.tiff({ compression: 'deflate', predictor: 'horizontal' });
  return picture.png();
}
