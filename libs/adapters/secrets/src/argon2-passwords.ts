import { createRequire } from 'node:module';
import { hash, verify, type Options } from '@node-rs/argon2';
import type { Password, PasswordHash, Passwords } from '#identity';

/** OWASP's first choice for argon2id, which is the algorithm by default: 19 MiB, two passes, one lane. */
const COST: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * argon2id on Node's thread pool. At most `concurrency` computations run at once, so that guessed passwords exhaust
 * neither the memory nor the threads that file and DNS operations need.
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

/** The list of zxcvbn, loaded when the first password is chosen: it takes 60 ms and 3 MB. */
function commonPasswords(): ReadonlySet<string> {
  const list = createRequire(import.meta.url)('@zxcvbn-ts/language-common') as CommonWords;
  return new Set(list.dictionary['passwords-common']);
}

interface CommonWords {
  readonly dictionary: { readonly 'passwords-common': readonly string[] };
}
