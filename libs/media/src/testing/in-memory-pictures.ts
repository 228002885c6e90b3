import { readFile, writeFile } from 'node:fs/promises';
import { SourceFailure } from '../domain/source-failure.ts';
import type { PictureFacts, Pictures } from '../ports/pictures.ts';
import { aPng } from './sample-pictures.ts';

const DRAWN_EDGE = 512;

/** Knows the pictures of `aPng` and `anSvg`, and reads no more than their sizes. */
export class InMemoryPictures implements Pictures {
  async examine(file: string): Promise<PictureFacts> {
    const bytes = await readFile(file);
    const facts = pngFacts(bytes) ?? svgFacts(bytes);
    if (!facts) throw new SourceFailure('not_an_image', { retryable: false });
    return facts;
  }

  async rasterise(file: string, target: string): Promise<PictureFacts> {
    const facts = svgFacts(await readFile(file));
    if (!facts) throw new SourceFailure('not_an_image', { retryable: false });
    const scale = DRAWN_EDGE / Math.min(facts.width, facts.height);
    const size = { width: Math.round(facts.width * scale), height: Math.round(facts.height * scale) };
    await writeFile(target, aPng(size));
    return { contentType: 'image/png', ...size };
  }
}

function pngFacts(bytes: Buffer): PictureFacts | null {
  if (bytes.toString('latin1', 1, 4) !== 'PNG' || bytes.toString('latin1').indexOf('IEND') === -1)
    return null;
  return { contentType: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function svgFacts(bytes: Buffer): PictureFacts | null {
  const [, width, height] = /^<svg [^>]*width="(\d+)" height="(\d+)"/.exec(bytes.toString()) ?? [];
  return width && height
    ? { contentType: 'image/svg+xml', width: Number(width), height: Number(height) }
    : null;
}
