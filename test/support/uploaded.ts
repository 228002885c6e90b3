import { expect } from '@jest/globals';
import type { TestService } from './service.ts';

/** Uploads a file, and returns its public URL. */
export async function uploaded(
  service: Pick<TestService, 'call'>,
  { token }: { readonly token: string },
  filename: string,
  bytes: Buffer,
  pid?: number,
): Promise<string> {
  const { body: ticket } = await service.call('POST', '/v2/upload', { token, form: { filename, pid } });
  const put = await fetch(ticket.signed_url, { method: 'PUT', body: new Uint8Array(bytes), headers: ticket.headers });
  expect(put.status).toBe(200);
  const path = `/v2/finalize_upload?url=${encodeURIComponent(ticket.final_url)}`;
  const { status, body } = await service.call('GET', path, { token });
  expect(status).toBe(200);
  return body.url;
}
