/** @tier test, 20 s */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { aPng } from '#testing/sources';
import { auditFindings } from '../support/audit.ts';
import type { TestRequest } from '../support/call-api.ts';
import { eventually } from '../support/eventually.ts';
import { expectRefusal } from '../support/expectations.ts';
import { uploaded } from '../support/uploaded.ts';
import { useService } from '../support/use-service.ts';

const TOKEN = 'operators-only-0123456789-abcdefghijk';
const PLANS = JSON.stringify({
  free: { monthly_credits: 100_000, teams: false },
  enterprise: { monthly_credits: 100_000, teams: true },
});

const service = useService({ ADMIN_TOKEN: TOKEN, PLANS });
let machine: { readonly id: number; readonly token: string };
let reader: string;
beforeAll(async () => {
  machine = await newMachineToken(['operate']);
  reader = (await newMachineToken(['operate.read'])).token;
});

async function newMachineToken(scopes: readonly string[]) {
  const json = { name: `billing ${scopes}`, scopes };
  const { status, body } = await service.call('POST', '/admin/api/tokens', { token: TOKEN, json });
  expect([status, body.token]).toEqual([201, expect.stringMatching(/^x12_operate_/)]);
  return body as typeof machine;
}

const operate = (method: string, path: string, json?: object, more: TestRequest = {}) =>
  service.call(method, `/admin/api/${path}`, { token: machine.token, ...(json && { json }), ...more });

let names = 0;
const newName = () => `customer-${++names}`;

/** A workspace with a token that acts in it. */
async function newWorkspace(fields: object = {}) {
  const opened = await operate('POST', 'workspaces', { name: 'Acme', plan: 'free', ...fields });
  expect(opened.status).toBe(201);
  const { workspace } = opened.body;
  const { body } = await operate('POST', `workspaces/${workspace.id}/tokens`, { name: 'app' });
  const call = (method: string, path: string, json?: object) =>
    service.call(method, path, { token: body.token, ...(json && { json }) });
  return { id: workspace.id as number, workspace, call, token: body.token as string };
}

describe('a machine token', () => {
  it('reads with `operate.read`, and changes with `operate`', async () => {
    expect((await service.call('GET', '/admin/api/workspaces', { token: reader })).status).toBe(200);
    const request = { token: reader, json: { name: 'Acme', plan: 'free' } };
    const refused = await service.call('POST', '/admin/api/workspaces', request);
    expectRefusal(refused, 403, 'insufficient_scope', undefined, { scope: 'operate' });
    expect((await service.call('GET', '/v2/auth/me', { token: machine.token })).status).toBe(401);
  });

  it('makes no machine token, no operator, and erases none', async () => {
    const { id } = await service.signUp();
    expectRefusal(await operate('POST', 'tokens', { name: 'more', scopes: ['operate'] }), 403, 'forbidden');
    expectRefusal(await operate('PUT', `users/${id}`, { is_operator: true }), 403, 'forbidden');
    await service.call('PUT', `/admin/api/users/${id}`, { token: TOKEN, json: { is_operator: true } });
    expectRefusal(await operate('DELETE', `users/${id}`), 403, 'forbidden');
  });

  it('is listed without its secret, with its last use, and ends when it is revoked', async () => {
    const { id, token } = await newMachineToken(['operate.read', 'operate']);
    await service.call('GET', '/admin/api/plans', { token });
    const { body } = await operate('GET', 'tokens');
    const listed = body.tokens.find((each: { id: number }) => each.id === id);
    expect(listed).toMatchObject({ scopes: ['operate.read', 'operate'], last_used_at: expect.any(String) });
    expect(JSON.stringify(body)).not.toContain('x12_operate');
    const bad = await service.call('POST', '/admin/api/tokens', { token: TOKEN, json: { name: 'none', scopes: [] } });
    expectRefusal(bad, 400, 'validation_failed', 'scopes');
    expect((await operate('DELETE', `tokens/${id}`)).status).toBe(200);
    expectRefusal(await service.call('GET', '/admin/api/plans', { token }), 401, 'unauthenticated', 'auth');
    expectRefusal(await operate('DELETE', `tokens/${id}`), 404, 'not_found');
  });

  it('is named in the audit log for what it does', async () => {
    const { id, call } = await newWorkspace();
    await operate('PUT', `workspaces/${id}`, { plan: 'enterprise', name: 'Acme & Co' });
    const { entries } = (await call('GET', '/v2/audit')).body;
    const by = { actor: 'operator', via: 'token', via_name: 'billing operate' };
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      'workspace.plan_change',
      'workspace.update',
      'token.create',
      'team.create',
    ]);
    for (const entry of entries) expect(entry).toMatchObject(by);
  });
});

describe('a provisioned workspace', () => {
  it('is opened once for its external id, also with an Idempotency-Key, and is found by it', async () => {
    const [external_id, headers] = [newName(), { 'idempotency-key': 'a-key' }];
    const json = { name: 'Acme', plan: 'free', external_id };
    const first = await operate('POST', 'workspaces', json, { headers });
    const { workspace } = first.body;
    expect(first.status).toBe(201);
    expect(workspace).toEqual({
      ...{ id: expect.any(Number), name: 'Acme', external_id, plan: 'free', is_team: true, suspended: false },
      ...{ owner_id: expect.any(Number), owner_email: null, members_count: 1, created_at: expect.any(String) },
    });
    const replayed = await operate('POST', 'workspaces', json, { headers });
    expect([replayed.status, replayed.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    const other = await operate('POST', 'workspaces', { ...json, name: 'Other' }, { headers });
    expectRefusal(other, 422, 'idempotency_key_reused');
    const again = await operate('POST', 'workspaces', { ...json, name: 'Other' });
    expect([again.status, again.body.workspace]).toEqual([200, workspace]);
    expect((await operate('GET', `workspaces?external_id=${external_id}`)).body.workspaces).toEqual([workspace]);
    expect((await operate('GET', 'workspaces?plan=gone')).body.workspaces).toEqual([]);
    expect((await operate('GET', `workspaces/${workspace.id}`)).body.workspace).toEqual(workspace);
    expectRefusal(await operate('POST', 'workspaces', { ...json, plan: 'gone', external_id: null }), 400, ...INVALID);
    expectRefusal(await operate('POST', 'workspaces', { ...json, external_id: 'x'.repeat(256) }), 400, ...EXTERNAL);
    expectRefusal(await operate('GET', 'workspaces/999999'), 404, 'not_found');
  });
  const INVALID = ['validation_failed', 'plan'] as const;
  const EXTERNAL = ['validation_failed', 'external_id'] as const;

  it('has tokens that act in it, on a plan without teams too', async () => {
    const { id, call } = await newWorkspace();
    const { body } = await call('GET', '/v2/auth/me');
    expect(body.workspace).toEqual({ id, plan: 'free', is_team: true, suspended: false });
    expectRefusal(await call('GET', '/v2/team/info'), 403, 'plan_required');
    const { status } = await call('POST', '/v2/generate', { model: 'local-image', prompt: 'lake', width: 64 });
    expect(status).toBe(202);
    // A service account has no way in, and gets no mail.
    const json = { email: 'me@example.com', password: 'a difference engine' };
    expect((await call('POST', '/v2/auth/email', json)).status).toBe(401);
  });

  it('gets credits, once for a key', async () => {
    const { id } = await newWorkspace();
    const grant = (fields: object) =>
      operate('POST', `workspaces/${id}/credits`, { amount: 7, reason: 'order', ...fields });
    for (let times = 0; times < 2; times++) {
      expect((await grant({ key: 'order-1' })).body.credits).toMatchObject({ purchased: 100_007 });
    }
    expect((await grant({})).body.credits).toMatchObject({ purchased: 100_014, used: 0, available: 100_014 });
    expectRefusal(await grant({ amount: 0 }), 400, 'validation_failed', 'amount');
    expectRefusal(await operate('POST', 'workspaces/999999/credits', { amount: 1, reason: 'x' }), 404, 'not_found');
  });

  it('has users as members, who are opened by e-mail, act in it at once, and leave it again', async () => {
    const external_id = newName();
    const json = { email: `${external_id}@example.com`, name: 'Ada', external_id };
    const opened = await operate('POST', 'users', json);
    expect([opened.status, opened.body.user]).toEqual([201, expect.objectContaining({ ...json, role: 'owner' })]);
    const { user } = opened.body;
    expect(await operate('POST', 'users', { ...json, email: 'x@example.com' })).toMatchObject({
      status: 200,
      body: { user },
    });
    expectRefusal(await operate('POST', 'users', { email: json.email }), 409, 'user_exists');
    const { id } = await newWorkspace();
    const member = `workspaces/${id}/members/${user.id}`;
    expect((await operate('PUT', member, { role: 'admin' })).body.member).toMatchObject({
      role: 'admin',
      added_by: null,
    });
    expect((await operate('GET', `users?external_id=${external_id}`)).body.users).toMatchObject([
      { workspace: { id } },
    ]);
    expectRefusal(await operate('PUT', member, { role: 'owner' }), 400, 'invalid_role_change');
    const other = await newWorkspace();
    expectRefusal(
      await operate('PUT', `workspaces/${other.id}/members/${user.id}`, { role: 'member' }),
      409,
      'in_other_team',
    );
    const taken = { name: 'Acme', plan: 'free', email: json.email };
    expectRefusal(await operate('POST', 'workspaces', taken), 409, 'in_other_team');
    const owner = `workspaces/${id}/members/${(await operate('GET', `workspaces/${id}`)).body.workspace.owner_id}`;
    expectRefusal(await operate('DELETE', owner), 403, 'owner_not_removable');
    expect((await operate('DELETE', member)).status).toBe(200);
    expectRefusal(await operate('DELETE', member), 404, 'not_found');
  });

  it('changes users, and erases them unless others depend on them', async () => {
    const [one, two] = [newName(), newName()];
    const open = async (external_id: string) =>
      (await operate('POST', 'users', { email: `${external_id}@example.com`, external_id })).body.user;
    const [first, second] = [await open(one), await open(two)];
    expect((await operate('PUT', `users/${first.id}`, { name: 'Ada' })).status).toBe(200);
    expectRefusal(await operate('PUT', `users/${first.id}`, { external_id: two }), 409, 'conflict');
    expectRefusal(await operate('PUT', 'users/999999', { name: 'Ada' }), 404, 'not_found');
    const { body } = await operate('POST', 'workspaces', { name: 'Acme', plan: 'free', email: first.email });
    await operate('PUT', `workspaces/${body.workspace.id}/members/${second.id}`, { role: 'member' });
    expectRefusal(await operate('DELETE', `users/${first.id}`), 409, 'transfer_ownership_first');
    const { workspace } = await newWorkspace();
    for (const id of [workspace.owner_id, 999_999])
      expectRefusal(await operate('DELETE', `users/${id}`), 404, 'not_found');
    expect((await operate('DELETE', `users/${second.id}`)).status).toBe(202);
    expect(await open(two)).not.toMatchObject({ id: second.id });
  });
});

describe('a suspended workspace', () => {
  const SUSPENDED = [403, 'workspace_suspended'] as const;

  it('reads, and starts, uploads and changes nothing; accounts work, and guests go on reading', async () => {
    const { id, call, token } = await newWorkspace();
    const { board } = (await call('POST', '/v2/boards', { name: 'Moods' })).body;
    const place = `/v2/boards/${board.id}/media`;
    const { media } = (await call('POST', place, { url: await uploaded(service, { token }, 'b.png', aPng()) })).body;
    await eventually(
      async () => (await call('GET', `/v2/boards/${board.id}`)).body.board.media[0].state === 'processed',
    );
    const { share } = (await call('POST', '/v2/shares', { board_id: board.id, allow: ['comment', 'decide'] })).body;
    const shared = `/v2/shared/${share.url.split('/').pop()}`;
    const headers = { cookie: await cookieOf(shared) };
    const { body: ticket } = await call('POST', '/v2/upload', { filename: 'a.png' });
    expect((await operate('PUT', `workspaces/${id}`, { suspended: true })).body.workspace.suspended).toBe(true);

    expect((await call('GET', '/v2/auth/me')).body.workspace.suspended).toBe(true);
    for (const path of ['/v2/boards', `/v2/boards/${board.id}`, '/v2/generations', '/v2/credits']) {
      expect((await call('GET', path)).status).toBe(200);
    }
    const generate = { model: 'local-image', prompt: 'lake' };
    expectRefusal(await call('POST', '/v2/generate', generate), ...SUSPENDED);
    expectRefusal(await call('POST', '/v2/boards', { name: 'More' }), ...SUSPENDED);
    expectRefusal(await call('PUT', `/v2/boards/${board.id}`, { name: 'More' }), ...SUSPENDED);
    expectRefusal(await call('POST', '/v2/upload', { filename: 'b.png' }), ...SUSPENDED);
    const put = { method: 'PUT', body: new Uint8Array(aPng()), headers: ticket.headers };
    expect((await fetch(ticket.signed_url, put)).status).toBe(200);
    const finalize = `/v2/finalize_upload?url=${encodeURIComponent(ticket.final_url)}`;
    expectRefusal(await call('GET', finalize), ...SUSPENDED);
    expect((await call('PUT', '/v2/auth/me', { name: 'Robot' })).status).toBe(200);

    expect((await service.call('GET', `${shared}/media`, { headers })).status).toBe(200);
    const guest = (method: string, path: string, json: object) =>
      service.call(method, `${shared}/media/${media.id}/${path}`, { headers, json });
    expectRefusal(await guest('POST', 'comments', { text: 'Nice' }), ...SUSPENDED);
    expectRefusal(await guest('PUT', 'decision', { decision: 'approved' }), ...SUSPENDED);

    expect((await operate('PUT', `workspaces/${id}`, { suspended: false })).status).toBe(200);
    expect((await call('GET', finalize)).status).toBe(200);
    expect((await guest('POST', 'comments', { text: 'Nice' })).status).toBe(201);
  });

  const cookieOf = async (shared: string) => {
    const entered = await service.call('POST', `${shared}/enter`, { json: { name: 'Grace' } });
    return entered.headers.get('set-cookie')!.split(';')[0]!;
  };
});

describe('the deletion of a workspace', () => {
  const count = async (from: string, values: unknown[]) =>
    (await service.database.query<{ count: number }>(`select count(*)::int as count from ${from}`, values))[0]!.count;

  it('leaves nothing, whatever is made in it at that moment, and its members act elsewhere', async () => {
    const user = await service.signUp();
    const { id, call, workspace } = await newWorkspace();
    await operate('PUT', `workspaces/${id}/members/${user.id}`, { role: 'admin' });
    let isDeleted = false;
    const untilRefused = async (make: () => Promise<{ status: number }>) => {
      for (;;) {
        const wasDeleted = isDeleted;
        const { status } = await make();
        if (status === 401) return;
        if (status >= 500) throw new Error(`responded ${status}`);
        if (wasDeleted && status < 300) throw new Error('accepted after the deletion');
      }
    };
    const making = [
      untilRefused(() => call('POST', '/v2/generate', { model: 'local-image', prompt: 'lake', width: 64 })),
      untilRefused(() => call('POST', '/v2/upload', { filename: 'a.png' })),
      untilRefused(() => call('POST', '/v2/boards', { name: 'Moods' })),
    ];
    await eventually(async () => (await count('generations where workspace_id = $1', [id])) > 3);
    expect((await operate('DELETE', `workspaces/${id}`)).status).toBe(202);
    isDeleted = true;
    await Promise.all(making);
    const { workspace: own } = (await service.call('GET', '/v2/auth/me', { token: user.token })).body;
    expect(own).toMatchObject({ is_team: false, plan: 'free' });
    await eventually(async () => (await count('workspaces where id = $1', [id])) === 0);
    await eventually(() => count('users where id = $1 and erased_at is not null', [workspace.owner_id]));
    expectRefusal(await operate('DELETE', `workspaces/${id}`), 404, 'not_found');
    const tables = await service.database.query<{ name: string }>(
      `select table_name as name from information_schema.columns
       where table_schema = 'public' and column_name = 'workspace_id' and table_name <> 'audit_log'`,
    );
    expect(tables.length).toBeGreaterThan(10);
    for (const { name } of tables)
      expect([name, await count(`${name} where workspace_id = $1`, [id])]).toEqual([name, 0]);
    expect(await auditFindings(service.database.url)).toEqual([]);
  });

  it('of an owner who is a person leaves the person their own one', async () => {
    const owner = await service.signUp();
    const { id } = await newWorkspace({ email: owner.email });
    expect((await operate('DELETE', `workspaces/${id}`)).status).toBe(202);
    const { body } = await service.call('GET', '/v2/auth/me', { token: owner.token });
    expect(body).toMatchObject({ workspace: { is_team: false }, role: 'owner' });
    expectRefusal(await operate('DELETE', `workspaces/${body.workspace.id}`), 409, 'conflict');
    await eventually(async () => (await count('workspaces where id = $1', [id])) === 0);
  });
});
