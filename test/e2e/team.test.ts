/** @tier test */
import { describe, expect, it } from '@jest/globals';
import { someone } from '#testing/identity';
import { expectRefusal } from '../support/expectations.ts';
import {
  accept,
  addAccount,
  call,
  cast,
  password,
  service,
  sharedCast,
  type Caller,
  type Person,
} from '../support/team-stage.ts';
describe('forbidden calls', () => {
  const CODES: Readonly<Record<string, string>> = {
    '401': 'unauthenticated',
    '403p': 'plan_required',
    '403': 'forbidden',
    '404': 'not_found',
  };

  // 403p: plan_required. rival: the owner of another team. -: allowed.
  const MATRIX = `
                             anonymous  revoked  outsider  rival  removed  member  admin
    GET info                 401        401      403p      -      403p     -       -
    GET members              401        401      403p      -      403p     -       -
    POST members             401        401      403p      -      403p     403     -
    DELETE members/:user_id  401        401      403p      404    403p     403     -
    PUT members/:user_id/role 401       401      403p      404    403p     403     403
    POST send_invitation     401        401      403p      -      403p     403     -
    GET pending_invitations  401        401      403p      -      403p     403     -
    DELETE invitations/:id   401        401      403p      404    403p     403     -
    POST read_invitation     401        401      -         -      -        -       -
    POST preview_invitation  -          -        -         -      -        -       -
    POST respond_invitation  401        401      -         -      -        -       -
    GET credits              401        401      403p      -      403p     -       -
    GET usage                401        401      403p      -      403p     -       -
    POST transfer_ownership  401        401      403p      404    403p     403     403`;

  const [head, ...lines] = MATRIX.trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  const rows = lines.map(([method, path, ...verdicts]) => [method!, path!, verdicts] as const);

  it('has a row for every endpoint of the team', async () => {
    const document = (await service.call('GET', '/openapi.json')).body;
    const documented = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
      path.startsWith('/v2/team/')
        ? Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.slice('/v2/team/'.length)}`)
        : [],
    );
    expect(new Set(documented.map((each) => each.replace(/\{(\w+)\}/g, ':$1')))).toEqual(
      new Set(rows.map(([method, path]) => `${method} ${path}`)),
    );
  });

  it.each(rows)('%s %s', async (method, path, verdicts) => {
    const { people, target, invitation } = await sharedCast();
    const url = path.replace(':user_id', String(target.userId)).replace(':id', String(invitation.id));
    for (const [column, verdict] of verdicts.entries()) {
      if (verdict === '-') continue;
      const caller = people[head![column] as Caller];
      // Fields are looked at last: none but those that tell who is looked for.
      const form = verdict === '404' ? { user_id: target.userId } : {};
      const response = await call(caller, method, `/v2/team/${url}`, method === 'GET' ? undefined : form);
      const field = verdict === '401' ? 'auth' : undefined;
      expectRefusal(response, parseInt(verdict, 10), CODES[verdict]!, field);
      if (verdict === '401') expect(response.headers.get('www-authenticate')).toBe('Bearer');
    }
  });
});

describe('responses about a team', () => {
  it('info and credits: the team, its balance, and the caller in it', async () => {
    const { people } = await cast();
    const { body } = await call(people.admin, 'GET', '/v2/team/info');
    const plan = 'enterprise';
    const credits = { plan, monthly_allocation: 20_000, used_this_month: 0, remaining: 20_000 };
    expect(body).toMatchObject({
      ...{ is_team: true, plan, credits, members_count: 5, can_add_members: true, owner: people.owner.email },
      ...{ user_level: 'admin', user_id: people.admin.userId },
    });
    const asMember = await call(people.member, 'GET', '/v2/team/info');
    const member = { can_add_members: false, user_level: 'member', user_id: people.member.userId };
    expect(asMember.body).toMatchObject(member);
    const balance = await call(people.member, 'GET', '/v2/team/credits');
    expect(balance.body).toMatchObject({ plan, credits: body.credits, subscription: { plan } });
  });

  it('members: all for admins and the owner, none for a member', async () => {
    const { people, target } = await cast();
    const { body } = await call(people.owner, 'GET', '/v2/team/members');
    expect(body.members).toHaveLength(5);
    expect(body.members).toContainEqual({
      id: target.userId,
      user_id: target.userId,
      email: target.email,
      name: 'Someone',
      role: 'member',
      level: 1,
      joined_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      added_by: people.owner.email,
      is_confirmed: true,
    });
    expect(body.members).toContainEqual(
      expect.objectContaining({ id: people.owner.userId, role: 'owner', level: 99, added_by: null }),
    );
    const nobody = { status: true, members: [], next_cursor: null };
    expect((await call(people.member, 'GET', '/v2/team/members')).body).toEqual(nobody);
  });

  it('usage: of the requested month; a member sees only their own', async () => {
    const { people } = await sharedCast();
    const usage = (person: Person, query: string) => call(person, 'GET', `/v2/team/usage${query}`);
    const { body } = await usage(people.owner, '?month=2026-10');
    const period = { start_at: '2026-10-01T00:00:00.000Z', end_at: '2026-11-01T00:00:00.000Z' };
    expect(body).toMatchObject({ period, total_used: 0 });
    expect(body.members).toHaveLength(5);
    const { userId: user_id, email } = people.member;
    const own = { user_id, email, role: 'member', used: 0, generations: 0 };
    expect((await usage(people.member, '')).body.members).toEqual([own]);
    for (const month of ['2026-13', '2999-01', '']) {
      expectRefusal(await usage(people.owner, `?month=${month}`), 400, 'validation_failed', 'month');
    }
  });
});

describe('members', () => {
  it('join with an account when they accept, or with a new one, and act in the team with their token', async () => {
    const { people, workspaceId } = await cast();
    const me = async (token: string) => (await call({ token }, 'GET', '/v2/auth/me')).body;
    const { outsider } = people;
    const before = await me(outsider.token);
    const added = await addAccount(people.admin, { email: outsider.email.toUpperCase(), role: 'admin' });
    const by = { added_by: people.admin.email, joined_at: null, is_confirmed: false };
    const ids = { id: outsider.userId, user_id: outsider.userId, email: outsider.email, name: null };
    const member = { ...ids, role: 'admin', level: 2, ...by };
    expect(added).toEqual({ status: true, created_user: false, member });
    const { body: list } = await call(people.owner, 'GET', '/v2/team/members');
    expect(list.members).toContainEqual(member);
    expect(await me(outsider.token)).toEqual(before);
    await accept(outsider);
    const workspace = { id: workspaceId, plan: 'enterprise', is_team: true };
    expect(await me(outsider.token)).toMatchObject({ workspace, role: 'admin' });
    const credits = { purchased: 20_000, used: 0, available: 20_000 };
    const balance = await call(outsider, 'GET', '/v2/credits');
    expect(balance.body).toEqual({
      status: true,
      credits,
      subscription: 'enterprise',
      storage: { used: 0, quota: null },
    });

    const { email } = someone();
    const created = await call(people.admin, 'POST', '/v2/team/members', { email, password });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ created_user: true, member: { email, role: 'member', is_confirmed: false } });
    const session = await service.call('POST', '/v2/auth/login', { json: { email, password } });
    expect(await me(session.body.token)).toMatchObject({ workspace: { id: workspaceId }, role: 'member' });
    const { body } = await call(people.admin, 'GET', '/v2/team/members');
    expect(body.members[0]).toMatchObject({ email, is_confirmed: true });
  });

  it('are refused where they cannot be: known, unknown, here already, in another team', async () => {
    const { people } = await sharedCast();
    const email = someone().email;
    for (const [form, status, code, field] of [
      [{ email: people.outsider.email, password }, 409, 'user_exists'],
      [{ email, password: '' }, 404, 'not_found'],
      [{ email: people.member.email }, 409, 'already_member'],
      [{ email: people.rival.email }, 409, 'in_other_team'],
      [{ email, password: 'short' }, 400, 'validation_failed', 'password'],
    ] as const) {
      expectRefusal(await call(people.owner, 'POST', '/v2/team/members', form), status, code, field);
    }
  });

  it('who leave or are removed return to their own workspace at once; their work stays', async () => {
    const { people, target } = await cast();
    const board = await call(target, 'POST', '/boards', { name: 'Made in the team' });
    const path = `/boards/${board.body.board.id}`;
    const removal = await call(people.admin, 'DELETE', `/v2/team/members/${target.userId}`);
    expect(removal.body).toEqual({ status: true, remove_self: false });
    const me = await call(target, 'GET', '/v2/auth/me');
    expect(me.body).toMatchObject({ workspace: { plan: 'free', is_team: false }, role: 'owner' });
    expect((await call(people.member, 'GET', path)).status).toBe(200);
    expectRefusal(await call(target, 'GET', path), 404, 'not_found');
    const left = await call(people.member, 'DELETE', `/v2/team/members/${people.member.userId}`);
    expect(left.body).toEqual({ status: true, remove_self: true });
    expectRefusal(await call(people.member, 'GET', '/v2/team/info'), 403, 'plan_required');
  });

  it('change roles, at once for the token they hold', async () => {
    const { people } = await cast();
    const path = `/v2/team/members/${people.member.userId}/role`;
    const change = (role: string | undefined) => call(people.owner, 'PUT', path, { role });
    expect((await change('admin')).body).toMatchObject({ member: { role: 'admin', level: 2 } });
    expect((await call(people.member, 'GET', '/v2/team/pending_invitations')).status).toBe(200);
    expect((await change('member')).body).toMatchObject({ member: { role: 'member', level: 1 } });
    expectRefusal(await call(people.member, 'GET', '/v2/team/pending_invitations'), 403, 'forbidden');
    expectRefusal(await change('owner'), 400, 'invalid_role_change');
    expectRefusal(await change(undefined), 400, 'validation_failed', 'role');
  });

  it('hand over the ownership', async () => {
    const { people } = await cast();
    const { owner, member } = people;
    const give = (to?: string | number) => call(owner, 'POST', '/v2/team/transfer_ownership', { user_id: to });
    for (const id of ['0', '', undefined]) expectRefusal(await give(id), 400, 'validation_failed', 'user_id');
    expect((await give(member.userId)).body).toMatchObject({
      member: { user_id: member.userId, role: 'owner', level: 99 },
    });
    expectRefusal(await give(people.admin.userId), 403, 'forbidden');
    const info = await call(owner, 'GET', '/v2/team/info');
    expect(info.body).toMatchObject({ owner: member.email, user_level: 'admin' });
  });
});

it('a personal workspace on a team plan is visible to its owner, and accepts no members', async () => {
  const { outsider } = (await cast()).people;
  const { workspace } = (await call(outsider, 'GET', '/v2/auth/me')).body;
  await service.database.query(`update workspaces set plan = 'enterprise' where id = $1`, [workspace.id]);
  expect((await call(outsider, 'GET', '/v2/team/info')).body).toMatchObject({
    is_team: false,
    can_add_members: false,
    members_count: 1,
    owner: outsider.email,
    user_level: 'owner',
  });
  const form = { email: someone().email };
  for (const [method, path, status, code] of [
    ['POST', 'members', 409, 'conflict'],
    ['POST', 'send_invitation', 409, 'conflict'],
    ['DELETE', `members/${outsider.userId}`, 403, 'owner_not_removable'],
  ] as const) {
    expectRefusal(await call(outsider, method, `/v2/team/${path}`, form), status, code);
  }
});

it.each([
  ['email', 'ada@example.com\r\nBcc: all@example.com'],
  ['role', 'owner'],
])('the %s of members and invitations is refused as %j', async (field, value) => {
  const { token } = (await sharedCast()).people.owner;
  for (const path of ['members', 'send_invitation']) {
    const json = { email: someone().email, [field]: value };
    expectRefusal(await service.call('POST', `/v2/team/${path}`, { token, json }), 400, 'validation_failed', field);
  }
});
