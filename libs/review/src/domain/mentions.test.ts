import { describe, expect, it } from '@jest/globals';
import { MAX_MENTIONS, mentionsIn } from './mentions.ts';

const PEOPLE = [
  { userId: 1, name: 'Ada', email: 'ada@example.com' },
  { userId: 2, name: 'Ada Lovelace', email: 'lovelace@example.com' },
  { userId: 3, name: null, email: 'grace.hopper@example.com' },
  { userId: 4, name: 'Zoë', email: 'zoe@example.com' },
  { userId: 5, name: 'Zoë', email: 'zoe2@example.com' },
];

describe('the people whom a text mentions', () => {
  it.each([
    ['@Ada, is it warm enough?', [1]],
    ['what do you think, @ada lovelace?', [2]],
    ['(@grace.hopper) and then @ADA', [3, 1]],
    ['@Ada @Ada @Ada', [1]],
    ['@zoë decides', [4, 5]],
    ['@Zoe\u0308 decides', [4, 5]],
    ['@zoe2', [5]],
    ['line\n@Ada', [1]],
  ])('are found by name or by the beginning of the e-mail: %j', (text, expected) => {
    expect(mentionsIn(text, PEOPLE)).toEqual(expected);
  });

  it.each(['Ada', '@Adam', '@Ada2', 'mail ada@ada', 'a.@Ada', '@@Ada', '@ Ada', '@', '@nobody'])(
    'are not those in %j',
    (text) => {
      expect(mentionsIn(text, PEOPLE)).toEqual([]);
    },
  );

  it('are at most 20', () => {
    const many = Array.from({ length: MAX_MENTIONS + 1 }, (_, index) => ({
      userId: index,
      name: `p${index}`,
      email: `p${index}@example.com`,
    }));
    const text = many.map(({ name }) => `@${name}`).join(' ');
    expect(mentionsIn(text, many.slice(0, MAX_MENTIONS))).toHaveLength(MAX_MENTIONS);
    expect(mentionsIn(text, many)).toHaveLength(MAX_MENTIONS);
  });

  it('take no time to be found in a text of nothing but marks', () => {
    const many = Array.from({ length: 1_000 }, (_, userId) => ({ userId, name: `person ${userId}`, email: 'x@y' }));
    const started = process.threadCpuUsage();
    expect(mentionsIn(' @'.repeat(2_000), many)).toEqual([]);
    const { user, system } = process.threadCpuUsage(started);
    expect((user + system) / 1000).toBeLessThan(50);
  });
});
