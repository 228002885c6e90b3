import type { Provenance } from '#files';

/** Reads the marks that are in bytes themselves. */
export interface MarkReader {
  /** The provenance in the XMP of a local file; `null` when it states no digital source type, or can't be read. */
  read(file: string, contentType: string): Promise<Provenance | null>;
}
