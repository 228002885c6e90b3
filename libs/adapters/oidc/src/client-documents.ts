import type { SafeHttp } from '#adapters/outgoing-http';
import type { ClientDocuments } from '#identity';
import { invalidField } from '#kernel';

const MAX_BYTES = 16 * 1024;
const TIMEOUT_SECONDS = 5;

/** Client ID Metadata Documents, read from the outside with its limits: never from a private address. */
export class HttpClientDocuments implements ClientDocuments {
  constructor(private readonly http: Pick<SafeHttp, 'exchange'>) {}

  async read(url: string): Promise<unknown> {
    const request = { method: 'GET', maxBytes: MAX_BYTES, timeoutSeconds: TIMEOUT_SECONDS } as const;
    try {
      return await this.http.exchange(url, request, async ({ status, body }) => {
        if (status !== 200) throw new Error(`status ${status}`);
        const chunks: Buffer[] = [];
        for await (const chunk of body) chunks.push(chunk);
        return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
      });
    } catch {
      // One message for all: the service does not tell what it reaches.
      throw invalidField('client_id', 'has no readable document');
    }
  }
}
