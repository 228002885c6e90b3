import type { IncomingMessage } from 'node:http';
import { expect, it } from '@jest/globals';
import { isFromThisMachine } from './request.ts';

it.each([
  ['127.0.0.1', {}, true],
  ['127.8.9.10', {}, true],
  ['::1', {}, true],
  ['::ffff:127.0.0.1', {}, true],
  ['192.168.1.7', {}, false],
  ['::ffff:192.168.1.7', {}, false],
  ['fe80::1%eth0', {}, false],
  [undefined, {}, false],
  ['127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }, false],
  ['127.0.0.1', { 'x-real-ip': '' }, false],
  ['::1', { forwarded: 'for=127.0.0.1' }, false],
  ['127.0.0.1', { via: '1.1 proxy' }, false],
])('a request from %s with the headers %j is from this machine: %s', (remoteAddress, headers, expected) => {
  expect(isFromThisMachine({ socket: { remoteAddress }, headers } as unknown as IncomingMessage)).toBe(expected);
});
