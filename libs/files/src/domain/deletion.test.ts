import { describe, expect, it } from '@jest/globals';
import { keptUntil } from './deletion.ts';
import { fileKey, keptKey, unkeptKey } from './object-key.ts';

const now = new Date('2026-11-22T12:00:00Z');

describe('the bytes of deleted files', () => {
  it('are kept for the grace period, to the millisecond', () => {
    expect(keptUntil(now, 1)).toEqual(new Date('2026-11-23T12:00:00Z'));
    expect(keptUntil(now, 7)).toEqual(new Date('2026-11-29T12:00:00Z'));
  });

  it('are not kept without a grace period', () => {
    expect(keptUntil(now, 0)).toBeNull();
  });

  it('have a private key meanwhile, from which the public key can be derived', () => {
    const key = fileKey('token', 'kept files.png');
    expect(keptKey(key)).toBe('kept/token/kept files.png');
    expect(unkeptKey(keptKey(key))).toBe(key);
    expect(unkeptKey(key)).toBe(key);
    expect(unkeptKey('staging/token')).toBe('staging/token');
  });
});
