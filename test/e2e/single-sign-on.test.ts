/** @tier test */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { freePort } from '#process';
import { expectRefusal } from '../support/expectations.ts';
import { CLIENT, newKey, TestIssuer, type Person, type TokenClaims } from '../support/issuer.ts';
import { startService, type TestUser } from '../support/service.ts';
import { TestBrowser } from '../support/test-browser.ts';
import { untilTestEnds, useService } from '../support/use-service.ts';

// The issuer says that its keys and its memory are not for production.
for (const method of ['info', 'warn'] as const) jest.spyOn(console, method).mockImplementation(() => undefined);
const PORT = String(await freePort());
const issuer = await TestIssuer.start(`http://127.0.0.1:${PORT}/v2/auth/oidc/callback`);
const RULES = { OIDC_NAME: 'Example Inc.', OIDC_AUTO_REGISTER: 'true', OIDC_OPERATOR_CLAIM: 'roles=operator' };
const service = useService({ ...settingsOf(issuer), PORT, ...RULES }, { worker: false });
afterAll(() => issuer.stop());
let browser: TestBrowser;
let count = 0;

beforeEach(() => {
  browser = new TestBrowser();
  issuer.forge = null;
});

function settingsOf({ url }: TestIssuer): Record<string, string> {
  return {
    SECRET_KEY: randomBytes(32).toString('base64'),
    OIDC_ISSUER: url,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
  };
}

const CALLBACK = '/v2/auth/oidc/callback';
const isCallback = (url: string) => url.startsWith(service.baseUrl + CALLBACK);
const isConsole = (url: string) => url.startsWith(`${service.baseUrl}/console`);
const startUrl = (returnTo = '/console') =>
  `${service.baseUrl}/v2/auth/oidc/start?return_to=${encodeURIComponent(returnTo)}`;

/** Somebody whom the issuer knows, and who signs in there next. */
function person(facts: Person = {}): { readonly sub: string; readonly email: string } {
  const sub = `person-${++count}`;
  const email = facts.email ?? `${sub}@example.com`;
  issuer.people.set(sub, { email, email_verified: true, name: 'Ada', ...facts });
  issuer.signsIn = sub;
  return { sub, email };
}

/** The issuer's page, changed by `tamper`, and from there the way back to the callback. */
async function atIssuer(tamper: (url: URL) => void = () => undefined, start = startUrl()): Promise<string> {
  const { to } = await browser.open(start);
  const url = new URL(to!);
  tamper(url);
  return browser.follow(url.href, isCallback);
}

/** The page of the console at the end, as path and fragment. */
async function end(callback: string): Promise<string> {
  return (await browser.follow(callback, isConsole)).slice(service.baseUrl.length);
}

const signIn = async (returnTo?: string) => end(await atIssuer(undefined, startUrl(returnTo)));

/** The user of the browser's session. */
async function me(): Promise<Record<string, unknown> | null> {
  const { response } = await browser.open(`${service.baseUrl}/v2/auth/me`);
  const body = (await response.json()) as { user?: Record<string, unknown> };
  return body.user ?? null;
}

const failed = (reason: string) => `/console/sign-in#error=${reason}`;

async function link(user: TestUser): Promise<string> {
  const { response } = await browser.open(`${service.baseUrl}/v2/auth/oidc/link`, {
    method: 'POST',
    headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ password: user.password, return_to: '/console/account' }),
  });
  const { url } = (await response.json()) as { url: string };
  return url;
}

describe('single sign-on', () => {
  it('is among the ways to sign in', async () => {
    const { body } = await service.call('GET', '/v2/auth/methods');
    expect(body).toEqual({ status: true, password: true, signup: true, oidc: { name: 'Example Inc.' } });
  });

  it('opens an account with a verified address and a session, and finds it the next time', async () => {
    const { email } = person();
    expect(await signIn('/console/boards?view=grid')).toBe('/console/boards?view=grid');
    const user = await me();
    expect(user).toMatchObject({ email, name: 'Ada', email_verified: true, has_password: false });
    expect([...browser.cookiesOf(service.baseUrl).keys()]).toEqual(['x12_session']);
    browser = new TestBrowser();
    await signIn();
    expect(await me()).toEqual(user);
  });

  it('works in two tabs at a time, in either order', async () => {
    const { email } = person();
    const first = await atIssuer(undefined, startUrl('/console/one'));
    const second = await atIssuer(undefined, startUrl('/console/two'));
    expect([await end(first), await end(second)]).toEqual(['/console/one', '/console/two']);
    expect(await me()).toMatchObject({ email });
  });

  it('is not finished by another browser, by another state, or a second time', async () => {
    person();
    const own = await atIssuer();
    const cookies = new Map(browser.cookiesOf(service.baseUrl));
    const victim = new TestBrowser();
    expect((await victim.open(own)).to).toBe(service.baseUrl + failed('sso_expired'));
    const other = await atIssuer();
    const mixed = new URL(own);
    mixed.searchParams.set('state', new URL(other).searchParams.get('state')!);
    // The code belongs to another attempt, so its PKCE verifier is another one.
    expect(await end(mixed.href)).toBe(failed('sso_invalid'));
    browser = new TestBrowser();
    const again = await atIssuer();
    const kept = new Map(browser.cookiesOf(service.baseUrl));
    expect(await end(again)).toBe('/console');
    expect(await end(again)).toBe(failed('sso_expired'));
    for (const [name, value] of kept) browser.cookiesOf(service.baseUrl).set(name, value);
    // Before the issuer is asked.
    expect(await end(again)).toBe(failed('sso_expired'));
    expect(cookies.size).toBe(1);
  });

  it('does not accept an attempt of another state in its cookie', async () => {
    person();
    const callback = await atIssuer();
    const jar = browser.cookiesOf(service.baseUrl);
    const [[name, sealed]] = [...jar] as [[string, string]];
    jar.delete(name);
    const forged = new URL(callback);
    forged.searchParams.set('state', 'a'.repeat(43));
    jar.set(name.replace(/x12_sso_.*/, `x12_sso_${'a'.repeat(43)}`), sealed);
    expect(await end(forged.href)).toBe(failed('sso_expired'));
  });

  it.each([
    ['without a state', (url: URL) => url.searchParams.delete('state'), 'sso_expired'],
    ['with a state of nobody', (url: URL) => url.searchParams.set('state', 'a'.repeat(43)), 'sso_expired'],
    ['with two states', (url: URL) => url.searchParams.append('state', 'a'.repeat(43)), 'sso_invalid'],
  ])('is refused %s', async (_what, tamper, reason) => {
    person();
    const callback = new URL(await atIssuer());
    tamper(callback);
    expect(await end(callback.href)).toBe(failed(reason));
    expect(await me()).toBeNull();
  });

  it('does not redeem a code by the PKCE verifier of another attempt, whatever the nonce is', async () => {
    person();
    let nonce = '';
    const stolen = await atIssuer();
    const own = new URL(await atIssuer((url) => (nonce = url.searchParams.get('nonce')!)));
    own.searchParams.set('code', new URL(stolen).searchParams.get('code')!);
    issuer.forge = { claims: (claims) => ({ ...claims, nonce }) };
    expect(await end(own.href)).toBe(failed('sso_invalid'));
    expect(await me()).toBeNull();
  });

  it('binds an attempt to the browser for ten minutes by a cookie that no script can read', async () => {
    const before = Date.now();
    const { headers } = await service.call('GET', '/v2/auth/oidc/start');
    const [cookie, ...others] = headers.getSetCookie();
    expect(others).toEqual([]);
    expect(cookie).toMatch(/^x12_sso_[\w-]{43}=[^;]+; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
    const minutes = (Date.parse(/Expires=([^;]+)/.exec(cookie!)![1]!) - before) / 60_000;
    expect(minutes).toBeGreaterThan(9.9);
    expect(minutes).toBeLessThan(10.5);
  });

  it('sends that cookie only by TLS to this host alone, where PUBLIC_URL is https', async () => {
    const env = { ...settingsOf(issuer), PUBLIC_URL: 'https://x12.example' };
    const secure = untilTestEnds(await startService(env, { worker: false }));
    const inside = `http://127.0.0.1:${secure.settings.http.port}/v2/auth/oidc/start`;
    const { headers } = await fetch(inside, { redirect: 'manual' });
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-x12_sso_[\w-]{43}=[^;]+; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/),
    ]);
  });

  it.each([
    ['nonce', (url: URL) => url.searchParams.set('nonce', 'of somebody else')],
    ['PKCE challenge', (url: URL) => url.searchParams.set('code_challenge', 'A'.repeat(43))],
  ])('is refused with another %s', async (_name, tamper) => {
    person();
    expect(await end(await atIssuer(tamper))).toBe(failed('sso_invalid'));
    expect(await me()).toBeNull();
  });

  it('is refused when the response names another issuer, or none', async () => {
    person();
    const callback = new URL(await atIssuer());
    callback.searchParams.set('iss', 'https://evil.example');
    expect(await end(callback.href)).toBe(failed('sso_invalid'));
    const nameless = new URL(await atIssuer());
    nameless.searchParams.delete('iss');
    expect(await end(nameless.href)).toBe(failed('sso_invalid'));
  });

  it.each<[what: string, claims: (claims: TokenClaims) => TokenClaims]>([
    ['of another issuer', (claims) => ({ ...claims, iss: 'https://evil.example' })],
    ['for another client', (claims) => ({ ...claims, aud: 'another' })],
    ['for another client too, and issued to that one', (claims) => ({ ...claims, aud: ['x12', 'b'], azp: 'b' })],
    ['of the future', (claims) => ({ ...claims, iat: Math.floor(Date.now() / 1000) + 120 })],
    ['that has expired', (claims) => ({ ...claims, exp: Number(claims.iat) - 60 })],
    ['without an end', ({ exp: _, ...claims }) => claims],
    ['with the nonce of another attempt', (claims) => ({ ...claims, nonce: 'of another attempt' })],
    ['without a nonce', ({ nonce: _, ...claims }) => claims],
    ['without a subject', ({ sub: _, ...claims }) => claims],
    ['of another person than the response about the user', (claims) => ({ ...claims, sub: 'somebody else' })],
  ])('does not accept an ID token %s', async (_what, claims) => {
    person();
    issuer.forge = { claims };
    expect(await signIn()).toBe(failed('sso_invalid'));
    expect(await me()).toBeNull();
  });

  it('does not accept an ID token that another key signed', async () => {
    person();
    // The clock of an issuer may be a little ahead.
    issuer.forge = { claims: (claims) => ({ ...claims, iat: Math.floor(Date.now() / 1000) + 30 }) };
    expect(await signIn()).toBe('/console');
    browser = new TestBrowser();
    issuer.forge = { claims: (claims) => claims, key: newKey() };
    expect(await signIn()).toBe(failed('sso_invalid'));
    expect(await me()).toBeNull();
  });

  it('leads back to the sign-in page when the person cancels', async () => {
    issuer.signsIn = null;
    expect(await signIn()).toBe(failed('sso_denied'));
  });

  it('does not sign in by an address that the issuer has not verified', async () => {
    const user = await service.signUp();
    person({ email: user.email, email_verified: false });
    expect(await signIn()).toBe(failed('sso_email_unverified'));
  });

  it('returns only to the console', async () => {
    const path = `/v2/auth/oidc/start?return_to=${encodeURIComponent('//evil.example')}`;
    expectRefusal(await service.call('GET', path), 400, 'validation_failed', 'return_to');
  });

  it('is linked and unlinked by a signed-in user, whose addresses may differ', async () => {
    const user = await service.signUp();
    person();
    const callback = await browser.follow(await link(user), isCallback);
    expect(await end(callback)).toBe('/console/account');
    browser = new TestBrowser();
    await signIn();
    expect(await me()).toMatchObject({ id: user.id, has_password: true });
    const { identities } = (await service.call('GET', '/v2/auth/oidc/link', { token: user.token })).body;
    expect(identities).toEqual([expect.objectContaining({ issuer: issuer.url })]);
    const path = `/v2/auth/oidc/link/${identities[0].id}`;
    const outsider = await service.signUp();
    expectRefusal(await service.call('DELETE', path, { token: outsider.token }), 404, 'not_found');
    expect((await service.call('DELETE', path, { token: user.token })).status).toBe(200);
  });

  it('is linked only with the password, to one account, and while the session lasts', async () => {
    const user = await service.signUp();
    const wrong = await service.call('POST', '/v2/auth/oidc/link', { token: user.token, json: { password: 'wrong' } });
    expectRefusal(wrong, 400, 'validation_failed', 'password');
    person();
    await signIn();
    const elsewhere = await browser.follow(await link(user), isCallback);
    expect(await end(elsewhere)).toBe('/console/account#error=sso_linked_elsewhere');
    person();
    const late = await browser.follow(await link(user), isCallback);
    await service.call('DELETE', '/v2/auth/session', { token: user.token });
    expect(await end(late)).toBe('/console/account#error=sso_expired');
  });

  it('does not fill the headers with attempts that never end', async () => {
    for (let tabs = 0; tabs < 12; tabs++) await browser.open(startUrl());
    expect(browser.cookiesOf(service.baseUrl).size).toBeLessThanOrEqual(6);
  });
});

it.each([
  ['of the response about the user', { roles: ['member', 'operator'] }, (claims: TokenClaims) => claims, true],
  ['of the ID token', {}, (claims: TokenClaims) => ({ ...claims, roles: 'operator' }), true],
  [
    'of the ID token, whatever the response about the user says',
    { roles: 'operator' },
    (claims: TokenClaims) => ({ ...claims, roles: [] }),
    false,
  ],
])('the claim %s makes operators', async (_, facts, claims, expected) => {
  person(facts);
  issuer.forge = { claims };
  await signIn();
  expect((await me())!.is_operator).toBe(expected);
});
