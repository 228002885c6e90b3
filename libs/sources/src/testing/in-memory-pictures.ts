import { readFile, writeFile } from 'node:fs/promises';
import type { Look, Marking } from '#files';
import { distinctTargets } from '../domain/picture-type.ts';
import { SourceFailure } from '../domain/source-failure.ts';
import type { Derived, DerivativeTargets, MarkTarget, PictureDerivatives, PictureFacts, Pictures } from '../ports.ts';
import { aPng } from './sample-pictures.ts';

const RENDERED_EDGE = 512;
/** Look of every picture. */
export const A_LOOK: Look = { colors: [31_744], shape: '10'.repeat(32) };

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

  async reduce(file: string, target: string, edge: number): Promise<PictureFacts> {
    const facts = pngFacts(await readFile(file));
    if (!facts) throw new SourceFailure('not_an_image', { retryable: false });
    const size = sizeWithin(facts, edge);
    await writeFile(target, aPng(size));
    return { contentType: 'image/png', ...size };
  }

  /** Masks of doubles are never empty. */
  async mask(
    file: string,
    target: string,
    { width, height }: { readonly width: number; readonly height: number },
  ): Promise<{ readonly isEmpty: boolean }> {
    if (!pngFacts(await readFile(file))) throw new SourceFailure('not_an_image', { retryable: false });
    await writeFile(target, aPng({ width, height }));
    return { isEmpty: false };
  }

  /** Files of doubles take marks behind their end. */
  async writeMark(file: string, _contentType: string, { file: target, mark }: MarkTarget): Promise<Marking> {
    await writeFile(target, Buffer.concat([await readFile(file), Buffer.from(JSON.stringify(mark))]));
    return 'marked';
  }

  async findMark(): Promise<null> {
    return null;
  }

  async derive(file: string, { original, thumbnails, marked }: DerivativeTargets): Promise<Derived> {
    const facts = await this.examine(file);
    if (original !== null) await writeFile(original, await readFile(file));
    const made = [];
    const isDrawing = facts.contentType === 'image/svg+xml';
    for (const target of isDrawing ? thumbnails : distinctTargets(thumbnails, facts)) {
      const size = sizeWithin(facts, target.edge, isDrawing);
      await writeFile(target.file, aPng(size));
      made.push({ file: target.file, ...size });
    }
    const marking = marked ? await this.writeMark(file, facts.contentType, marked) : null;
    const placeholder = Buffer.from('a placeholder').toString('base64');
    return { ...facts, thumbnails: made, placeholder, look: A_LOOK, marking };
  }
}

function sizeWithin({ width, height }: PictureFacts, edge: number, isEnlarged = false) {
  const fit = edge / Math.max(width, height);
  const scale = isEnlarged ? fit : Math.min(1, fit);
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

function pngFacts(bytes: Buffer): PictureFacts | null {
  if (bytes.toString('latin1', 1, 4) !== 'PNG' || bytes.toString('latin1').indexOf('IEND') === -1) return null;
  return { contentType: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function svgFacts(bytes: Buffer): PictureFacts | null {
  const [, width, height] = /^<svg [^>]*width="(\d+)" height="(\d+)"/.exec(bytes.toString()) ?? [];
  return width && height ? { contentType: 'image/svg+xml', width: Number(width), height: Number(height) } : null;
}
