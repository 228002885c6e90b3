import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import express, { type Response } from 'express';
import { openHttpSource, type HttpSource } from '../../../../libs/adapters/outgoing-http/src/testing/http-source.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { StreamLimit } from './stream-limit.ts';

describe('the limit of event streams', () => {
  let source: HttpSource;
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
    source = await openHttpSource(app);
  });
  afterEach(() => source.close());

  async function open(user = 1): Promise<IncomingMessage> {
    return new Promise((resolve) => get(source.url(`/${user}`), { agent: false }, resolve));
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
    ['all connections are closed', () => source.disconnect()],
  ])('counts no stream after %s', async (_way, end) => {
    const message = await open();
    message.on('error', () => undefined).resume();
    await open();
    expect((await open()).statusCode).toBe(429);
    end(message, taken[0]!);
    await eventually(async () => (await open()).statusCode === 200);
  });

  it('counts no stream whose client disconnects before it opens', async () => {
    let begun = 0;
    begin = (response) => {
      begun++;
      return once(response, 'close');
    };
    for (let count = 0; count < 5; count++) {
      const request = get(source.url('/1'), { agent: false }).on('error', () => undefined);
      await eventually(() => begun > count);
      request.destroy();
    }
    await eventually(() => handled === 5);
    begin = () => undefined;
    expect([(await open()).statusCode, (await open()).statusCode]).toEqual([200, 200]);
  });
});
