import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach } from '@jest/globals';
import { X12 } from '../../libs/client/src/index.ts';

// Importing this file gives a suite a server whose responses the tests write, and a client of it.

export type Respond = (response: ServerResponse, request: SeenRequest) => void;

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export const json = (status: number, body: object, headers: Record<string, string> = {}): Respond => {
  return (response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
};
export const error = (status: number, code: string, more: object = {}, headers = {}) =>
  json(status, { status: false, code, message: 'do that', request_id: 'r1', ...more }, headers);
export const hangUp: Respond = (response) => response.destroy();

export let server: Server;
export let baseUrl: string;
export let seen: SeenRequest[];
/** Responses by method and path, one for each request; the last one stays. */
export let responses: Record<string, Respond[]>;

beforeEach(async () => {
  seen = [];
  responses = {};
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const left = responses[`${method} ${url.split('?')[0]}`] ?? [error(404, 'not_found')];
      const one: SeenRequest = { method, url, headers, body: Buffer.concat(chunks).toString('latin1') };
      seen.push(one);
      (left.length > 1 ? left.shift()! : left[0]!)(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

export const client = (options = {}) => new X12({ baseUrl, token: 'secret', ...options });

/** The response to an allocated upload. */
export function ticketOf(where: object) {
  const expires_at = new Date(Date.now() + 60_000).toISOString();
  return {
    status: true,
    upload_id: 1,
    signed_url: null,
    final_url: `${baseUrl}/files/a`,
    headers: {},
    expires_at,
    ...where,
  };
}

export async function all<Entry>(list: AsyncIterable<Entry>): Promise<Entry[]> {
  const found: Entry[] = [];
  for await (const entry of list) found.push(entry);
  return found;
}
