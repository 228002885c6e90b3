import { writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { SourceFailure } from '../domain/source-failure.ts';
import type { RemoteSources } from '../ports.ts';

/** Serves the URLs of `serve`, `refuse` and `hang`; any other URL is blocked. */
export class InMemoryRemoteSources implements RemoteSources {
  readonly #served = new Map<string, (signal?: AbortSignal) => Promise<Buffer>>();

  serve(bytes: Buffer): string {
    return this.#add(async () => bytes);
  }

  refuse(status: number): string {
    return this.#add(() => fail('url_unreachable', status >= 500));
  }

  hang(whenFetched = (): void => {}): string {
    return this.#add(async (signal) => {
      whenFetched();
      await delay(50, undefined, { signal }).catch(() => signal?.throwIfAborted());
      return fail('url_timeout', true);
    });
  }

  async fetchToFile(
    url: string,
    target: string,
    { maxBytes, signal }: { readonly maxBytes: number; readonly signal?: AbortSignal },
  ): Promise<number> {
    signal?.throwIfAborted();
    const bytes = await (this.#served.get(url)?.(signal) ?? fail('url_blocked', false));
    if (bytes.length > maxBytes) return fail('url_too_large', false);
    await writeFile(target, bytes);
    return bytes.length;
  }

  #add(served: (signal?: AbortSignal) => Promise<Buffer>): string {
    const url = `https://pictures.example/${this.#served.size}`;
    this.#served.set(url, served);
    return url;
  }
}

async function fail(code: SourceFailure['code'], retryable: boolean): Promise<never> {
  throw new SourceFailure(code, { retryable });
}
