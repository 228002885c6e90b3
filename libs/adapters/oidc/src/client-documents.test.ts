import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SafeHttp } from '#adapters/outgoing-http';
import { listen } from '../../../../test/support/listen.ts';
import { HttpClientDocuments } from './client-documents.ts';

const BODIES: Readonly<Record<string, string>> = {
  '/good.json': '{"client_name": "Assistant"}',
  '/long.json': JSON.stringify('a'.repeat(16 * 1024)),
  '/huge.json': 'a'.repeat(10 * 1024 * 1024),
  '/page.html': '<html>',
};
const server = createServer(({ url }, response) => {
  const body = BODIES[url!];
  response.writeHead(body === undefined ? 404 : 200).end(body);
});
let host: string;
beforeAll(async () => void (host = await listen(server)));
afterAll(() => void server.close());

const read = (path: string, allowedHosts = [host]) =>
  new HttpClientDocuments(new SafeHttp({ allowedHosts, timeoutSeconds: 5 })).read(`http://${host}${path}`);

it('reads the document of an application', async () =>
  expect(await read('/good.json')).toEqual({ client_name: 'Assistant' }));

it.each(['/long.json', '/huge.json', '/page.html', '/none.json'])('refuses %s', (path) =>
  expect(read(path)).rejects.toThrow('client_id has no readable document'),
);

it('does not reach this network', () => expect(read('/good.json', [])).rejects.toThrow('has no readable document'));
