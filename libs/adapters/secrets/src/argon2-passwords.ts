import { createRequire } from 'node:module';
import { hash, verify, type Options } from '@node-rs/argon2';
import type { Password, PasswordHash, Passwords } from '#identity';

/** OWASP's recommendation for argon2id, the default algorithm: 19 MiB, two passes, no parallelism. */
const COST: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Hashes passwords with argon2id on Node's thread pool. At most `concurrency` computations run at once, so that an
 * attack exhausts neither the memory nor the threads that file and DNS operations need.
 */
export class Argon2Passwords implements Passwords {
  readonly #waiting: Array<() => void> = [];
  #running = 0;
  #common: ReadonlySet<string> | undefined;
  #dummy: Promise<PasswordHash> | undefined;

  constructor(private readonly concurrency = 2) {}

  isCommon(password: Password): boolean {
    return (this.#common ??= commonPasswords()).has(password.toLowerCase());
  }

  hash(password: Password): Promise<PasswordHash> {
    return this.#queued(async () => (await hash(password, COST)) as PasswordHash);
  }

  async verify(password: Password, expected: PasswordHash | null): Promise<boolean> {
    const dummy = await (this.#dummy ??= this.hash('' as Password));
    const matches = await this.#queued(() => verify(expected ?? dummy, password));
    return matches && expected !== null;
  }

  async #queued<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.concurrency) this.#running++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
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
