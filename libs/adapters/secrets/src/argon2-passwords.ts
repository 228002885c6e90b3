import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { hash, verify, type Options } from '@node-rs/argon2';
import { Semaphore } from '#kernel';
import type { Password, PasswordHash, Passwords } from '#identity';

/** OWASP's recommendation for argon2id, the default algorithm: 19 MiB, two passes, no parallelism. */
const COST: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** About five seconds of a core. */
const MAX_WAITING = 200;

/**
 * Hashes passwords with argon2id on Node's thread pool. At most `concurrency` computations run at once, so that an
 * attack exhausts neither the memory nor the threads that file and DNS operations need. While `maxWaiting` wait, further
 * ones are refused with DomainError `unavailable`.
 */
export class Argon2Passwords implements Passwords {
  readonly #turns: Semaphore;
  #common: ReadonlySet<string> | undefined;
  #dummy: Promise<PasswordHash> | undefined;

  constructor(concurrency = availableParallelism() > 2 ? 2 : 1, maxWaiting = MAX_WAITING) {
    this.#turns = new Semaphore(concurrency, maxWaiting);
  }

  isCommon(password: Password): boolean {
    return (this.#common ??= commonPasswords()).has(password.toLowerCase());
  }

  hash(password: Password): Promise<PasswordHash> {
    return this.#turns.on(1, async () => (await hash(password, COST)) as PasswordHash);
  }

  async verify(password: Password, expected: PasswordHash | null): Promise<boolean> {
    const dummy = await (this.#dummy ??= hash('', COST) as Promise<PasswordHash>);
    const matches = await this.#turns.on(1, () => verify(expected ?? dummy, password));
    return matches && expected !== null;
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
