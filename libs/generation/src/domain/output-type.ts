import { placeholdersOf, type Model, type ModelKind } from '#catalogue';
import { PRIVATE_TYPES } from '#files';

/** The content types that each kind of model may return. */
const OUTPUT_TYPES: Readonly<Record<ModelKind, { readonly name: string; readonly types: readonly string[] }>> = {
  image: { name: 'picture', types: ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] },
  video: { name: 'video', types: ['video/mp4', 'video/webm'] },
  vector: { name: 'vector picture', types: ['image/svg+xml'] },
  model3d: { name: '3D model', types: ['model/gltf-binary'] },
  mask: { name: 'mask', types: ['image/png'] },
  style: { name: 'style', types: Object.values(PRIVATE_TYPES) },
};

/** The name of a kind of output in messages. */
export function outputName(kind: ModelKind): string {
  return OUTPUT_TYPES[kind].name;
}

/** @param contentType as detected from the bytes; `null` for an unknown one */
export function fitsKind(kind: ModelKind, contentType: string | null): contentType is string {
  return contentType !== null && OUTPUT_TYPES[kind].types.includes(contentType);
}

/** Weights of a style are larger than pictures. */
const MAX_STYLE_BYTES = 2 * 1024 ** 3;

/** @param maxBytes of an output of any other kind */
export function maxOutputBytes(kind: ModelKind, maxBytes: number): number {
  return kind === 'style' ? MAX_STYLE_BYTES : maxBytes;
}

/** Reports whether a file has the length in its header (glTF 2.0, 4.4.2). */
export function isWholeGlb(head: Buffer, size: number): boolean {
  return head.length >= 12 && head.readUInt32LE(8) === size;
}

const MAX_LABEL_LENGTH = 200;

/** Normalizes a vendor's label to one line of at most 200 characters. */
export function labelOf(label: string | null): string | null {
  const text = label
    ?.slice(0, MAX_LABEL_LENGTH)
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
  return text ? text : null;
}

/** The label of an output: the vendor's; otherwise, for a mask of a model with a prompt, the prompt. */
export function outputLabel(
  { kind, mapping }: Pick<Model, 'kind' | 'mapping'>,
  label: string | null,
  prompt: string | null,
): string | null {
  const isFound = kind === 'mask' && placeholdersOf(mapping).includes('prompt');
  return labelOf(label) ?? (isFound ? labelOf(prompt) : null);
}

/** The score if it is in 0..1; otherwise `null`. */
export function scoreOf(score: number | null): number | null {
  return score !== null && score >= 0 && score <= 1 ? score : null;
}
