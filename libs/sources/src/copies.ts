import type { ManifestFacts, Manifests, PictureDerivatives } from './ports.ts';

/** The longer side of the smallest copy that is signed, in pixels: a manifest adds 13 kB. */
const MIN_SIGNED_EDGE = 1024;

/** A local file and its type. */
export interface TypedFile {
  readonly file: string;
  readonly contentType: string;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

export function isLarge({ width, height }: Size): boolean {
  return Math.max(width, height) >= MIN_SIGNED_EDGE;
}

/** The signed file beside the given one; `null` when it can't be signed. No file is given up for a signature. */
export async function signed(
  manifests: Pick<Manifests, 'sign'>,
  { file, contentType }: TypedFile,
  facts: ManifestFacts,
): Promise<string | null> {
  const target = `${file}-signed`;
  const isSigned = await manifests.sign(file, target, contentType, facts).catch(() => false);
  return isSigned ? target : null;
}

/** Signs a copy of a file that carries a mark. Returns the signed file, or the copy itself. */
export type SignCopy = (copy: TypedFile & Partial<Size>, parent: TypedFile) => Promise<string>;

/** Signs copies that carry a mark, as made from their parent; of those whose size is given only large ones. */
export function copySigner(
  marks: Pick<PictureDerivatives, 'findMark'>,
  manifests: Pick<Manifests, 'signs' | 'sign'>,
): SignCopy {
  return async ({ width, height, ...copy }, parent) => {
    const isSmall = width !== undefined && height !== undefined && !isLarge({ width, height });
    if (!manifests.signs || isSmall) return copy.file;
    const found = await marks.findMark(copy.file, copy.contentType).catch(() => null);
    if (!found) return copy.file;
    const facts = { digitalSource: found.digitalSource!, title: found.identifier ?? 'copy', model: null, parent };
    return (await signed(manifests, copy, facts)) ?? copy.file;
  };
}
