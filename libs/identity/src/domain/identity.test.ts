import { describe, expect, it } from '@jest/globals';
import { emailOf } from './email.ts';
import { decideSignIn, mayUnlink, type Claims, type SingleSignOnRules } from './identity.ts';
import { returnPathOf } from './sign-in-attempt.ts';

const email = emailOf('ada@example.com');
const claims: Claims = {
  issuer: 'https://login.test',
  subject: 's1',
  email,
  emailVerified: true,
  name: 'Ada',
  isOperator: false,
};
const issuer = 'https://login.test';
const rules: SingleSignOnRules = { autoRegister: false, allowedDomains: [], passwordLogin: true, issuer };
const account = { id: 7, emailVerified: true, twoFactor: false };
const nobody = { linkedUserId: null, account: null };
const refused = (reason: string) => ({ kind: 'refuse', reason });

describe('a sign-in at the issuer', () => {
  it('signs in the user of a linked identity, whatever its address is now', () => {
    const linked = { linkedUserId: 3, account };
    expect(decideSignIn(claims, linked, rules)).toEqual({ kind: 'sign_in', userId: 3 });
    expect(decideSignIn({ ...claims, emailVerified: false }, linked, rules)).toEqual({ kind: 'sign_in', userId: 3 });
    expect(decideSignIn({ ...claims, email: null }, linked, rules)).toEqual({ kind: 'sign_in', userId: 3 });
  });

  it('is refused where the issuer names no address, or one that it has not verified', () => {
    const found = { linkedUserId: null, account };
    for (const unproven of [{ email: null }, { emailVerified: false }]) {
      const { reason } = decideSignIn({ ...claims, ...unproven }, found, rules) as { reason: string };
      expect(reason).toBe('sso_email_unverified');
    }
  });

  it('opens an account for an unknown person only where the operator allows it', () => {
    expect(decideSignIn(claims, nobody, rules)).toEqual(refused('sso_not_registered'));
    expect(decideSignIn(claims, nobody, { ...rules, autoRegister: true })).toEqual({ kind: 'register', email });
  });

  it('links an account whose address is verified here', () => {
    expect(decideSignIn(claims, { linkedUserId: null, account }, rules)).toEqual({ kind: 'link', userId: 7 });
  });

  it('does not link an account with two-factor: its user has to, while signed in', () => {
    const found = { linkedUserId: null, account: { ...account, twoFactor: true } };
    expect(decideSignIn(claims, found, rules)).toEqual(refused('sso_link_required'));
  });

  it('takes an account with an unverified address away from the user who opened it', () => {
    for (const twoFactor of [false, true]) {
      const found = { linkedUserId: null, account: { ...account, emailVerified: false, twoFactor } };
      expect(decideSignIn(claims, found, rules)).toEqual({ kind: 'take_over', userId: 7 });
    }
  });

  it('is refused for addresses outside the allowed domains, also for a linked identity', () => {
    const only = { ...rules, allowedDomains: ['example.com'] };
    const linked = { linkedUserId: 3, account: null };
    expect(decideSignIn(claims, linked, only)).toEqual({ kind: 'sign_in', userId: 3 });
    const outside = ['ada@sub.example.com', 'ada@example.com.evil.test', 'ada@notexample.com'].map(emailOf);
    for (const address of [...outside, null]) {
      expect(decideSignIn({ ...claims, email: address }, linked, only)).toEqual(refused('sso_domain_not_allowed'));
    }
  });
});

describe('an identity', () => {
  it('can be unlinked unless it is the last way in', () => {
    const [on, off] = [
      { passwordLogin: true, issuer },
      { passwordLogin: false, issuer },
    ];
    const identities = [{ issuer }];
    expect(mayUnlink({ identities, hasPassword: false }, off)).toBe(true);
    expect(mayUnlink({ identities: [], hasPassword: true }, on)).toBe(true);
    expect(mayUnlink({ identities: [], hasPassword: true }, off)).toBe(false);
    expect(mayUnlink({ identities: [], hasPassword: false }, on)).toBe(false);
  });

  it('is a way in at the present issuer only, with or without a slash at its end', () => {
    const left = { identities: [{ issuer }], hasPassword: false };
    const verdicts = [`${issuer}/`, 'https://former.test', null].map((present) =>
      mayUnlink(left, { passwordLogin: true, issuer: present }),
    );
    expect(verdicts).toEqual([true, false, false]);
  });
});

describe('the path that a sign-in returns to', () => {
  it.each(['/console', '/console/boards', '/console/boards/7?view=grid#media-3'])('may be %s', (path) => {
    expect(returnPathOf(path)).toBe(path);
  });

  it.each([
    ...['//evil.example/console', 'https://evil.example/console', '/\\evil.example/console', '\\\\evil.example'],
    ...['/console\\..\\..\\evil', '/console/../v2/auth/me', '/consolex', '/', '', 'console', 'javascript:alert(1)'],
    ...['/console/\r\nSet-Cookie: a=b', '/\t/evil.example/console', `/console/${'a'.repeat(1000)}`],
    ...['/console/%2e%2e/v2/auth/me', ' /console', '/console /x'],
  ])('must not be %j', (path) => {
    expect(() => returnPathOf(path)).toThrow('return_to must be a path of the console');
  });
});
