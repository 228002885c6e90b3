import type { StoredFile } from '#files';
import type { PictureFacts } from '#sources';
import type { Transformation } from './domain/transformation.ts';

/** A stored file, as its variants need it. */
export type Source = Pick<
  StoredFile,
  'id' | 'workspaceId' | 'key' | 'filename' | 'contentType' | 'size' | 'width' | 'height' | 'expiresAt'
>;

/** A made variant: a file. */
export type Variant = Pick<StoredFile, 'id' | 'key' | 'contentType'>;

/** Why a picture has no variants: it can't be decoded, or exceeds the limits of pixels or memory. */
export type VariantFailure = 'not_an_image' | 'picture_too_large';

/** The state of a variant; `free` when it is to be made. */
export type VariantState =
  | { readonly state: 'made'; readonly file: Variant }
  | { readonly state: 'failed'; readonly failure: VariantFailure }
  | { readonly state: 'claimed' }
  /** With the number of variants that the picture has. */
  | { readonly state: 'free'; readonly variants: number };

/** The right to make a variant, of one process, until `until`. */
export interface VariantClaim {
  readonly sourceId: number;
  /** `canonicalText` of the transformation. */
  readonly options: string;
  readonly until: Date;
}

/** The variants of all pictures, by picture and options. */
export interface VariantRecords {
  /** The file with this key; `null` when there is none, or it is in the trash. */
  source(key: string): Promise<Source | null>;

  /** The state at `now`; `null` when the source is deleted. */
  find(sourceId: number, options: string, now: Date): Promise<VariantState | null>;

  /** Claims a variant that is free. False when it is not, however many calls race, and when the source is deleted. */
  claim(claim: VariantClaim, now: Date): Promise<boolean>;

  /**
   * Saves the file of a claimed variant: it is a file of the picture from now on, as a thumbnail is. False, without
   * effect, when the claim is lost, or the source deleted.
   */
  save(claim: VariantClaim, fileId: number): Promise<boolean>;

  /** Saves that a claimed variant can't be made; it is free again at `until`. Without effect when the claim is lost. */
  fail(claim: VariantClaim, failure: VariantFailure, until: Date): Promise<void>;

  /** Gives up a claim. */
  release(claim: VariantClaim): Promise<void>;

  /** Frees the variant whose file this is, if there is one. The sweep deletes the file. */
  forget(fileId: number): Promise<void>;
}

/** Transforms untrusted pictures, within the limits of `Pictures`. */
export interface PictureTransforms {
  /**
   * Writes the first frame of the picture in `file` to `target`: of the size that `sizeOf` says, upright, in sRGB, its
   * transparency kept, in a JPEG on white; without metadata but its provenance.
   *
   * @param label a text in its bottom right corner
   * @returns the facts of the written picture
   * @throws SourceFailure as `Pictures.examine`, and `not_an_image` for a drawing. On failure `target` does not exist
   */
  transform(file: string, target: string, wanted: Transformation, label?: string | null): Promise<PictureFacts>;
}
