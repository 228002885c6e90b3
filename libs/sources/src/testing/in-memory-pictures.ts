import { readFile, writeFile } from 'node:fs/promises';
import { SourceFailure } from '../domain/source-failure.ts';
import type { PictureDerivatives, PictureFacts, Pictures, Preview, ThumbnailTarget } from '../ports.ts';
import { aPng } from './sample-pictures.ts';

const RENDERED_EDGE = 512;

/** Reads the sizes of the pictures of `aPng` and `anSvg`. */
export class InMemoryPictures implements Pictures, PictureDerivatives {
  async examine(file: string, bare?: string): Promise<PictureFacts> {
    const bytes = await readFile(file);
    const facts = pngFacts(bytes) ?? svgFacts(bytes);
    if (!facts) throw new SourceFailure('not_an_image', { retryable: false });
    if (bare !== undefined && facts.contentType !== 'image/svg+xml') await writeFile(bare, bytes);
    return facts;
  }

  async rasterise(file: string, target: string): Promise<PictureFacts> {
    const facts = svgFacts(await readFile(file));
    if (!facts) throw new SourceFailure('not_an_image', { retryable: false });
    const scale = RENDERED_EDGE / Math.min(facts.width, facts.height);
    const size = { width: Math.round(facts.width * scale), height: Math.round(facts.height * scale) };
    await writeFile(target, aPng(size));
    return { contentType: 'image/png', ...size };
  }

  async derive(
    file: string,
    { original, thumbnails }: { original: string | null; thumbnails: readonly ThumbnailTarget[] },
  ): Promise<Preview & PictureFacts> {
    const facts = await this.examine(file);
    if (original !== null) await writeFile(original, await readFile(file));
    const made = [];
    for (const target of thumbnails) {
      const fit = target.edge / Math.max(facts.width, facts.height);
      const scale = facts.contentType === 'image/svg+xml' ? fit : Math.min(1, fit);
      const size = { width: Math.round(facts.width * scale), height: Math.round(facts.height * scale) };
      await writeFile(target.file, aPng(size));
      made.push({ file: target.file, ...size });
    }
    return { ...facts, thumbnails: made, placeholder: Buffer.from('a placeholder').toString('base64') };
  }
}

function pngFacts(bytes: Buffer): PictureFacts | null {
  if (bytes.toString('latin1', 1, 4) !== 'PNG' || bytes.toString('latin1').indexOf('IEND') === -1) return null;
  return { contentType: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function svgFacts(bytes: Buffer): PictureFacts | null {
  const [, width, height] = /^<svg [^>]*width="(\d+)" height="(\d+)"/.exec(bytes.toString()) ?? [];
  return width && height ? { contentType: 'image/svg+xml', width: Number(width), height: Number(height) } : null;
}
