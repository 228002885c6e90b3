import { createRequire } from 'node:module';
import { hash, verify, type Options } from '@node-rs/argon2';
import { Semaphore } from '#kernel';
import type { Password, PasswordHash, Passwords } from '#identity';
import { slowFunctions } from './slow-functions.ts';

/** OWASP's recommendation for argon2id, the default algorithm: 19 MiB, two passes, no parallelism. */
const COST: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** About five seconds of a core. */
const MAX_WAITING = 200;

/**
 * Hashes passwords with argon2id, at most `concurrency` at once. While `maxWaiting` wait, further ones are refused with
 * DomainError `unavailable`.
 */
export class Argon2Passwords implements Passwords {
  readonly #turns: Semaphore;
  #common: ReadonlySet<string> | undefined;
  #dummy: Promise<PasswordHash> | undefined;

  constructor(concurrency = slowFunctions.all, maxWaiting = MAX_WAITING) {
    this.#turns = new Semaphore(concurrency, maxWaiting);
  }

  isCommon(password: Password): boolean {
    return (this.#common ??= commonPasswords()).has(password.toLowerCase());
  }

  hash(password: Password): Promise<PasswordHash> {
    return this.#inTurn(async () => (await hash(password, COST)) as PasswordHash);
  }

  async verify(password: Password, expected: PasswordHash | null): Promise<boolean> {
    const dummy = await (this.#dummy ??= hash('', COST) as Promise<PasswordHash>);
    const matches = await this.#inTurn(() => verify(expected ?? dummy, password));
    return matches && expected !== null;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.on(1, () => slowFunctions.on(1, work));
  }
}

/** The list of zxcvbn. It is loaded at the first use, because that takes 60 ms and 3 MB. */
function commonPasswords(): ReadonlySet<string> {
  const list = createRequire(import.meta.url)('@zxcvbn-ts/language-common') as CommonWords;
  return new Set(list.dictionary['passwords-common']);
}

interface CommonWords {
  readonly dictionary: { readonly 'passwords-common': readonly string[] };
}
