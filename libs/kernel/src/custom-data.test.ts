import { describe, expect, it } from '@jest/globals';
import { customerProblem, metadataProblem } from './custom-data.ts';

describe('the label of a customer', () => {
  it.each(['a', ' ', 'null', '__proto__', 'x'.repeat(255), '😀'.repeat(255), 'e\u0301', '../%2F?'])(
    'may be %j',
    (text) => {
      expect(customerProblem(text)).toBeUndefined();
    },
  );

  it.each(['', 'x'.repeat(256), '😀'.repeat(256), 'a\nb', 'a\0', '\u0085', '\ud83d'])('may not be %j', (text) => {
    expect(customerProblem(text)).toBeDefined();
  });
});

describe('metadata', () => {
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, '']));

  it.each([
    {},
    keys(50),
    { ['😀'.repeat(40)]: '😀'.repeat(500) },
    { constructor: 'a', ' ': '\n' },
    JSON.parse('{"__proto__": "b"}') as object,
  ])('may be %j', (value) => {
    expect(metadataProblem(value)).toBeUndefined();
  });

  it.each([
    keys(51),
    { '': 'a' },
    { ['k'.repeat(41)]: 'a' },
    { a: 'v'.repeat(501) },
    { a: 1 },
    { a: null },
    { a: { b: 'c' } },
    { a: 'x\0' },
    { 'k\ud83d': 'a' },
    JSON.parse('{"__proto__": {"a": "b"}}') as object,
  ])('may not be %j', (value) => {
    expect(metadataProblem(value)).toBeDefined();
  });
});
