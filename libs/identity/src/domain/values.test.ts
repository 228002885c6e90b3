import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { emails } from '../testing/arbitraries.ts';
import { emailOf } from './email.ts';
import { nameOf } from './name.ts';
import { chosenPassword, typedPassword } from './password.ts';
import { planOf, type Plans } from './plans.ts';
import { isTokenSecret, tokenExpiry, tokenSecretOf } from './token.ts';

const refusalOf = (field: string) =>
  expect.objectContaining({ code: 'validation_failed', fields: { [field]: [expect.any(String)] } });

describe('an e-mail address', () => {
  const refusal = refusalOf('email');
  const domain = `${'b'.repeat(62)}.${'c'.repeat(62)}.${'d'.repeat(60)}.com`;

  it.each([
    ['Ada@Example.COM', 'ada@example.com'],
    ['a@b.co', 'a@b.co'],
    ["o'brien+tag@mail.example.com", "o'brien+tag@mail.example.com"],
    ['dots.in.it@sub-domain.example.org', 'dots.in.it@sub-domain.example.org'],
    ['GRÖSSE@BÜCHER.example', 'grösse@bücher.example'],
    ['почта@пример.рф', 'почта@пример.рф'],
    ['a@1.example', 'a@1.example'],
    ['jose\u0301@example.com', 'jos\u00e9@example.com'],
    [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
    [`a@${'b'.repeat(63)}.com`, `a@${'b'.repeat(63)}.com`],
    [`${'a'.repeat(63)}@${domain}`, `${'a'.repeat(63)}@${domain}`],
  ])('%s is normalized to %s', (given, taken) => {
    expect(emailOf(given)).toBe(taken);
  });

  it('stays the same when it is normalized twice', () => {
    fc.assert(fc.property(emails, (email) => expect(emailOf(email)).toBe(email)));
  });

  it.each([
    ['a part that is missing', ['', 'ada', '@example.com', 'ada@', 'ada@localhost', 'ada@@example.com']],
    ['an empty label', ['ada@example..com', 'ada@.example.com', 'ada@example.com.']],
    ['an empty atom', ['.ada@example.com', 'ada.@example.com', 'a..da@example.com']],
    ['a hyphen at the end of a label', ['ada@-example.com', 'ada@example-.com']],
    ['an address of a host', ['ada@example.123', 'ada@127.0.0.1', 'ada@[127.0.0.1]']],
    ['a quoted local part', ['"ada"@example.com']],
    ['white space', ['ada lovelace@example.com', ' ada@example.com', 'ada@example.com ', 'ada@example.com\n']],
    ['another header', ['ada@example.com\r\nBcc: all@example.com']],
    ['invisible characters', ['ada\0@example.com', 'ada@exa\u200bmple.com', 'ada\u202e@example.com']],
    ['special characters', ['ada<b>@example.com', 'ada;@example.com']],
    ['a list', ['ada,bob@example.com', 'ada@example.com,bob@example.com']],
    ['more than 64 bytes before the @', [`${'a'.repeat(65)}@example.com`, `${'ä'.repeat(33)}@example.com`]],
    ['more than 63 characters in a label', [`a@${'b'.repeat(64)}.com`]],
    ['more than 254 bytes', [`${'a'.repeat(64)}@${domain}`]],
  ])('has not %s', (_, addresses) => {
    for (const address of addresses) expect(() => emailOf(address)).toThrow(refusal);
  });

  it('is refused quickly, even if it is hostile', () => {
    const before = process.threadCpuUsage();
    for (const hostile of [`${'a.'.repeat(100_000)}@`, `a@${'a-'.repeat(100_000)}`, '@'.repeat(100_000)]) {
      expect(() => emailOf(hostile)).toThrow(refusal);
    }
    expect(process.threadCpuUsage(before).user).toBeLessThan(1_000_000);
  });
});

it('a name is trimmed, and has 1 to 100 characters on one line', () => {
  expect(nameOf('  Ada Lovelace\t')).toBe('Ada Lovelace');
  for (const name of ['é', 'é'.repeat(100)]) expect(nameOf(name)).toBe(name);
  for (const text of ['', '   ', 'x'.repeat(101), 'two\nlines', 'Ada\r\nBcc: all', 'a\0b', 'a\u007fb']) {
    expect(() => nameOf(text)).toThrow(refusalOf('name'));
  }
});

it.each([
  'Ada',
  'Zoë 🦊',
  '山田　太郎',
  'علی\u200Cرضا',
  'ශ\u0DCA\u200Dරී',
  '葛\u{E0100}城',
  '👩🏽\u200D💻 Ann',
  '❤\uFE0F',
  '-',
  'محمد',
  'O’Neil',
])('a name has characters of any script: %s', (name) => expect(nameOf(name)).toBe(name));

it.each([
  ...[
    '',
    ' ',
    '\u200B',
    'Ada\u200B',
    'A\u200Dda',
    'A\u202Eda',
    '\u2066Ada\u2069',
    'Ada\u200F',
    '\uFEFFAda\u200E!',
    'A\u00ADda',
  ],
  ...[
    '\u3164',
    '\u115F\u1160',
    '\u2800',
    '\u0301',
    '\u200D',
    '\uFE0F',
    'A\u034Fda',
    'A\u2028da',
    'A\nda',
    'A\u{E0041}da',
  ],
])('a name has no character that nobody sees, and none that turns the text around it (%#)', (name) =>
  expect(() => nameOf(name)).toThrow(refusalOf('name')),
);

it('a new password has 10 to 128 characters, a login password any number, and accents in any composition', () => {
  for (const text of ['x'.repeat(10), 'x'.repeat(128), '🔑'.repeat(128), '  twelve ch  ']) {
    expect(chosenPassword(text)).toBe(text);
  }
  for (const text of ['', 'x'.repeat(9), 'x'.repeat(129), '🔑'.repeat(9)]) {
    expect(() => chosenPassword(text)).toThrow(refusalOf('password'));
  }
  expect(typedPassword('x')).toBe('x');
  expect(typedPassword('cafe\u0301 cre\u0300me')).toBe(chosenPassword('caf\u00e9 cr\u00e8me'));
});

it('a plan is looked up by its name; an unknown plan has no credits and no teams', () => {
  const plans: Plans = { free: { id: 'free', monthlyCredits: 100, teams: false } };
  expect(planOf(plans, 'free')).toBe(plans.free);
  for (const id of ['gone', 'constructor', '__proto__']) {
    expect(planOf(plans, id)).toEqual({ id, monthlyCredits: 0, teams: false });
  }
});

it('the secret of a token has a recognisable format', () => {
  const random = 'kL9v3cYpQ0mTz7wXb2sRj5uNf8hDg1aE-oVi4yWq_Bx';
  expect(tokenSecretOf(random)).toBe(`x12_${random}`);
  expect(isTokenSecret(tokenSecretOf(random))).toBe(true);
  const others = ['', 'x12_', 'Bearer', '🔑', random, `X12_${random}`, `x12_${random}A`, `x12_${random.slice(1)}`];
  for (const text of [...others, `x12_${random}\n`]) expect(isTokenSecret(text)).toBe(false);
});

it('a token expires after a number of days of 24 hours, or never', () => {
  const now = new Date('2026-02-28T12:00:00Z');
  expect(tokenExpiry(now, 1)).toEqual(new Date('2026-03-01T12:00:00Z'));
  expect(tokenExpiry(now, 3650)).toEqual(new Date('2036-02-26T12:00:00Z'));
  expect(tokenExpiry(now, null)).toBeNull();
  for (const days of [0, -1, 3651, 1.5, NaN]) {
    expect(() => tokenExpiry(now, days)).toThrow(refusalOf('expires_in_days'));
  }
});
