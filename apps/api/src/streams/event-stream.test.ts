import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Registry } from 'prom-client';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import express, { type Response } from 'express';
import { anActor } from '#testing/identity';
import { REAL_TIMERS } from '#testing/kernel';
import { openHttpSource, type HttpSource } from '../../../../libs/adapters/outgoing-http/src/testing/http-source.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { EventStream, type ServerSentEvent } from './event-stream.ts';
import { EventStreams } from './event-streams.ts';
import { StreamLimit } from './stream-limit.ts';
import { StreamRights } from './stream-rights.ts';

describe('an event stream', () => {
  let source: HttpSource;
  afterEach(() => source.close());

  /** Serves one request and returns the response as the client receives it. */
  async function responded(serve: (response: Response) => Promise<void>): Promise<IncomingMessage> {
    const app = express().get('/', (_, response) => serve(response));
    source = await openHttpSource(app);
    return new Promise((resolve) => get(source.url(), { agent: false }, resolve));
  }

  function newStreams(): EventStreams {
    const rights = new StreamRights({ stillActing: async (actors) => new Set(actors) });
    return new EventStreams(rights, new StreamLimit({ http: { streamsPerUser: 1 } }), new Registry());
  }

  async function textOf(message: IncomingMessage): Promise<string> {
    let text = '';
    for await (const chunk of message.setEncoding('utf8')) text += chunk as string;
    return text;
  }

  it('sends each event by name, with its data as JSON on one line, and ends', async () => {
    async function* events(): AsyncGenerator<ServerSentEvent> {
      yield { name: 'state', data: { text: 'two\nlines' } };
      await setImmediate();
      yield { name: 'done', data: {} };
    }
    const message = await responded((response) => new EventStream(response).send(events()));
    expect(message.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(await textOf(message)).toBe('event: state\ndata: {"text":"two\\nlines"}\n\nevent: done\ndata: {}\n\n');
  });

  it('sends its headers before there is an event', async () => {
    const { promise: end, resolve } = Promise.withResolvers<void>();
    async function* events(): AsyncGenerator<ServerSentEvent> {
      await end;
    }
    const message = await responded((response) => new EventStream(response).send(events()));
    expect(message.statusCode).toBe(200);
    resolve();
    expect(await textOf(message)).toBe('');
  });

  it('sends a comment every 15 seconds while there is no event, until it ends', async () => {
    jest.useFakeTimers({ doNotFake: [...REAL_TIMERS, 'Date'] });
    try {
      const { promise: end, resolve } = Promise.withResolvers<void>();
      async function* events(): AsyncGenerator<ServerSentEvent> {
        await end;
      }
      const streams = newStreams();
      const open = async () => {
        // Before the headers are sent.
        jest.advanceTimersByTime(15_000);
        return events();
      };
      const message = await responded((to) => streams.send(anActor(), to, open, (event) => event));
      expect(message.headers['content-type']).toContain('text/event-stream');
      jest.advanceTimersByTime(14_999);
      expect(message.readableLength).toBe(0);
      jest.advanceTimersByTime(15_001);
      resolve();
      expect(await textOf(message)).toBe(': \n\n: \n\n');
      jest.advanceTimersByTime(15_000);
      streams.onModuleDestroy();
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  it('ends at once in a process that stops', async () => {
    const streams = newStreams();
    streams.onModuleDestroy();
    async function* until(stop: AbortSignal): AsyncGenerator<ServerSentEvent> {
      if (!stop.aborted) await once(stop, 'abort');
    }
    const open = async (stop: AbortSignal) => until(stop);
    const message = await responded((to) => streams.send(anActor(), to, open, (event) => event));
    expect(await textOf(message)).toBe('');
  });

  it('aborts a signal when the client disconnects', async () => {
    const { promise: ended, resolve: over } = Promise.withResolvers<void>();
    async function* until(closed: AbortSignal): AsyncGenerator<ServerSentEvent> {
      yield { name: 'state', data: {} };
      await once(closed, 'abort');
    }
    const message = await responded(async (response) => {
      const stream = new EventStream(response);
      await stream.send(until(stream.ended)).finally(over);
    });
    message.once('data', () => message.destroy());
    await expect(ended).resolves.toBeUndefined();
  });

  it('takes no more events than a slow client reads', async () => {
    const data = { text: 'x'.repeat(1_000_000) };
    let taken = 0;
    async function* many(): AsyncGenerator<ServerSentEvent> {
      for (; taken < 20; taken++) yield { name: 'progress', data };
    }
    let sent: Response;
    const message = await responded((response) => new EventStream((sent = response)).send(many()));
    message.pause();
    await eventually(() => sent.writableNeedDrain);
    expect(taken).toBeLessThan(15);
    expect((await textOf(message)).length).toBeGreaterThan(20_000_000);
    expect(taken).toBe(20);
  });

  it('is destroyed, not ended, by an error', async () => {
    async function* broken(): AsyncGenerator<ServerSentEvent> {
      yield { name: 'state', data: {} };
      throw new Error('lost');
    }
    let failure: unknown;
    const message = await responded((response) =>
      new EventStream(response).send(broken()).catch((error: unknown) => {
        failure = error;
      }),
    );
    await expect(textOf(message)).rejects.toThrow('aborted');
    expect(failure).toMatchObject({ message: 'lost' });
  });
});
