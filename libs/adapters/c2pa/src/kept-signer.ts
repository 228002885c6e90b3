import type { Clock } from '#kernel';
import { readSigner, UnusableSigner, type Signer, type SigningFiles } from './signing-files.ts';

/** A new key is used, and an expired one is not, within this time: nothing has to be started anew. */
const KEPT_MS = 300_000;

/** The signer in the files of the operator. */
export class KeptSigner {
  #kept: { readonly signer: Promise<Signer | null>; readonly until: number } | null = null;

  /** @param onUnusable called with the reason each time that the files are read and can't be used */
  constructor(
    private readonly files: SigningFiles,
    private readonly clock: Clock,
    private readonly onUnusable: (reason: string) => void,
  ) {}

  /** `null` while there is none that can be used. */
  get(): Promise<Signer | null> {
    const now = this.clock.now();
    if (this.#kept && this.#kept.until > now.getTime()) return this.#kept.signer;
    const signer = readSigner(this.files, now).catch((error: unknown) => {
      if (!(error instanceof UnusableSigner)) throw error;
      this.onUnusable(error.message);
      return null;
    });
    this.#kept = { signer, until: now.getTime() + KEPT_MS };
    return signer;
  }
}
