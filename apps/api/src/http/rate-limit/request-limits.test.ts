import { describe, expect, it } from '@jest/globals';
import { clientAddress } from './request-limits.ts';

describe('the address that a limit counts by', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff::1', '2001:db8:1:2::/64'],
    [undefined, 'unknown'],
    ['nonsense', 'unknown'],
  ])('of %s is %s', (ip, expected) => {
    expect(clientAddress(ip)).toBe(expected);
  });
});
