import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '#testing/kernel';
import { HostLimiter, type CallPermit } from './host-limiter.ts';

const clock = new ManualClock();
const open = () => new HostLimiter(32, clock);
const urlOf = (host: number | string) => `https://${host}.example.com/hook`;
const acquired = (limiter: HostLimiter, host: number | string, workspaceId: number): CallPermit => {
  const permit = limiter.acquire(urlOf(host), workspaceId);
  if (!('release' in permit)) throw new Error(`the call to ${host} was refused`);
  return permit;
};
const refused = (seconds: number) => ({ retryAfterSeconds: seconds });

describe('the limiter of webhook calls', () => {
  it('allows one call for each workspace and host until the host has responded', () => {
    const limiter = open();
    const first = acquired(limiter, 'a', 1);
    expect(limiter.acquire(urlOf('a'), 1)).toEqual(refused(1));
    expect(limiter.acquire(urlOf('b'), 1)).toEqual(refused(1.25));
    acquired(limiter, 'a', 2);
    first.release(true);
    for (let call = 0; call < 8; call++) acquired(limiter, 'a', 1);
    expect(limiter.acquire(urlOf('a'), 1)).toEqual(refused(1));
  });

  it('allows a call to a responding host although a hundred other hosts hang', () => {
    const limiter = open();
    acquired(limiter, 'good', 1_000).release(true);
    let allowed = 0;
    for (let workspaceId = 1; workspaceId <= 100; workspaceId++) {
      if ('release' in limiter.acquire(urlOf(workspaceId), workspaceId)) allowed++;
    }
    expect(allowed).toBe(16);
    expect(acquired(limiter, 'good', 1_000).timeoutSeconds).toBe(15);
  });

  it('allows a quarter of the calls to failing hosts and to new hosts of their workspaces', () => {
    const limiter = open();
    for (let workspaceId = 1; workspaceId <= 20; workspaceId++) {
      acquired(limiter, workspaceId, workspaceId).release(false);
    }
    let allowed = 0;
    for (let workspaceId = 1; workspaceId <= 20; workspaceId++) {
      if ('release' in limiter.acquire(urlOf(`other-${workspaceId}`), workspaceId)) allowed++;
    }
    expect(allowed).toBe(8);
    expect(acquired(limiter, 'new', 1_000).timeoutSeconds).toBe(15);
  });

  it('keeps the health of a host for each workspace: a path that hangs for others delays nobody else', () => {
    const limiter = open();
    acquired(limiter, 'shared', 1).release(true);
    for (let workspaceId = 2; workspaceId <= 9; workspaceId++) {
      acquired(limiter, 'shared', workspaceId).release(false);
      acquired(limiter, 'shared', workspaceId);
    }
    for (let call = 0; call < 8; call++) expect(acquired(limiter, 'shared', 1).timeoutSeconds).toBe(15);
    expect(limiter.acquire(urlOf('shared'), 1)).toEqual(refused(1));
  });

  it('records nothing of an interrupted call, and counts invalid URLs as one host', () => {
    const limiter = open();
    acquired(limiter, 'a', 1).release(null);
    expect(acquired(limiter, 'a', 1).timeoutSeconds).toBe(15);
    expect('release' in limiter.acquire('not a URL', 2)).toBe(true);
  });
});
