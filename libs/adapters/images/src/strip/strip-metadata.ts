import { open, rm } from 'node:fs/promises';
import { amendWebp, pngRanges, webpRanges } from './chunks.ts';
import { gifRanges } from './gif.ts';
import { jpegRanges } from './jpeg.ts';
import { BLOCK, MalformedPicture, Reader, type NeededRanges, type Range } from './reader.ts';

const FORMATS: Readonly<Record<string, NeededRanges>> = {
  'image/jpeg': jpegRanges,
  'image/png': pngRanges,
  'image/webp': webpRanges,
  'image/gif': gifRanges,
};

/**
 * Writes the picture `source` without its metadata to `target`, pixels and colour profile unchanged, with at most one
 * block of it in memory.
 *
 * @returns false, without `target`, for other formats and for malformed files: such a picture has to be re-encoded
 */
export async function stripMetadata(source: string, target: string, contentType: string): Promise<boolean> {
  const neededRanges = FORMATS[contentType];
  if (!neededRanges) return false;
  await using file = await open(source);
  try {
    const reader = new Reader(file);
    const ranges = await joined(neededRanges(reader));
    await using stripped = await open(target, 'w+');
    for (const { start, end } of ranges) {
      for (let at = start; at < end; at += BLOCK) {
        await stripped.write(await reader.exactly(at, Math.min(BLOCK, end - at)));
      }
    }
    if (contentType === 'image/webp') await amendWebp(stripped);
    return true;
  } catch (error) {
    await rm(target, { force: true });
    if (error instanceof MalformedPicture) return false;
    throw error;
  }
}

/** Adjacent ranges become one. */
async function joined(ranges: AsyncIterable<Range>): Promise<readonly Range[]> {
  const list: Range[] = [];
  for await (const { start, end } of ranges) {
    const previous = list.at(-1)?.end === start ? list.pop()! : { start };
    list.push({ start: previous.start, end });
  }
  return list;
}
