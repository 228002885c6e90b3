import { copyFile, open, rename, rm } from 'node:fs/promises';
import {
  digitalSourceInManifest,
  hasPositionIn,
  NO_PROVENANCE,
  provenanceIn,
  rdfOf,
  withProvenance,
  xmpPacketOf,
  type Marking,
  type Provenance,
} from '#files';
import { Reader, UnreadablePicture, type Piece } from '../strip/reader.ts';
import { stripMetadata, writePieces } from '../strip/strip-metadata.ts';
import { scanGif } from './gif.ts';
import { openGlb } from './glb.ts';
import { scanHeif } from './heif.ts';
import { scanJpeg } from './jpeg.ts';
import { scanMp4 } from './mp4.ts';
import { scanPng } from './png.ts';
import type { Packet, Scan, Scanner } from './scan.ts';
import { scanSvg } from './svg.ts';
import { scanTiff } from './tiff.ts';
import { scanWebp } from './webp.ts';

const SVG = 'image/svg+xml';
const GLB = 'model/gltf-binary';

const SCANNERS: Readonly<Record<string, Scanner>> = {
  'image/jpeg': scanJpeg,
  'image/png': scanPng,
  'image/webp': scanWebp,
  'image/gif': scanGif,
  'image/tiff': scanTiff,
  'image/avif': scanHeif,
  'image/heic': scanHeif,
  'image/heif': scanHeif,
  [SVG]: scanSvg,
  'video/mp4': scanMp4,
};

/** The marks in the bytes of a file. */
export interface FoundMark extends Provenance {
  /** A manifest of C2PA, valid or not. */
  readonly hasSignature: boolean;
  /** True if the digital source type is stated outside of the manifest. */
  readonly isInXmp: boolean;
}

const NO_MARK: FoundMark = { ...NO_PROVENANCE, hasSignature: false, isInXmp: false };

/** A file whose container can have a mark. */
interface MarkedFile {
  readonly found: FoundMark;
  readonly hasPosition: boolean;
  /** `null` when the container can't take it. */
  readonly write: (provenance: Provenance) => readonly Piece[] | null;
}

/**
 * Reads the marks of a file; none of a container that is damaged, of another type or can't have one. The time is
 * proportional to the number of its parts.
 */
export async function readMark(file: string, contentType: string): Promise<FoundMark> {
  const opened = await withOpened(file, contentType, async ({ found }) => found);
  return opened ?? NO_MARK;
}

/** The provenance in the XMP of a file; `null` when it states no digital source type. */
export async function findXmp(file: string, contentType: string): Promise<Provenance | null> {
  const { isInXmp, hasSignature: _, ...found } = await readMark(file, contentType);
  return isInXmp ? found : null;
}

/**
 * Writes `file` with a mark to `target`; pixels and frames are the same bytes. A file that carries a signature or a
 * mark is kept, and so is one that can't take a mark: then there is no `target`.
 */
export async function writeMark(
  file: string,
  target: string,
  contentType: string,
  provenance: Provenance,
): Promise<Extract<Marking, 'marked' | 'kept' | 'unmarked'>> {
  const marking = await withOpened(file, contentType, async ({ found, write }, reader, size) => {
    if (isMarked(found)) return 'kept';
    const pieces = write(provenance);
    if (!pieces) return 'unmarked';
    await writePieces(reader, size, pieces, target);
    return 'marked';
  });
  if (marking !== 'marked') await rm(target, { force: true });
  return marking ?? 'unmarked';
}

/**
 * Writes the picture `source` to `target` as `stripMetadata` does, but keeps its provenance. A picture with a
 * signature, which that would break, is kept whole, unless it has a position.
 *
 * @param strip writes the picture without its metadata to `target`
 * @returns `null` for a picture without marks
 * @throws UnreadablePicture for a malformed file
 */
export async function stripButMarks(
  source: string,
  target: string,
  contentType: string,
  strip = () => stripMetadata(source, target, contentType),
): Promise<Marking | null> {
  const before = await withOpened(source, contentType, async ({ found, hasPosition }) => ({ found, hasPosition }));
  const { found, hasPosition } = before ?? { found: NO_MARK, hasPosition: false };
  if (found.hasSignature && !hasPosition) {
    await copyFile(source, target);
    return 'kept';
  }
  await strip();
  const marking = found.digitalSource === null ? null : await addMark(target, contentType, found);
  return found.hasSignature ? 'signature_dropped' : marking;
}

async function addMark(file: string, contentType: string, { hasSignature: _, isInXmp: __, ...provenance }: FoundMark) {
  const marked = `${file}-marked`;
  const marking = await writeMark(file, marked, contentType, provenance);
  if (marking === 'marked') await rename(marked, file);
  return marking;
}

interface TypedFile {
  readonly file: string;
  readonly type: string;
}

/** Marks a copy as the file that it was made from. @returns false when that has no mark */
export async function copyMark(from: TypedFile, to: TypedFile): Promise<boolean> {
  const found = await readMark(from.file, from.type);
  if (found.digitalSource === null) return false;
  await addMark(to.file, to.type, found);
  return true;
}

/** The packet that smaller pictures and copies of a file get: the provenance it carries; `null` without any. */
export async function passedOn(file: string, contentType: string): Promise<string | null> {
  const { hasSignature: _, isInXmp: __, ...found } = await readMark(file, contentType);
  return found.digitalSource === null ? null : xmpPacketOf(found);
}

function isMarked({ hasSignature, digitalSource }: FoundMark): boolean {
  return hasSignature || digitalSource !== null;
}

/** @returns `null` for a file whose structure is not that of its type */
async function withOpened<T>(
  file: string,
  contentType: string,
  work: (opened: MarkedFile, reader: Reader, size: number) => Promise<T>,
): Promise<T | null> {
  await using handle = await open(file);
  const { size } = await handle.stat();
  const reader = new Reader(handle.fd);
  try {
    const opened = markedFile(reader, size, contentType);
    return opened && (await work(opened, reader, size));
  } catch (error) {
    // A number that is too large for its place, or a part that ends before its numbers do.
    if (error instanceof UnreadablePicture || error instanceof RangeError) return null;
    throw error;
  }
}

function markedFile(reader: Reader, size: number, contentType: string): MarkedFile | null {
  if (contentType === GLB) {
    const { found, write } = openGlb(reader, size);
    const isInXmp = found.digitalSource !== null;
    return { found: { ...found, hasSignature: false, isInXmp }, hasPosition: false, write };
  }
  const scanner = SCANNERS[contentType];
  return scanner ? ofXmp(scanner(reader, size), contentType === SVG ? rdfOf : xmpPacketOf) : null;
}

/** Reports whether a packet is an extension of the first one that has none of the properties of a mark. */
function isUnrelated({ text, isWhole, isExtension }: Packet): boolean {
  return isExtension === true && isWhole && Object.values(provenanceIn(text)).every((value) => value === null);
}

/** A file is never given a second packet, and loses nothing of its own. */
function ofXmp({ packets, signature, hasPosition, put }: Scan, newXmp: (provenance: Provenance) => string): MarkedFile {
  const said = packets.map(({ text }) => provenanceIn(text));
  const first = said.find(({ digitalSource }) => digitalSource !== null) ?? said[0] ?? NO_PROVENANCE;
  const digitalSource = first.digitalSource ?? (signature === null ? null : digitalSourceInManifest(signature));
  return {
    found: { ...first, digitalSource, hasSignature: signature !== null, isInXmp: first.digitalSource !== null },
    hasPosition: hasPosition || packets.some(({ text }) => hasPositionIn(text)),
    write: (provenance) => {
      const [own, ...more] = packets;
      if (!own) return put(Buffer.from(newXmp(provenance)));
      if (!own.isWhole || own.isExtension || !more.every(isUnrelated)) return null;
      const both = withProvenance(own.text, provenance);
      // Their packet may end within a comment.
      const isRead = both !== null && provenanceIn(both).digitalSource !== null;
      return isRead ? put(Buffer.from(both)) : null;
    },
  };
}
