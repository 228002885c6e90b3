import { describe, expect, it } from '@jest/globals';
import { firstDelivery } from './invitation.ts';

describe('a new invitation', () => {
  it.each([
    ['is mailed as the third to its address within the hour', 2, 0, 'waiting'],
    ['is not mailed as the fourth to its address', 3, 0, 'limited'],
    ['is mailed as the hundredth of its workspace', 0, 99, 'waiting'],
    ['is not mailed as a further one of its workspace', 0, 100, 'limited'],
  ])('%s', (_rule, toAddress, ofWorkspace, delivery) => {
    expect(firstDelivery({ toAddress, ofWorkspace })).toBe(delivery);
  });
});
