import { outputSize } from './output-size.ts';
import { readPicture, sourceSize } from './picture/files.ts';
import type { RenderedFile, ReportProgress, StyleTask } from './render-task.ts';
import { joinLooks, lookOf, type Look } from './style/look.ts';
import { writeStyleFile } from './style/style-file.ts';
import { SWATCH_SIDE } from './style/swatches.ts';

/** The size at which style references are read too, so that both give the same texture. */
const PICTURE_SIZES = { smallest: SWATCH_SIDE, largest: 384, multiple: 1, pixels: 320 * 320, longSide: 384 };

/** Learns colours, technique and surface of the pictures. */
export async function learnStyle(task: StyleTask, report: ReportProgress): Promise<readonly RenderedFile[]> {
  const { pictures, files } = task;
  const looks: Look[] = [];
  for (const [index, file] of pictures.entries()) {
    const role = `picture ${index + 1}`;
    const size = outputSize({}, await sourceSize(file, role), PICTURE_SIZES);
    const { picture, alpha } = await readPicture(file, role, size);
    looks.push(lookOf(picture, alpha, pictures.length));
    await report((index + 1) / (pictures.length + 1));
  }
  await writeStyleFile(files[0]!, joinLooks(looks));
  await report(1);
  return [{ width: null, height: null, duration: null }];
}
