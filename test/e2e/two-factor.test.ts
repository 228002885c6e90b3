/** @tier test */
import { describe, expect, it } from '@jest/globals';
import { generate } from 'otplib';
import { keepSecretKey } from '#config';
import type { TestResponse } from '../support/call-api.ts';
import { runCommand } from '../support/command-line.ts';
import { expectRefusal } from '../support/expectations.ts';
import { itHere, startService, type TestUser } from '../support/service.ts';
import { untilTestEnds, useService } from '../support/use-service.ts';

const [KEY, NEW_KEY] = ['k', 'n'].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [string, string];

const service = useService({ SECRET_KEY: KEY }, { worker: false });

function expectAsked(response: TestResponse, challenge: unknown = expect.stringMatching(/^x12_/)): void {
  expectRefusal(response, 401, 'second_factor_required', undefined, { challenge });
}

const PATH = '/v2/auth/two_factor';
const post = (path: string, json: unknown, token?: string) => service.call('POST', path, { json, token });
const logIn = (json: unknown) => post('/v2/auth/login', json);
const open = (json: unknown) =>
  service.call('POST', '/v2/auth/session', { json, headers: { origin: service.baseUrl } });
const me = async (token: string) => (await service.call('GET', '/v2/auth/me', { token })).body.user;
const codeAt = (secret: string, steps = 0) => generate({ secret, epoch: Math.floor(Date.now() / 1000) + 30 * steps });

/** A user with two-factor on. The code of the next time step is not used. */
async function withTwoFactor(): Promise<TestUser & { secret: string; codes: string[] }> {
  const user = await service.signUp();
  const { secret } = (await post(PATH, { password: user.password }, user.token)).body;
  const confirmed = await post(`${PATH}/confirm`, { code: await codeAt(secret) }, user.token);
  return { ...user, secret, codes: confirmed.body.recovery_codes };
}

async function challengeOf({ email, password }: TestUser): Promise<string> {
  return (await logIn({ email, password })).body.challenge;
}

/** Output of the command line, as JSON; the database is that of the service. */
async function cli(env: Record<string, string>, ...args: string[]) {
  const { data, database } = service.settings;
  const settings = { DATA_DIR: data.folder, DATABASE_URL: database.url!, LOG_LEVEL: 'silent', ...env };
  const { code, out, complaints } = await runCommand(settings, ...args, '--json');
  return { code, output: out === '' ? null : JSON.parse(out), complaints };
}
async function checkOf(env: Record<string, string>) {
  const { output } = await cli(env, 'doctor');
  return output.find(({ check }: { check: string }) => check === 'secret key');
}

describe('two-factor', () => {
  it('is set up, asked for at log-in, and turned off', async () => {
    const user = await service.signUp();
    const { token, password } = user;
    expect((await me(token)).two_factor).toBe(false);
    const started = await post(PATH, { password }, token);
    expect([started.status, started.body]).toEqual([
      201,
      {
        status: true,
        secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
        otpauth_url: expect.stringContaining(`&issuer=x12`),
        qr_code: expect.stringMatching(/^<svg /),
      },
    ]);
    const { secret } = started.body;
    expectRefusal(await post(`${PATH}/confirm`, { code: '12345' }, token), 400, 'validation_failed', 'code');
    const confirmed = await post(`${PATH}/confirm`, { code: await codeAt(secret) }, token);
    const code = expect.stringMatching(/^[0-9a-f]{5}(-[0-9a-f]{5}){3}$/);
    expect([confirmed.status, confirmed.body]).toEqual([
      200,
      { status: true, recovery_codes: Array.from({ length: 10 }, () => code) },
    ]);
    expect((await me(token)).two_factor).toBe(true);

    const asked = await logIn({ email: user.email, password });
    const { challenge } = asked.body;
    expectAsked(asked);
    expectAsked(await logIn({ challenge, code: '000000' }), challenge);
    const loggedIn = await logIn({ challenge, code: await codeAt(secret, 1) });
    expect([loggedIn.status, loggedIn.body.user.two_factor]).toEqual([200, true]);
    expectRefusal(await logIn({ challenge, code: confirmed.body.recovery_codes[0] }), 401, 'unauthenticated', 'auth');

    const renewed = await post(`${PATH}/recovery_codes`, { password, code: confirmed.body.recovery_codes[0] }, token);
    expect([renewed.status, renewed.body.recovery_codes.length]).toEqual([200, 10]);
    const off = { json: { password, code: renewed.body.recovery_codes[0] }, token };
    expect((await service.call('DELETE', PATH, off)).body).toEqual({ status: true });
    expect((await logIn({ email: user.email, password })).body.user.two_factor).toBe(false);
    expectRefusal(await service.call('DELETE', PATH, off), 400, 'validation_failed', 'code');
  });

  it('is asked for before a session by cookie, too', async () => {
    const user = await withTwoFactor();
    const { email, password } = user;
    const asked = await open({ email, password });
    expectAsked(asked);
    expect(asked.headers.getSetCookie()).toEqual([]);
    const opened = await open({ challenge: asked.body.challenge, code: user.codes[0] });
    expect([opened.status, opened.headers.getSetCookie().length]).toEqual([200, 1]);
    const other = await open({ challenge: await challengeOf(user), code: user.codes[1], email });
    expectRefusal(other, 400, 'validation_failed', 'challenge');
    expectRefusal(await open({ challenge: 'x12_', code: '000000' }), 401, 'unauthenticated', 'auth');
    expectRefusal(await open({ challenge: asked.body.challenge }), 400, 'validation_failed', 'code');
  });

  it('does not slow down log-ins with a right password', async () => {
    const { email, password, codes } = await withTwoFactor();
    for (const code of codes) {
      const { challenge } = (await logIn({ email, password })).body;
      expect((await logIn({ challenge, code })).status).toBe(200);
    }
    expectAsked(await logIn({ email, password }));
  });

  it('counts tries, issues challenges and records failures whatever the Idempotency-Key', async () => {
    const user = await withTwoFactor();
    let keys = 0;
    const keyed = (path: string, json: unknown, token?: string) =>
      service.call('POST', path, { json, token, headers: { 'idempotency-key': `try-${(keys += 1)}` } });
    const { email, password, token, codes } = user;
    const asked = await keyed('/v2/auth/login', { email, password });
    const { challenge } = asked.body;
    expectAsked(asked);
    for (let tries = 0; tries < 5; tries += 1) {
      expectAsked(await keyed('/v2/auth/login', { challenge, code: '0'.repeat(20) }), challenge);
    }
    expectRefusal(await keyed('/v2/auth/login', { challenge, code: codes[0] }), 401, 'unauthenticated', 'auth');
    const again = (await keyed('/v2/auth/login', { email, password })).body.challenge;
    expect((await keyed('/v2/auth/login', { challenge: again, code: codes[0] })).status).toBe(200);
    const failures = `select 1 from audit_log where action = 'account.sign_in_failed' and user_id = $1`;
    expect(await service.database.query(failures, [user.id])).toHaveLength(5);

    const guess = () => keyed(`${PATH}/recovery_codes`, { password, code: '000000' }, token);
    const statuses = [];
    for (let tries = 0; tries < 6; tries += 1) statuses.push((await guess()).status);
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429]);
  });

  it('is turned off by an operator for a user who has lost the device', async () => {
    const { email, password } = await withTwoFactor();
    expect(await cli({}, 'users', 'two-factor-off', email)).toMatchObject({ code: 0, output: { email } });
    expect((await logIn({ email, password })).status).toBe(200);
    expect((await cli({}, 'users', 'two-factor-off', email)).complaints).toContain('no such two-factor');
  });
});

it('the secret key is checked by doctor, and replaced by the command line', async () => {
  const user = await withTwoFactor();
  expect(await checkOf({ SECRET_KEY: KEY })).toMatchObject({ state: 'well' });
  const missing = { state: 'ill', finding: expect.stringMatching(/^SECRET_KEY is not set.*\(\d+ secrets\)$/) };
  expect(await checkOf({})).toMatchObject(missing);
  const another = { state: 'ill', finding: expect.stringMatching(/^SECRET_KEY is another one .*\(\d+ secrets\)$/) };
  expect(await checkOf({ SECRET_KEY: NEW_KEY })).toMatchObject(another);
  expect((await cli({ SECRET_KEY: NEW_KEY }, 'secret-key', 'rotate')).complaints).toContain('PREVIOUS_SECRET_KEY');
  expect((await cli({}, 'secret-key', 'rotate')).complaints).toContain('there is no SECRET_KEY');

  const both = { SECRET_KEY: NEW_KEY, PREVIOUS_SECRET_KEY: KEY };
  expect(await checkOf(both)).toMatchObject({ state: 'ill', advice: expect.stringContaining('secret-key rotate') });
  const rotated = await cli(both, 'secret-key', 'rotate');
  expect(rotated).toMatchObject({ code: 0, output: { unreadable: 0 } });
  expect(rotated.output.resealed).toBe(rotated.output.kept);
  expect((await cli(both, 'secret-key', 'rotate')).output).toMatchObject({ resealed: 0 });
  expect(await checkOf({ SECRET_KEY: NEW_KEY })).toMatchObject({ state: 'well' });

  // The service has the former key: it says what is wrong, and recovery codes work.
  const challenge = await challengeOf(user);
  const refused = await logIn({ challenge, code: await codeAt(user.secret, 1) });
  expectRefusal(refused, 503, 'unavailable');
  expect(refused.body.message).toMatch(/^SECRET_KEY is another one/);
  expect((await logIn({ challenge, code: user.codes[0] })).status).toBe(200);
  expect((await cli({ SECRET_KEY: KEY, PREVIOUS_SECRET_KEY: NEW_KEY }, 'secret-key', 'rotate')).code).toBe(0);
  expect((await logIn({ challenge: await challengeOf(user), code: await codeAt(user.secret, 1) })).status).toBe(200);
});

describe('a service without a secret key', () => {
  itHere('responds to the set-up with 503, and works at once with a key in its data folder', async () => {
    const other = untilTestEnds(await startService({}, { worker: false }));
    const { token, password } = await other.signUp();
    const setUp = () => other.call('POST', PATH, { json: { password }, token });
    const refused = await setUp();
    expectRefusal(refused, 503, 'unavailable');
    expect(refused.body.message).toMatch(/^SECRET_KEY is not set/);
    keepSecretKey(other.settings);
    expect((await setUp()).status).toBe(201);
  });
});
