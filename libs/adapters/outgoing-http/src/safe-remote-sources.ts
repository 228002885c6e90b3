import { rm, stat, writeFile } from 'node:fs/promises';
import { SourceFailure, type RemoteSources } from '#sources';
import type { SafeHttp, SafeRequest } from './safe-http.ts';

/** Statuses of sources that are busy or broken for now. */
const TEMPORARY = [408, 425, 429, 500, 502, 503, 504];

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
        await writeFile(target, body);
        return (await stat(target)).size;
      });
    } catch (error) {
      await rm(target, { force: true });
      throw error;
    }
  }
}
