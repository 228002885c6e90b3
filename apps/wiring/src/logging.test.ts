import { Writable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Queue } from 'bullmq';
import type { Logger as Pino } from 'pino';
import { pinoHttp } from 'pino-http';
import { connectQueueToRedis } from '#adapters/queue';
import { connectRedis } from '#adapters/redis';
import { SmallRedis } from '../../../test/support/small-redis.ts';
import { logOptions, logWarnings } from './logging.ts';

function logged(write: (logger: Pino) => void): string {
  let text = '';
  const sink = new Writable({ write: (chunk, _, done) => ((text += String(chunk)), done()) });
  write(pinoHttp(logOptions({ level: 'info' }, 'api'), sink).logger);
  return text;
}

describe('the log', () => {
  const secrets: readonly (readonly [string, (logger: Pino) => void])[] = [
    ['a token in an object', (log) => log.info({ answer: { token: 'hush-hush' } })],
    ['a password deep in an object', (log) => log.info({ a: { b: [{ password: 'hush-hush' }] } })],
    ['an authorization header', (log) => log.info({ headers: { Authorization: 'Bearer hush-hush' } })],
    ['a cookie', (log) => log.info({ 'set-cookie': 'hush-hush' })],
    ['a bearer token within a text', (log) => log.info('sent Bearer hush-hush')],
    ['an API token of ours, anywhere', (log) => log.info(`got x12_${'hush-hush'.repeat(5)}`)],
    ['the signature of a signed URL', (log) => log.info('PUT /files/a.png?expires=1&signature=hush-hush failed')],
    ["an S3 URL's signature", (log) => log.info('https://b.s3/x?X-Amz-Signature=hush-hush&y=1')],
    ['an invitation token in a URL', (log) => log.info({ path: '/join?token=hush-hush' })],
    ['the password in a database URL', (log) => log.info('postgres://me:hush-hush@host/db')],
    ['JSON within a text', (log) => log.info(JSON.stringify({ password: 'hush-hush', note: 'kept' }))],
    [
      'what a driver hangs on its error',
      (log) => log.error({ err: Object.assign(new Error('no'), { detail: 'hush-hush', query: 'hush-hush' }) }),
    ],
    [
      'the message of the cause of an error',
      (log) => log.error({ err: new Error('no', { cause: new Error('GET http://x/?token=hush-hush') }) }),
    ],
  ];
  it.each(secrets)('does not contain %s', (_, write) => {
    const text = logged(write);
    expect(text).not.toContain('hush-hush');
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as object),
    ).toHaveLength(1);
  });

  it('contains level, time, process, and type, code, stack and cause of an error', () => {
    const cause = Object.assign(new TypeError('socket closed'), { code: 'ECONNRESET' });
    const line = JSON.parse(logged((log) => log.error({ err: new Error('no luck', { cause }) }, 'failed'))) as {
      err: { stack: string };
    };
    expect(line).toMatchObject({
      level: 'error',
      process: 'api',
      msg: 'failed',
      err: { type: 'Error', message: 'no luck', cause: { type: 'TypeError', code: 'ECONNRESET' } },
    });
    expect(line.err.stack).toContain('logging.test');
  });

  it('does not change harmless lines', () => {
    const text = logged((log) => log.info({ tokens: 3, path: '/v2/auth/tokens', ids: ['a:b@c'] }, 'a: "b" // c'));
    expect(JSON.parse(text)).toMatchObject({ tokens: 3, path: '/v2/auth/tokens', ids: ['a:b@c'], msg: 'a: "b" // c' });
  });
});

it('the warnings of a library that prints them go through the log, each once', async () => {
  const redis = new SmallRedis('right', 'redis_version:7.2.0\r\nmaxmemory_policy:allkeys-lru\r\n');
  const connection = await connectRedis(await redis.start(), { onError: () => undefined });
  const warnings: unknown[] = [];
  Logger.overrideLogger({ log: () => undefined, error: () => undefined, warn: (text: unknown) => warnings.push(text) });
  const restore = logWarnings();
  try {
    const { queues } = connectQueueToRedis(connection);
    const opened = ['one', 'other'].map((name) => new Queue(name, queues));
    for (const queue of opened) await queue.waitUntilReady();
    expect(warnings).toEqual(['IMPORTANT! Eviction policy is allkeys-lru. It should be "noeviction"']);
  } finally {
    restore();
    Logger.overrideLogger(true);
    connection.close();
    redis.stop();
  }
});
