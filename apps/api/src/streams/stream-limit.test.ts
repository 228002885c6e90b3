import { once } from 'node:events';
import { get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import express, { type Response } from 'express';
import { eventually } from '../../../../test/support/eventually.ts';
import { StreamLimit } from './stream-limit.ts';

describe('the limit of event streams', () => {
  let server: Server;
  let limit: StreamLimit;
  let taken: Response[];
  let begin: (response: Response) => unknown;
  let handled = 0;

  beforeEach(async () => {
    limit = new StreamLimit({ http: { streamsPerUser: 2 } });
    taken = [];
    [begin, handled] = [() => undefined, 0];
    const app = express().get('/:user', async (request, response) => {
      await begin(response);
      try {
        limit.acquire(Number(request.params.user), response);
        taken.push(response);
        response.writeHead(200).flushHeaders();
      } catch {
        response.status(429).end();
      }
      handled++;
    });
    server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  async function open(user = 1): Promise<IncomingMessage> {
    const { port } = server.address() as AddressInfo;
    return new Promise((resolve) => get(`http://127.0.0.1:${port}/${user}`, { agent: false }, resolve));
  }

  it('applies to each user separately', async () => {
    const statuses = [(await open()).statusCode, (await open()).statusCode, (await open()).statusCode];
    expect([...statuses, (await open(2)).statusCode]).toEqual([200, 200, 429, 200]);
    expect(taken).toHaveLength(3);
  });

  it.each<[way: string, end: (message: IncomingMessage, response: Response) => unknown]>([
    ['its response ends', (_message, response) => response.end()],
    ['its client disconnects', (message) => message.destroy()],
    ['its response is destroyed', (_message, response) => response.destroy()],
    ['all connections are closed', () => server.closeAllConnections()],
  ])('counts no stream after %s', async (_way, end) => {
    const message = await open();
    message.on('error', () => undefined).resume();
    await open();
    expect((await open()).statusCode).toBe(429);
    end(message, taken[0]!);
    await eventually(async () => (await open()).statusCode === 200);
  });

  it('counts no stream whose client disconnects before it opens', async () => {
    begin = (response) => once(response, 'close');
    const { port } = server.address() as AddressInfo;
    for (let count = 0; count < 5; count++) {
      const request = get(`http://127.0.0.1:${port}/1`, { agent: false }).on('error', () => undefined);
      await once(server, 'request');
      request.destroy();
    }
    await eventually(() => handled === 5);
    begin = () => undefined;
    expect([(await open()).statusCode, (await open()).statusCode]).toEqual([200, 200]);
  });
});
