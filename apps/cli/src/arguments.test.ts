import { describe, expect, it } from '@jest/globals';
import { budgetArgument, scopesArgument } from './arguments.ts';

describe('the scopes of a token', () => {
  it('are separated by commas, in any order and once each', () => {
    expect(scopesArgument('account, read,account')).toEqual(['read', 'account']);
  });

  it.each(['read,write', '', 'read,', 'READ'])('are not %j', (text) => {
    expect(() => scopesArgument(text)).toThrow('They must be of read, upload, generate');
  });
});

describe('the monthly budget of a token', () => {
  it.each(['0', '1000000000'])('may be %s', (text) => {
    expect(budgetArgument(text)).toBe(Number(text));
  });

  it.each(['1000000001', '-1', '1.5', '', 'many'])('is not %j', (text) => {
    expect(() => budgetArgument(text)).toThrow('It must be a whole number from 0 to 1000000000.');
  });
});
