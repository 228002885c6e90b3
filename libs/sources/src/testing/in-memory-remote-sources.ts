import { writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { SourceFailure } from '../domain/source-failure.ts';
import type { RemoteSources } from '../ports.ts';

type Served = Buffer | { readonly whenFetched: () => void } | { readonly status: number };

/** Serves what `serve`, `refuse` and `hang` were given; any other URL is blocked. */
export class InMemoryRemoteSources implements RemoteSources {
  readonly #served = new Map<string, Served>();
  readonly #timeoutMs: number;

  constructor({ timeoutMs = 100 }: { readonly timeoutMs?: number } = {}) {
    this.#timeoutMs = timeoutMs;
  }

  serve(bytes: Buffer): string {
    return this.#add(bytes);
  }

  refuse(status: number): string {
    return this.#add({ status });
  }

  hang(whenFetched = (): void => {}): string {
    return this.#add({ whenFetched });
  }

  async fetchToFile(
    url: string,
    target: string,
    { maxBytes, signal }: { readonly maxBytes: number; readonly signal?: AbortSignal },
  ): Promise<number> {
    signal?.throwIfAborted();
    const served = this.#served.get(url);
    if (served === undefined) throw new SourceFailure('url_blocked', { retryable: false });
    if ('whenFetched' in served) {
      served.whenFetched();
      await delay(this.#timeoutMs, undefined, { signal }).catch(() => signal?.throwIfAborted());
      throw new SourceFailure('url_timeout', { retryable: true });
    }
    if ('status' in served) {
      throw new SourceFailure('url_unreachable', { retryable: served.status === 429 || served.status >= 500 });
    }
    if (served.length > maxBytes) throw new SourceFailure('url_too_large', { retryable: false });
    await writeFile(target, served);
    return served.length;
  }

  #add(served: Served): string {
    const url = `https://pictures.example/${this.#served.size}`;
    this.#served.set(url, served);
    return url;
  }
}
