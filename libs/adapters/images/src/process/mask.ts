import sharp from 'sharp';
import { inspect, openPicture, readable, withoutMetadata } from './decode.ts';
import type { PictureTask } from './picture-process.ts';

/** Half of the way to white: what is brighter is marked. */
const MARKED = 127;

/** @throws UnreadablePicture */
export async function writeMask(
  task: Extract<PictureTask, { kind: 'mask' }>,
  inspected: () => void,
): Promise<{ readonly isEmpty: boolean }> {
  const { width, height, form, target, area = 'bright' } = task;
  const picture = await openPicture(await withoutMetadata(task), task.contentType);
  await inspect(picture);
  inspected();
  const upright = picture.autoOrient();
  const grey =
    area === 'bright'
      ? upright.flatten({ background: '#000' }).greyscale()
      : upright.ensureAlpha().extractChannel('alpha').negate();
  const sized = grey.resize(width, height, { fit: 'fill' });
  const pixels = await readable(sized.toColourspace('b-w').raw({ depth: 'uchar' }).toBuffer());
  const isEmpty = !pixels.some((value) => value > MARKED);
  const raw = { width, height, channels: 1 } as const;
  const inverted = Buffer.from(pixels.map((value) => 255 - value));
  const written =
    form === 'transparent'
      ? sharp({ create: { ...raw, channels: 3, background: '#000' } }).joinChannel(inverted, { raw })
      : sharp(form === 'black' ? inverted : pixels, { raw }).toColourspace('b-w');
  await readable(written.png({ compressionLevel: 6 }).toFile(target));
  return { isEmpty };
}
