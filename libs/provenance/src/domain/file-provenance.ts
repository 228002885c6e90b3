import type { FileSource } from '#files';

/** A mark in the bytes of a file. */
export interface FoundMark {
  readonly kind: 'xmp' | 'c2pa';
  /** The maker of the mark, by its own account; `null` if it does not say. */
  readonly signer: string | null;
  /** True if the bytes are those that were signed; `null` for a mark without a signature. */
  readonly intact: boolean | null;
  /** True if the operator trusts the signer; `null` for a mark without a signature. */
  readonly trusted: boolean | null;
  /** A URI; `null` if the mark does not say. */
  readonly digitalSource: string | null;
}

/** Everything that is known of where a file comes from. */
export interface FileProvenance {
  readonly source: FileSource;
  /** A URI; for an output that of its generation, else that of its marks. */
  readonly digitalSource: string | null;
  readonly generationId: number | null;
  /** The model of the generation. */
  readonly model: string | null;
  readonly madeAt: Date;
  /** Ids of the files that went into the generation and that are still there, in the order of the inputs. */
  readonly parents: readonly number[];
  /** `null` for a file that is too large to be read. */
  readonly marks: readonly FoundMark[] | null;
}

/** The digital source type that marks state; `null` for none. A signature that is broken says nothing. */
export function statedSource(marks: readonly FoundMark[]): string | null {
  return marks.find(({ digitalSource, intact }) => intact !== false && digitalSource !== null)?.digitalSource ?? null;
}
