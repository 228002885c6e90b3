/** Contents of the manifest of a file that the service made. */
export interface ManifestFacts {
  /** Value of `digitalSourceType`: a URI of the IPTC. */
  readonly digitalSource: string;
  /** Shown as the title of the file. */
  readonly title: string;
  /** The model that made it; `null` if unknown. */
  readonly model: string | null;
  /** The picture that it was made from, as a local file; `null` for an output. */
  readonly parent: { readonly file: string; readonly contentType: string } | null;
}

/** A C2PA manifest in the bytes of a file. */
export interface FoundManifest {
  /** Name in the signer's certificate; `null` if it can't be read. */
  readonly signer: string | null;
  /** True when the bytes are those that were signed. */
  readonly intact: boolean;
  /** True when the signer's certificate leads to one that the operator trusts. */
  readonly trusted: boolean;
  /** The last `digitalSourceType` that it states; `null` for none. */
  readonly digitalSource: string | null;
}

/** Signed manifests (C2PA) in the bytes of pictures and videos. */
export interface Manifests {
  /**
   * Writes `file` with a signed manifest to `target`.
   *
   * @returns false, without a target, when it can't be signed: without a usable key, for a type that takes no manifest,
   * for a file that is too large or damaged. Never throws for those
   */
  sign(file: string, target: string, contentType: string, facts: ManifestFacts): Promise<boolean>;

  /** The manifest in the bytes; `null` when there is none that can be read. */
  find(file: string, contentType: string): Promise<FoundManifest | null>;
}
