import { NO_PROVENANCE, type Provenance } from '#files';
import { isGlb } from '../types/gltf-head.ts';
import { PictureTooLarge, UnreadablePicture, type Piece, type Reader } from '../strip/reader.ts';

const MAX_JSON_BYTES = 16 * 1024 * 1024;
const MAX_LENGTH = 0xffff_ffff;
/** Bytes of the header of the file and of its first chunk. */
const HEAD = 20;

type JsonObject = Record<string, unknown>;

/** The provenance of a GLB, in `asset.extras`, and the file with another one. (glTF 2.0, 3.5 and 4.4.) */
export function openGlb(file: Reader, size: number) {
  const head = Buffer.from(file.exactly(0, HEAD));
  if (!isGlb(head) || head.readUInt32LE(8) !== size) throw new UnreadablePicture('not a whole GLB');
  const length = head.readUInt32LE(12);
  if (length > MAX_JSON_BYTES) throw new PictureTooLarge(`${length} bytes of JSON`);
  const model = jsonIn(file.exactly(HEAD, length));
  const { asset } = model;
  if (!isObject(asset)) throw new UnreadablePicture('a GLB without asset');
  const { extras = {} } = asset;
  return {
    found: isObject(extras) ? provenanceIn(extras) : NO_PROVENANCE,
    write(provenance: Provenance): readonly Piece[] | null {
      if (!isObject(extras)) return null;
      const said = { ...extras, ...extrasOf(provenance) };
      const json = Buffer.from(JSON.stringify({ ...model, asset: { ...asset, extras: said } }));
      const padded = Buffer.concat([json, Buffer.from(' '.repeat(-json.length & 3))]);
      const whole = size - length + padded.length;
      if (whole > MAX_LENGTH) return null;
      const written = Buffer.from(head);
      written.writeUInt32LE(whole, 8);
      written.writeUInt32LE(padded.length, 12);
      return [written, padded, { start: HEAD + length, end: Infinity }];
    },
  };
}

function jsonIn(bytes: Buffer): JsonObject {
  try {
    return JSON.parse(bytes.toString('utf8')) as JsonObject;
  } catch (cause) {
    throw new UnreadablePicture('malformed JSON', { cause });
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Names as in XMP; a tool of the model's author stays in `asset.generator`. */
function extrasOf({ digitalSource, creatorTool, identifier }: Provenance): JsonObject {
  const named = { digitalSourceType: digitalSource, creatorTool, identifier };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== null));
}

function provenanceIn({ digitalSourceType, creatorTool, identifier }: JsonObject): Provenance {
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
  const digitalSource = text(digitalSourceType);
  return { digitalSource, creatorTool: text(creatorTool), identifier: text(identifier), credit: null };
}
