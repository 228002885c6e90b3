import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { emails } from '../testing/arbitraries.ts';
import { emailOf } from './email.ts';

const refusal = expect.objectContaining({ code: 'validation_failed', fields: { email: [expect.any(String)] } });

describe('an e-mail address', () => {
  it.each([
    ['Ada@Example.COM', 'ada@example.com'],
    ['a@b.co', 'a@b.co'],
    ["o'brien+tag@mail.example.com", "o'brien+tag@mail.example.com"],
    ['dots.in.it@sub-domain.example.org', 'dots.in.it@sub-domain.example.org'],
    ['GRÖSSE@BÜCHER.example', 'grösse@bücher.example'],
    ['почта@пример.рф', 'почта@пример.рф'],
    ['a@1.example', 'a@1.example'],
  ])('%s is taken as %s', (given, taken) => {
    expect(emailOf(given)).toBe(taken);
  });

  it('is the same however its accents are composed', () => {
    expect(emailOf('jose\u0301@example.com')).toBe(emailOf('jos\u00e9@example.com'));
  });

  it('stays as it is when it is taken a second time', () => {
    fc.assert(fc.property(emails, (email) => expect(emailOf(email)).toBe(email)));
  });

  it.each([
    '',
    'ada',
    '@example.com',
    'ada@',
    'ada@localhost',
    'ada@example..com',
    'ada@.example.com',
    'ada@example.com.',
    '.ada@example.com',
    'ada.@example.com',
    'a..da@example.com',
    'ada@-example.com',
    'ada@example-.com',
    'ada@example.123',
    'ada@127.0.0.1',
    'ada@[127.0.0.1]',
    '"ada"@example.com',
    'ada@@example.com',
    'ada lovelace@example.com',
    ' ada@example.com',
    'ada@example.com ',
    'ada@example.com\n',
    'ada@example.com\r\nBcc: all@example.com',
    'ada\0@example.com',
    'ada@exa\u200bmple.com',
    'ada\u202e@example.com',
    'ada<b>@example.com',
    'ada,bob@example.com',
    'ada@example.com,bob@example.com',
    'ada;@example.com',
  ])('is not %j', (given) => {
    expect(() => emailOf(given)).toThrow(refusal);
  });

  it('has at most 64 bytes before the @', () => {
    expect(emailOf(`${'a'.repeat(64)}@example.com`)).toHaveLength(76);
    expect(() => emailOf(`${'a'.repeat(65)}@example.com`)).toThrow(refusal);
    expect(() => emailOf(`${'ä'.repeat(33)}@example.com`)).toThrow(refusal);
  });

  it('has at most 63 characters between the dots of its domain', () => {
    expect(emailOf(`a@${'b'.repeat(63)}.com`)).toHaveLength(69);
    expect(() => emailOf(`a@${'b'.repeat(64)}.com`)).toThrow(refusal);
  });

  it('has at most 254 bytes', () => {
    const labels = `${'b'.repeat(62)}.${'c'.repeat(62)}.${'d'.repeat(60)}.com`;
    expect(emailOf(`${'a'.repeat(63)}@${labels}`)).toHaveLength(254);
    expect(() => emailOf(`${'a'.repeat(64)}@${labels}`)).toThrow(refusal);
  });

  it('is refused in no time, however hostile', () => {
    const started = performance.now();
    for (const hostile of [`${'a.'.repeat(100_000)}@`, `a@${'a-'.repeat(100_000)}`, '@'.repeat(100_000)]) {
      expect(() => emailOf(hostile)).toThrow(refusal);
    }
    expect(performance.now() - started).toBeLessThan(1000);
  });
});
