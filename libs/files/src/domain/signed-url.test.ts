import { describe, expect, it } from '@jest/globals';
import {
  expiryOfUrls,
  permissionOf,
  queryOfSigned,
  readFileQuery,
  signedTextOf,
  validKeyVersions,
  type SignedUrl,
} from './signed-url.ts';

const at = (time: string) => new Date(`2026-12-01T${time}Z`);
const seconds = (time: string) => at(time).getTime() / 1000;
/** Stands for a signature of a text: 43 characters. */
const signatureOf = (text: string) => Buffer.from(text).toString('base64url').slice(-43).padStart(43, '-');
const isSignature = (text: string, signature: string) => signatureOf(text) === signature;

const url: SignedUrl = { key: 'files/token/a.png', expires: seconds('12:00:00'), shareId: null, options: '' };
const queryOf = (differences: Partial<SignedUrl> = {}) => {
  const each = { ...url, ...differences };
  return queryOfSigned(each, signatureOf(signedTextOf(each)));
};
const permissionAt = (query: string, time: string, key = url.key) =>
  permissionOf(key, readFileQuery(query), at(time), isSignature);

describe('the expiry of URLs', () => {
  it.each([
    ['10:00:00.000', 3600, '11:00:00'],
    ['10:00:00.001', 3600, '12:00:00'],
    ['10:59:59.999', 3600, '12:00:00'],
    ['10:30:00.000', 300, '11:00:00'],
  ])('at %s for %d seconds is %s: at a full hour', (now, ttl, expected) => {
    expect(expiryOfUrls(at(now), ttl, null)).toBe(seconds(expected));
  });

  it.each([
    ['10:59:59', '10:59:59'],
    ['11:00:00', '11:00:00'],
    ['11:00:01', '11:00:00'],
  ])('with an end at %s is %s', (end, expected) => {
    expect(expiryOfUrls(at('10:00:00'), 3600, at(end))).toBe(seconds(expected));
  });
});

describe('a signed URL', () => {
  it('opens its file until it expires', () => {
    expect(permissionAt(queryOf(), '11:59:59.999')).toEqual({
      expiresAt: at('12:00:00'),
      shareId: null,
      optionsAreSigned: true,
    });
    expect(permissionAt(queryOf(), '12:00:00')).toBeNull();
  });

  it('opens no other file', () => {
    expect(permissionAt(queryOf(), '11:00:00', 'files/token/b.png')).toBeNull();
  });

  it('names the link of a guest', () => {
    expect(permissionAt(queryOf({ shareId: 7 }), '11:00:00')).toMatchObject({ shareId: 7 });
  });

  it.each([
    ['another expiry', queryOf().replace(/expires=\d+/, `expires=${url.expires + 3600}`)],
    ['another link', queryOf({ shareId: 7 }).replace('share=7', 'share=8')],
    ['no link any more', queryOf({ shareId: 7 }).replace('&share=7', '')],
    ['a link added', `${queryOf()}&share=7`],
    ['another signature', queryOf().replace(/.$/, '!')],
    ['no signature', `expires=${url.expires}`],
    ['no expiry', queryOf().replace(/expires=\d+&/, '')],
    ['two expiries', `${queryOf()}&expires=${url.expires}`],
    ['two signatures', `${queryOf()}&signature=${'x'.repeat(43)}`],
    ['an expiry below zero', queryOf({ expires: -1 })],
    ['an expiry of zero', queryOf({ expires: 0 })],
    ['a fraction as expiry', queryOf({ expires: url.expires + 0.5 })],
    ['an exponent as expiry', queryOf({ expires: 1e21 })],
    ['an expiry that overflows', queryOf().replace(/expires=\d+/, `expires=${'9'.repeat(16)}`)],
    ['nothing', ''],
  ])('with %s opens nothing', (_, query) => {
    expect(permissionAt(query, '11:00:00')).toBeNull();
  });

  it('is over its options, in their order', () => {
    const query = queryOf({ options: 'fm=auto&w=640' });
    expect(permissionAt(query, '11:00:00')).toMatchObject({ optionsAreSigned: true });
    for (const changed of ['fm=auto&w=641', 'w=640&fm=auto', 'fm=auto', 'fm=auto&w=640&h=1']) {
      expect(permissionAt(query.replace('fm=auto&w=640', changed), '11:00:00')).toBeNull();
    }
    expect(permissionAt(query.replace('fm=auto&w=640&', ''), '11:00:00')).toBeNull();
  });

  it('that was signed without options takes any, which are then unsigned', () => {
    for (const query of [`w=640&${queryOf()}`, `${queryOf()}&w=640`]) {
      expect(readFileQuery(query).options).toBe('w=640');
      expect(permissionAt(query, '11:00:00')).toMatchObject({ optionsAreSigned: false });
    }
  });
});

describe('the key of a workspace', () => {
  const rotated = { version: 3, rotatedAt: at('10:00:00') };

  it('is valid in its present version', () => {
    expect(validKeyVersions({ version: 1, rotatedAt: null }, at('10:00:00'))).toEqual([1]);
  });

  it.each([
    ['10:00:00', [3, 2]],
    ['10:59:59.999', [3, 2]],
    ['11:00:00', [3]],
  ])('that was rotated at ten is valid at %s in versions %j', (now, expected) => {
    expect(validKeyVersions(rotated, at(now))).toEqual(expected);
  });
});
