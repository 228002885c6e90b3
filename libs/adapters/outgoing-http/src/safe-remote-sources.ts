import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { finished, pipeline } from 'node:stream/promises';
import { SourceFailure, type RemoteSources } from '#sources';
import type { SafeHttp, SafeRequest } from './safe-http.ts';

/** Statuses of sources that are busy or broken for now. */
const TEMPORARY = [408, 425, 429, 500, 502, 503, 504];

/** What may have come and not been written yet. */
const BUFFERED_BYTES = 1024 * 1024;

export class SafeRemoteSources implements RemoteSources {
  constructor(private readonly http: SafeHttp) {}

  async fetchToFile(
    url: string,
    target: string,
    options: Pick<SafeRequest, 'maxBytes' | 'signal' | 'headers'>,
  ): Promise<number> {
    try {
      return await this.http.exchange(url, { ...options, method: 'GET' }, async ({ status, body }) => {
        if (status !== 200) {
          throw new SourceFailure('url_unreachable', { retryable: TEMPORARY.includes(status) });
        }
        // Unlike `writeFile`, it writes many chunks at once.
        const file = createWriteStream(target, { highWaterMark: BUFFERED_BYTES });
        // One that is still being opened would appear after it was removed.
        await pipeline(body, file).finally(() => finished(file).catch(() => undefined));
        return file.bytesWritten;
      });
    } catch (error) {
      await rm(target, { force: true });
      throw error;
    }
  }
}
