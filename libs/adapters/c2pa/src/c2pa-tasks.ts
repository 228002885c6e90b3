import type { FoundManifest, ManifestFacts } from '#sources';
import type { Algorithm } from './cose.ts';

export type C2paTask =
  | {
      readonly kind: 'sign';
      readonly file: string;
      readonly target: string;
      readonly contentType: string;
      readonly facts: ManifestFacts;
    }
  | { readonly kind: 'find'; readonly file: string; readonly contentType: string };

/** A task, and what all tasks have in common. */
export interface C2paOrder {
  readonly task: C2paTask;
  /** PEM, and the certificates as DER in base64; `null` to verify. */
  readonly key: { readonly pem: string; readonly algorithm: Algorithm; readonly chain: readonly string[] } | null;
  /** Shown as the program that made the manifest. */
  readonly generator: { readonly name: string; readonly version: string };
  /** Roots in PEM, one after the other; empty for none. */
  readonly trusted: string;
}

export interface C2paReply {
  readonly isSigned?: boolean;
  /** Why it is not. */
  readonly reason?: string;
  readonly manifest?: FoundManifest | null;
}
