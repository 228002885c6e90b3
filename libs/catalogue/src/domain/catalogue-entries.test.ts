import { describe, expect, it } from '@jest/globals';
import type { Sealed } from '#kernel';
import { keyEndOf, requireKeyForUrl, requireRevision, requireUnused, type AddedProvider } from './catalogue-entries.ts';

const provider: AddedProvider = {
  id: 'vendor',
  revision: 3,
  type: 'replicate',
  baseUrl: null,
  key: 'sealed' as Sealed,
  keyEnd: 'b3a6',
  maxConcurrent: 4,
  submissionsPerMinute: null,
};

it.each([
  ['r8_4f9a2c7d1e8b3a6f', '3a6f'],
  ['sixteen-letters!', 'ers!'],
  ['fifteen-letters', ''],
  ['1234', ''],
  ['', ''],
])('operators see the last characters of a key of %j: %j', (key, end) => expect(keyEndOf(key)).toBe(end));

describe('a change names the revision that it is based on', () => {
  it.each([
    ['the current revision', 3, 3],
    ['a new entry', null, null],
    ['a new entry, if it names none', null, undefined],
    ['any entry, if it names none', 4, undefined],
  ])('is accepted for %s', (_, current, based) => {
    expect(() => requireRevision(current, based)).not.toThrow();
  });
  it.each([
    ['an entry that has changed', 4, 3, 'the entry has been changed meanwhile: read it again'],
    ['an entry that has been deleted', null, 3, 'the entry has been deleted meanwhile: read it again'],
    ['a new entry whose id is taken', 1, null, 'the id is taken: choose another one, or read the entry first'],
  ])('is refused for %s', (_, current, based, message) => {
    expect(() => requireRevision(current, based)).toThrow(message);
  });
});

describe('a change of the URL needs the key again', () => {
  const url = 'https://elsewhere.example';
  it('is refused when the stored key would be sent to another URL', () => {
    for (const fields of [{ baseUrl: url }, { baseUrl: null, baseUrls: ['https://one.example', url] }]) {
      expect(() => requireKeyForUrl(provider, fields, undefined)).toThrow('key must be entered again');
    }
  });
  it('is accepted when a server is removed, not when one is added', () => {
    const servers = ['https://one.example', url];
    const several = { ...provider, baseUrl: servers[0]!, baseUrls: servers };
    expect(() => requireKeyForUrl(several, { baseUrl: url }, undefined)).not.toThrow();
    const more = { baseUrl: servers[0]!, baseUrls: [...servers, 'https://third.example'] };
    expect(() => requireKeyForUrl(several, more, undefined)).toThrow('key must be entered again');
  });
  it.each<[string, AddedProvider | null, string | null, string | null | undefined]>([
    ['the URL stays', provider, null, undefined],
    ['the key is entered', provider, url, 'new'],
    ['the key is removed', provider, url, null],
    ['there is no stored key', { ...provider, key: null }, url, undefined],
    ['the provider is new', null, url, undefined],
  ])('is accepted when %s', (_, current, baseUrl, key) => {
    expect(() => requireKeyForUrl(current, { baseUrl }, key)).not.toThrow();
  });
});

it('a provider is deleted when no model names it, and its vendor works on no generation', () => {
  expect(() => requireUnused([], 0)).not.toThrow();
  expect(() => requireUnused(['fluw', 'render'], 0)).toThrow('the provider is used by fluw, render');
  expect(() => requireUnused([], 2)).toThrow('2 generations of the provider have not ended');
});
