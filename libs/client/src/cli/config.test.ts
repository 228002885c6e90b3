import { describe, expect, it } from '@jest/globals';
import { accountOf, configPath } from './config.ts';

const saved = { url: 'https://a.example', token: 'x12_a' };

describe('the account of a command line', () => {
  it('is the saved one, or that of the environment', () => {
    expect(accountOf({}, saved)).toEqual(saved);
    expect(accountOf({ X12_TOKEN: 'x12_b' }, saved)).toEqual({ ...saved, token: 'x12_b' });
    const other = { url: 'https://b.example', token: 'x12_b' };
    expect(accountOf({ X12_URL: other.url, X12_TOKEN: other.token }, saved)).toEqual(other);
  });

  it('is not the saved token at another address', () => {
    expect(accountOf({ X12_URL: `${saved.url}/` }, saved)).toEqual(saved);
    expect(() => accountOf({ X12_URL: 'https://b.example' }, saved)).toThrow('no token for https://b.example');
    expect(() => accountOf({}, {})).toThrow('no address of a service');
    expect(() => accountOf({ X12_URL: 'x12.example.com' }, saved)).toThrow('not x12.example.com');
  });

  it('is saved in the folder of the configuration', () => {
    expect(configPath({ XDG_CONFIG_HOME: '/c' })).toBe('/c/x12/config.json');
    expect(configPath({})).toMatch(/\/\.config\/x12\/config\.json$/);
  });
});
