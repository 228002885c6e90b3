import { DomainError } from './errors.ts';

declare const sealed: unique symbol;

/** A secret that is encrypted, as text that names its format and its key. */
export type Sealed = string & { readonly [sealed]: true };

/** Encrypts what the database keeps secret, under the key of the installation. */
export interface Sealer {
  /**
   * @param context what the secret belongs to, such as `two-factor of user 7`: it can be opened for the same context only
   * @throws DomainError `unavailable` when the installation has no key
   */
  seal(secret: Uint8Array, context: string): Sealed;

  /**
   * @throws DomainError `unavailable` when the secret can't be opened; the message tells whether there is no key, another
   * key, or the secret is damaged or of another context
   */
  open(secret: Sealed, context: string): Uint8Array;

  /** False for a secret that is sealed under the previous key, or under an unknown one. */
  isCurrent(secret: Sealed): boolean;
}

export interface SealedSecret {
  readonly id: number;
  readonly sealed: Sealed;
  readonly context: string;
}

/** All sealed secrets of one kind. */
export interface SealedSecrets {
  /** Secrets with an id above `after`, in the order of their ids. */
  list(after: number, limit: number): Promise<readonly SealedSecret[]>;

  /** Replaces a secret. False when it has changed since it was listed. */
  replace(secret: SealedSecret, by: Sealed): Promise<boolean>;
}

/** Counts of the sealed secrets, by their state. */
export interface VaultState {
  readonly kept: number;
  /** Sealed under the previous key. */
  readonly previous: number;
  /** Secrets that can't be opened, by reason. */
  readonly unreadable: Readonly<Record<string, number>>;
}

const PAGE = 500;

/** Every sealed secret of the service. */
export class Vault {
  constructor(
    private readonly sealer: Sealer,
    private readonly kinds: readonly SealedSecrets[],
  ) {}

  /** Opens every secret. */
  examine(): Promise<VaultState> {
    return this.#visit(() => Promise.resolve());
  }

  /**
   * Seals under the current key what is sealed under the previous one. It can be interrupted and run again, and repeats
   * itself until nothing is left, also of what programs have sealed meanwhile.
   *
   * @returns how many secrets were sealed again, and the state afterwards
   */
  async reseal(): Promise<VaultState & { readonly resealed: number }> {
    for (let resealed = 0; ;) {
      const state = await this.#visit(async (kind, secret, opened) => {
        if (await kind.replace(secret, this.sealer.seal(opened, secret.context))) resealed++;
      });
      if (state.previous === 0) return { ...state, resealed };
    }
  }

  async #visit(
    ofPrevious: (kind: SealedSecrets, secret: SealedSecret, opened: Uint8Array) => Promise<void>,
  ): Promise<VaultState> {
    let [kept, previous] = [0, 0];
    const unreadable: Record<string, number> = {};
    for (const kind of this.kinds) {
      for await (const secret of allOf(kind)) {
        kept++;
        const opened = this.#open(secret);
        if (typeof opened === 'string') unreadable[opened] = (unreadable[opened] ?? 0) + 1;
        else if (!this.sealer.isCurrent(secret.sealed)) {
          previous++;
          await ofPrevious(kind, secret, opened);
        }
      }
    }
    return { kept, previous, unreadable };
  }

  /** @returns why not, where it can't be opened */
  #open({ sealed, context }: SealedSecret): Uint8Array | string {
    try {
      return this.sealer.open(sealed, context);
    } catch (error) {
      if (error instanceof DomainError) return error.message;
      throw error;
    }
  }
}

async function* allOf(kind: SealedSecrets): AsyncGenerator<SealedSecret> {
  for (let after = 0; ;) {
    const page = await kind.list(after, PAGE);
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1)!.id;
  }
}
