import { open } from 'node:fs/promises';
import { fileTypeFromBuffer } from 'file-type';
import { ALL_TYPES, CONTENT_TYPES, HEAD_BYTES, STORED_TYPES, type FileTypes } from '#files';
import { isGlb, isGltf, isGltfBeginning } from './types/gltf-head.ts';
import { readSvgHead } from './types/svg-head.ts';

/** Content types by the names of file-type. Programs without support for animated PNG show its first frame. */
const BY_SIGNATURE: ReadonlyMap<string, string> = new Map([
  ['image/jpeg', CONTENT_TYPES.jpg],
  ['image/png', CONTENT_TYPES.png],
  ['image/apng', CONTENT_TYPES.png],
  ['image/webp', CONTENT_TYPES.webp],
  ['image/gif', CONTENT_TYPES.gif],
  ['image/tiff', CONTENT_TYPES.tiff],
  ['video/webm', STORED_TYPES.webm],
]);

/** Detects types by signature, and text formats by their beginning; never by file name. */
export class MagicFileTypes implements FileTypes {
  async detect(bytes: Buffer): Promise<string | null> {
    if (isMp4(bytes)) return CONTENT_TYPES.mp4;
    if (isGlb(bytes)) return CONTENT_TYPES.glb;
    const signature = await fileTypeFromBuffer(bytes);
    const known = signature && BY_SIGNATURE.get(signature.mime);
    if (known) return known;
    if (isTiffWithLateDirectory(bytes)) return CONTENT_TYPES.tiff;
    if (isFbx(bytes)) return CONTENT_TYPES.fbx;
    if (readSvgHead(bytes)) return CONTENT_TYPES.svg;
    const text = bytes.toString('utf8');
    const isJson = bytes.length < HEAD_BYTES ? isGltf(text) : isGltfBeginning(text);
    return isJson ? CONTENT_TYPES.gltf : null;
  }
}

/** Pictures that have marks, though the service takes none of them: it sends AVIF. */
const MARKED_ALONE: ReadonlySet<string> = new Set([ALL_TYPES.avif, 'image/heic', 'image/heif']);

/** Detects all types whose marks can be read. */
export class MarkedFileTypes extends MagicFileTypes {
  override async detect(bytes: Buffer): Promise<string | null> {
    const stored = await super.detect(bytes);
    const mime = stored ?? (await fileTypeFromBuffer(bytes))?.mime ?? null;
    return stored !== null || (mime !== null && MARKED_ALONE.has(mime)) ? mime : null;
  }
}

/** The bytes of a file of this machine that its type is detected from. */
export async function headOf(file: string): Promise<Buffer> {
  await using handle = await open(file);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  return buffer.subarray(0, bytesRead);
}

/**
 * Brands of MP4 files with video. The same container with other brands holds pictures (HEIF, AVIF), sound, QuickTime
 * films, or raw photographs. (ISO/IEC 14496-12; mp4ra.org)
 */
const MP4_VIDEO = /^(?:isom|iso[2-9a-c]|mp4[12]|mp71|avc1|dash|msdh|cmf[c-s]|MSNV|XAVC|F4V |M4V |M4VH|M4VP)$/;
const MP4_PICTURE = /^(?:mif[12]|msf1|miaf|hei[cxms]|hev[cxms]|avi[fso]|jpe[gs])$/;

/** Reports whether `bytes` are (the beginning of) an MP4 video, as its file type box says. */
function isMp4(bytes: Buffer): boolean {
  if (bytes.length < 16 || bytes.toString('latin1', 4, 8) !== 'ftyp') return false;
  const boxEnd = bytes.readUInt32BE(0);
  if (boxEnd < 16 || boxEnd % 4 !== 0 || boxEnd > bytes.length) return false;
  const brands = [bytes.toString('latin1', 8, 12)];
  for (let at = 16; at < boxEnd; at += 4) brands.push(bytes.toString('latin1', at, at + 4));
  return MP4_VIDEO.test(brands[0]!) && !brands.some((brand) => MP4_PICTURE.test(brand));
}

const CANON_RAW = 'CR';

/**
 * Reports whether `bytes` are the beginning of a TIFF whose directory comes later, as most programs write it. Raw
 * photographs of cameras start with their directory.
 */
function isTiffWithLateDirectory(bytes: Buffer): boolean {
  if (bytes.length < 10) return false;
  const order = bytes.toString('latin1', 0, 2);
  if (order !== 'II' && order !== 'MM') return false;
  const little = order === 'II';
  const version = little ? bytes.readUInt16LE(2) : bytes.readUInt16BE(2);
  const directory = little ? bytes.readUInt32LE(4) : bytes.readUInt32BE(4);
  return version === 42 && directory >= bytes.length && bytes.toString('latin1', 8, 10) !== CANON_RAW;
}

const FBX_MAGIC = Buffer.from('Kaydara FBX Binary  \0\x1a\0', 'latin1');

/** After comments, the header with its version is the first node. */
const FBX_TEXT =
  /^(?:[ \t]*(?:;[^\n]*)?\r?\n)*[ \t]*FBXHeaderExtension:[ \t]*\{\s*(?:;[^\n]*\n\s*)*FBX(?:Header)?Version:[ \t]*\d/;

/** Reports whether `bytes` are (the beginning of) an FBX scene, in its binary or its text form. */
function isFbx(bytes: Buffer): boolean {
  const magic = bytes.subarray(0, FBX_MAGIC.length);
  if (magic.equals(FBX_MAGIC)) return bytes.length >= FBX_MAGIC.length + 4;
  return FBX_TEXT.test(bytes.toString('latin1'));
}
