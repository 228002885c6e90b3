import { writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { SourceFailure } from '../domain/source-failure.ts';
import type { RemoteSources } from '../ports.ts';

type Answer = Buffer | 'hangs' | { readonly status: number };

/** A small web of its own: what `serve`, `refuse` and `hang` put there can be fetched, hosts it doesn't know are blocked. */
export class InMemoryRemoteSources implements RemoteSources {
  readonly #answers = new Map<string, Answer>();
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

  hang(): string {
    return this.#add('hangs');
  }

  async fetchToFile(
    url: string,
    target: string,
    { maxBytes, signal }: { readonly maxBytes: number; readonly signal?: AbortSignal },
  ): Promise<number> {
    signal?.throwIfAborted();
    const answer = this.#answers.get(url);
    if (answer === undefined) throw new SourceFailure('url_blocked', { retryable: false });
    if (answer === 'hangs') {
      await delay(this.#timeoutMs, undefined, { signal }).catch(() => signal?.throwIfAborted());
      throw new SourceFailure('url_timeout', { retryable: true });
    }
    if ('status' in answer) {
      throw new SourceFailure('url_unreachable', {
        retryable: answer.status === 429 || answer.status >= 500,
      });
    }
    if (answer.length > maxBytes) throw new SourceFailure('url_too_large', { retryable: false });
    await writeFile(target, answer);
    return answer.length;
  }

  #add(answer: Answer): string {
    const url = `https://pictures.example/${this.#answers.size}`;
    this.#answers.set(url, answer);
    return url;
  }
}
