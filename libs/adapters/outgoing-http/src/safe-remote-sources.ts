import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { finished, pipeline } from 'node:stream/promises';
import { SourceFailure, type RemoteSources } from '#sources';
import type { SafeHttp, SafeRequest } from './safe-http.ts';

/** Statuses after which a retry may succeed. */
export const TEMPORARY = [408, 425, 429, 500, 502, 503, 504];

const BUFFERED_BYTES = 1024 * 1024;

/** Fetches untrusted URLs with `SafeHttp`. */
export class SafeRemoteSources implements RemoteSources {
  constructor(private readonly http: SafeHttp) {}

  async fetchToFile(
    url: string,
    target: string,
    {
      temporary = TEMPORARY,
      ...options
    }: Pick<SafeRequest, 'maxBytes' | 'signal' | 'headers'> & { readonly temporary?: readonly number[] },
  ): Promise<number> {
    try {
      return await this.http.exchange(url, { ...options, method: 'GET' }, async ({ status, body }) => {
        if (status !== 200) {
          throw new SourceFailure('url_unreachable', { retryable: temporary.includes(status) });
        }
        // A stream with a large buffer writes many chunks at once; `writeFile` does not.
        const file = createWriteStream(target, { highWaterMark: BUFFERED_BYTES });
        try {
          await pipeline(body, file);
        } finally {
          // A file that is still being opened would appear after its removal.
          await finished(file).catch(() => undefined);
        }
        return file.bytesWritten;
      });
    } catch (error) {
      await rm(target, { force: true });
      throw error;
    }
  }
}
