/** @tier test */
import { describe, expect, it } from '@jest/globals';
import { StorageReconciliation } from '#files';
import { remoteProviders } from '#wiring';
import type { TestRequest } from '../support/call-api.ts';
import { runCommand } from '../support/command-line.ts';
import { eventually } from '../support/eventually.ts';
import { expectRefusal } from '../support/expectations.ts';
import { rounds } from '../support/rounds.ts';
import { startService, type TestUser } from '../support/service.ts';
import { prepared, untilTestEnds, useService } from '../support/use-service.ts';
const TOKEN = 'operators-only-0123456789-abcdefghijk';
const SECRETS = {
  STORAGE_SIGNING_SECRET: 'hush-storage-0123456789-0123456789',
  FAL_KEY: 'hush-fal',
  SMTP_URL: 'smtp://post:hush-mail@127.0.0.1:1/?pass=hush',
  MAIL_FROM: 'x12@example.com',
};
const READS = ['providers', 'queues', 'storage', 'users', 'plans', 'settings', 'doctor', 'models/usage'];

const env = { ...SECRETS, ADMIN_TOKEN: TOKEN, FAL_BASE_URL: 'http://127.0.0.1:1', INVITATION_URL: '' };
const service = useService(env, { worker: false });
const user = prepared(() => service.signUp());

const read = async (path: string) => {
  const { status, body } = await service.call('GET', `/admin/api/${path}`, { token: TOKEN });
  expect([status, body.status]).toEqual([200, true]);
  return body;
};

describe("the operators' reads", () => {
  it('need the operator token as a bearer: no password that a browser adds, no session, no token of a user', async () => {
    const basic = `Basic ${Buffer.from(`operator:${TOKEN}`).toString('base64')}`;
    const cookie = `x12_session=${TOKEN}`;
    const others: Record<string, string>[] = [{}, { authorization: basic }, { cookie }];
    for (const path of READS) {
      for (const headers of others) {
        const refused = await service.call('GET', `/admin/api/${path}`, { headers });
        expectRefusal(refused, 401, 'unauthenticated', 'auth');
        // Else a browser asks for a password.
        expect(refused.headers.get('www-authenticate')).toBe('Bearer');
      }
    }
    const refused = await service.call('GET', '/admin/api/users', { token: user.token });
    expectRefusal(refused, 401, 'unauthenticated', 'auth');
  });

  it('show the health of each provider and model, and the results of their generations', async () => {
    const json = { model: 'local-image', prompt: 'lake' };
    await service.call('POST', '/v2/generate', { token: user.token, json });
    const { providers, models } = await read('providers');
    const health = { state: 'ill', finding: 'cannot be reached', advice: expect.any(String) };
    const limits = { max_concurrent: expect.any(Number), submissions_per_minute: null };
    const access = { base_url: 'http://127.0.0.1:1', has_key: true, key_end: null };
    expect(providers).toEqual([{ id: 'fal', type: 'fal', ...access, ...limits, health, paused_since: null }]);
    const local = models.find(({ id }: { id: string }) => id === 'local-image');
    expect(local).toMatchObject({ provider: 'local', health: { state: 'well' }, recent: { queued: 1 } });
    const remote = models.filter(({ provider }: { provider: string }) => provider === 'fal');
    for (const model of remote) expect(model).toMatchObject({ health: null, recent: {} });
  });

  it('show since when a provider is not called, as its calls have failed; an event tells operators', async () => {
    const operate = (may: boolean) =>
      service.database.query('update users set is_operator = $2 where id = $1', [user.id, may]);
    await operate(true);
    const fal = service.api.app.get(remoteProviders, { strict: false }).get('fal')!;
    const before = Date.now();
    for (let call = 0; call < 5; call++) {
      await expect(fal.check({ id: '1' }, AbortSignal.timeout(10_000))).rejects.toThrow();
    }
    const since = await eventually(async () => {
      const { providers } = await read('providers');
      return providers[0].paused_since;
    });
    expect(Date.parse(since)).toBeGreaterThanOrEqual(before);
    const [event] = await eventually(async () => {
      const { body } = await service.call('GET', '/v2/events?types=provider.failing', { token: user.token });
      return body.events.length > 0 && body.events;
    });
    expect(event).toMatchObject({ subject: { type: 'provider', id: 'fal' }, data: { id: 'fal', since } });
    await operate(false);
  });

  it('sum up the use of models, as JSON and as CSV', async () => {
    const { usage } = await read('models/usage');
    const counts = { uses: 1, succeeded: 0, failed: 0, canceled: 0, credits: 0, vendor_cost: null, vendor_costs: 0 };
    const month = new Date().toISOString().slice(0, 7);
    expect(usage).toEqual([{ month, model: 'local-image', ...counts, p50_seconds: null, p95_seconds: null }]);
    expect((await read('models/usage?from=2025-12&to=2025-12')).usage).toEqual([]);
    const csv = await fetch(new URL('/admin/api/models/usage', service.baseUrl), {
      headers: { Authorization: `Bearer ${TOKEN}`, Accept: 'text/csv' },
    });
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename=model-usage.csv');
    expect((await csv.text()).split('\r\n')[1]).toBe(`${month},local-image,1,0,0,0,,,0,,0`);
    const refused = await service.call('GET', '/admin/api/models/usage?from=soon', { token: TOKEN });
    expectRefusal(refused, 400, 'validation_failed', 'from');
  });

  it('count the jobs of every queue', async () => {
    const { queues } = await read('queues');
    const generations = queues.find(({ name }: { name: string }) => name === 'generations');
    const counts = { waiting: 1, running: 0, delayed: 0, failing: 0, oldest_due_at: expect.any(String) };
    expect(generations).toMatchObject({ ...counts, jobs: [{ name: 'generation.run', waiting: 1 }] });
    const exports = queues.find(({ name }: { name: string }) => name === 'exports');
    expect(exports).toEqual({ name: 'exports', ...counts, waiting: 0, oldest_due_at: null, jobs: [] });
  });

  it('sum up the files, and show the result of the last reconciliation with the storage', async () => {
    const sums = { files: 0, bytes: 0, temporary_files: 0, objects_to_delete: 0, unfinished_uploads: 0 };
    expect(await read('storage')).toEqual({ status: true, store: 'disk', bucket: null, ...sums, last_audit: null });
    await service.database
      .query(`insert into files (workspace_id, origin, key, filename, size, content_type, created_at)
      select id, 'import', 'files/lost/a.png', 'a.png', 7, 'image/png', '2026-01-01' from workspaces limit 1`);
    const nightly = service.api.app.get(StorageReconciliation, { strict: false });
    await nightly.runNightly(new AbortController().signal);
    const found = { objects: 0, without_record: 0, files: 1, without_object: 1, examples: ['files/lost/a.png'] };
    expect(await read('storage')).toMatchObject({
      files: 1,
      bytes: 7,
      last_audit: { ...found, compared_at: expect.any(String) },
    });
  });

  it('list users page by page, and find them by a part of their e-mail', async () => {
    const other = await service.signUp();
    const first = await read('users?limit=1');
    expect(first.users).toEqual([
      {
        id: other.id,
        email: other.email,
        name: null,
        created_at: expect.any(String),
        workspace: { id: expect.any(Number), plan: 'free', is_team: false },
        role: 'owner',
        is_operator: false,
        external_id: null,
      },
    ]);
    expect((await read(`users?cursor=${first.next_cursor}`)).users[0].id).toBe(user.id);
    const { users, next_cursor: next } = await read(`users?q=${user.email.slice(2, 20).toUpperCase()}`);
    expect([users.map(({ id }: { id: number }) => id), next]).toEqual([[user.id], null]);
    expect((await read('users?q=nobody@nowhere')).users).toEqual([]);
    const refused = await service.call('GET', '/admin/api/users?limit=201', { token: TOKEN });
    expectRefusal(refused, 400, 'validation_failed', 'limit');
  });

  it('list the plans with their numbers of workspaces, including removed plans', async () => {
    await service.database.query(`update workspaces set plan = 'gone'
      where id = (select workspace_id from memberships where user_id = ${user.id})`);
    const { plans } = await read('plans');
    const byId = new Map(plans.map(({ id, ...plan }: { id: string }) => [id, plan]));
    const free = { monthly_credits: 100, is_team_plan: false, is_configured: true, workspaces: 1, teams: 0 };
    expect(byId.get('free')).toEqual(free);
    expect(byId.get('enterprise')).toMatchObject({ is_team_plan: true, workspaces: 0 });
    expect(byId.get('gone')).toMatchObject({ is_configured: false, workspaces: 1 });
  });

  it('show the settings without any secret', async () => {
    const body = await read('settings');
    const shown = (name: string) => body.settings.find(({ variable }: { variable: string }) => variable === name);
    expect(shown('ADMIN_TOKEN')).toMatchObject({ is_set: true, value: null });
    expect(shown('FAL_KEY')).toMatchObject({ is_set: true, value: null });
    expect(shown('OPENAI_API_KEY')).toMatchObject({ is_set: false, value: null });
    expect(shown('SMTP_URL')).toMatchObject({ is_set: true, value: 'smtp://127.0.0.1:1' });
    expect(shown('TOKEN_TTL_DAYS')).toMatchObject({ is_set: false, value: null, default: '`90`' });
    expect(shown('LOG_LEVEL')).toMatchObject({ is_set: true, value: 'error', description: expect.any(String) });
    const text = JSON.stringify(body);
    const { password } = new URL(service.settings.database.url!);
    for (const secret of ['hush', TOKEN, ...(password ? [`:${password}@`] : [])]) expect(text).not.toContain(secret);
  });

  it('check the service like the command line, with advice', async () => {
    const { checks } = await read('doctor');
    const byName = new Map(checks.map(({ check, ...rest }: { check: string }) => [check, rest]));
    expect(byName.get('database')).toMatchObject({ state: 'well', advice: null });
    expect(byName.get('storage')).toMatchObject({ state: 'well' });
    expect(byName.get('api')).toMatchObject({ state: 'well', finding: `ready at ${service.baseUrl}` });
    expect(byName.get('mail')).toMatchObject({ state: 'ill', advice: 'check SMTP_URL and its server' });
    expect(byName.get('provider fal')).toMatchObject({ state: 'ill' });
    expect(JSON.stringify(checks)).not.toContain('hush');
  });

  it('say which plans workspaces are on that are not configured', async () => {
    const plans = async () => (await read('doctor')).checks.find(({ check }: { check: string }) => check === 'plans');
    await service.database.query(`update workspaces set plan = 'enterprize'`);
    expect(await plans()).toMatchObject({
      state: 'ill',
      finding: expect.stringMatching(/not configured: enterprize \(2 workspaces, such as \d+\)$/),
      advice: expect.stringContaining('free, pro, enterprise'),
    });
    await service.database.query(`update workspaces set plan = 'free'`);
    expect(await plans()).toMatchObject({ state: 'well' });
  });

  it('name ADMIN_TOKEN an operator in the audit log, and it may take the right of the last one', async () => {
    const change = (isOperator: boolean) =>
      service.call('PUT', `/admin/api/users/${user.id}`, { token: TOKEN, json: { is_operator: isOperator } });
    expect([(await change(true)).status, (await change(false)).status]).toEqual([200, 200]);
    const { entries } = (await service.call('GET', '/v2/audit?action=account.operator_change', { token: user.token }))
      .body;
    const by = { actor: 'operator', via: 'token' };
    expect(entries).toMatchObject([
      { ...by, details: { operator: false } },
      { ...by, details: { operator: true } },
    ]);
  });

  it('change nothing', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expect((await service.call(method, '/admin/api/plans', { token: TOKEN })).status).toBe(404);
    }
  });

  it('rate-limit guesses of the token, also at the dashboard, and never the right one', async () => {
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await service.call('GET', '/admin/api/plans', { token: `guess-${attempt}` });
    }
    for (const path of ['/admin/api/plans', '/admin/queues']) {
      const waiting = await service.call('GET', path, { token: 'guess' });
      expectRefusal(waiting, 429, 'rate_limited');
      expect(Number(waiting.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await service.call('GET', path, { token: TOKEN })).status).toBe(200);
    }
  });
});

it('without an operator token, nothing is there', async () => {
  const closed = untilTestEnds(await startService({}, { worker: false }));
  for (const path of READS) {
    expectRefusal(await closed.call('GET', `/admin/api/${path}`, { token: TOKEN }), 404, 'not_found');
  }
});

describe('an account that is an operator', () => {
  const open = useService({}, { worker: false });

  const appoint = ({ email }: TestUser, ...options: string[]) => {
    const { data, database } = open.settings;
    const env = { DATA_DIR: data.folder, DATABASE_URL: database.url!, PUBLIC_URL: open.baseUrl };
    return runCommand(env, 'users', 'operator', email, ...options);
  };
  const statusesOf = (request: TestRequest) =>
    Promise.all(
      ['/admin/api/plans', '/admin/queues/'].map(async (path) => (await open.call('GET', path, request)).status),
    );

  it('reads with its own session, without ADMIN_TOKEN, as long as it is one', async () => {
    const operator = await open.signUp();
    expect(await statusesOf({ token: operator.token })).toEqual([404, 404]);
    expect(await appoint(operator)).toMatchObject({ code: 0 });
    const { email, password } = operator;
    const signedIn = await open.call('POST', '/v2/auth/session', {
      json: { email, password },
      headers: { origin: open.baseUrl },
    });
    expect(signedIn.body.user.is_operator).toBe(true);
    const cookie = signedIn.headers.getSetCookie()[0]!.split(';')[0]!;
    expect(await statusesOf({ headers: { cookie } })).toEqual([200, 200]);
    await appoint(operator, '--remove');
    expect(await statusesOf({ headers: { cookie } })).toEqual([404, 404]);
  });

  it('does not read with an API token, nor with a session that an API token opened', async () => {
    const operator = await open.signUp();
    await appoint(operator);
    expect(await statusesOf({ token: operator.token })).toEqual([200, 200]);
    const api = await open.call('POST', '/v2/auth/tokens', { token: operator.token, json: { name: 'program' } });
    expect(await statusesOf({ token: api.body.token })).toEqual([404, 404]);
    const session = await open.call('POST', '/v2/auth/session', { json: { token: api.body.token } });
    const cookie = session.headers.getSetCookie()[0]!.split(';')[0]!;
    expect(await statusesOf({ headers: { cookie } })).toEqual([403, 403]);
    const told = await open.call('GET', '/admin/api/users', { headers: { cookie } });
    expectRefusal(told, 403, 'forbidden');
    expect(told.body.message).toContain('opened with an API token');
    await appoint(operator, '--remove');
    expect(await statusesOf({ headers: { cookie } })).toEqual([404, 404]);
  });

  const change = (by: TestUser | null, { id }: Pick<TestUser, 'id'>, isOperator: unknown) =>
    open.call('PUT', `/admin/api/users/${id}`, { token: by?.token, json: { is_operator: isOperator } });
  const entriesOf = async ({ token }: TestUser) =>
    (await open.call('GET', '/v2/audit?action=account.operator_change', { token })).body.entries;

  it('makes others operators, which is in their audit log under its name, once', async () => {
    const [operator, user] = [await open.signUp(), await open.signUp()];
    await appoint(operator);
    for (const by of [user, null]) expectRefusal(await change(by, user, true), 404, 'not_found');
    for (let times = 0; times < 2; times++) expect((await change(operator, user, true)).status).toBe(200);
    expect(await statusesOf({ token: user.token })).toEqual([200, 200]);
    const { users } = (await open.call('GET', `/admin/api/users?q=${user.email}`, { token: user.token })).body;
    expect(users).toMatchObject([{ id: user.id, is_operator: true }]);
    const actor = { user_id: operator.id, email: operator.email };
    const from = { address: expect.any(String), request_id: expect.any(String) };
    expect(await entriesOf(user)).toMatchObject([{ actor, via: 'session', details: { operator: true }, ...from }]);
    expectRefusal(await change(user, { id: 999_999 }, true), 404, 'not_found');
    expectRefusal(await change(user, operator, 'maybe'), 400, 'validation_failed', 'is_operator');
    await open.database.query('update users set is_operator = false');
  });

  it('stays one when it is the last, also when two take the right of each other at once', async () => {
    const [one, two] = [await open.signUp(), await open.signUp()];
    for (let round = 0; round < rounds(); round += 1) {
      await open.database.query('update users set is_operator = (id = any($1))', [[one.id, two.id]]);
      await Promise.all([change(one, two, false), change(two, one, false)]);
      const left = await open.database.query<{ id: number }>('select id from users where is_operator');
      expect(left).toHaveLength(1);
      const last = left[0]!.id === one.id ? one : two;
      expectRefusal(await change(last, last, false), 409, 'conflict');
    }
    await open.database.query('update users set is_operator = false');
  });
});
