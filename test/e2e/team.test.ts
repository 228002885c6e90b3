import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { PostgresCreditLedger } from '#adapters/postgres';
import { RandomTokenSecrets } from '#adapters/secrets';
import { parseMail, SmtpCatcher } from '#testing/adapters/mail';
import { someone } from '#testing/identity';
import { type ReceivedMail } from '#testing/team';
import type { TestRequest, TestResponse } from '../support/call-api.ts';
import { eventually } from '../support/eventually.ts';
import { expectRefusal } from '../support/expectations.ts';
import { startService, type TestService } from '../support/service.ts';
import {
  later,
  newMember,
  newTeam,
  newUser,
  someInvitation,
  teamStoresOn,
  type TeamStores,
  type TestMember,
  type TestTeam,
} from '../support/team-store.ts';

jest.setTimeout(60_000);

const secrets = new RandomTokenSecrets();
const password = 'correct horse battery staple';

let service: TestService;
let store: TeamStores;
beforeAll(async () => {
  service = await startService();
  store = teamStoresOn(service.database.database);
});
afterAll(() => service.stop());

interface Person extends TestMember {
  readonly token: string;
  readonly tokenId: number;
}

/** A token of somebody who is there already. */
async function withToken(user: TestMember, { tokens } = store): Promise<Person> {
  const secret = secrets.create();
  const token = { userId: user.userId, name: 'test', hash: secrets.hash(secret), expiresAt: null };
  const { id: tokenId } = await tokens.add({ ...token, createdAt: new Date() });
  return { ...user, token: secret, tokenId };
}

/** An invitation that is out, and its token. */
async function newInvitation(team: TestTeam, email = someone().email) {
  const now = new Date();
  const { id } = await store.invitations.add(someInvitation(team, { email, createdAt: now, expiresAt: later(7, now) }));
  const token = secrets.create();
  await store.invitations.addToken(id, secrets.hash(token), now);
  return { id, email, token };
}

/** A team, and everybody who can have to do with it. */
async function cast() {
  const team = await newTeam(store);
  const { workspaceId } = team;
  const [admin, member, target, removed, outsider, revoked, rival, owner] = await Promise.all([
    newMember(store, team, 'admin').then(withToken),
    newMember(store, team).then(withToken),
    newMember(store, team).then(withToken),
    newMember(store, team, 'admin').then(withToken),
    newUser(store).then(withToken),
    newMember(store, team, 'admin').then(withToken),
    newTeam(store).then((other) => withToken(other.owner)),
    withToken(team.owner),
  ]);
  await store.members.remove(workspaceId, removed.userId);
  await store.tokens.revoke(revoked.userId, revoked.tokenId);
  const invitation = await newInvitation(team);
  const invited = await withToken(await newUser(store, invitation.email));
  const anonymous = { token: undefined };
  const people = { anonymous, revoked, outsider, rival, invited, removed, member, admin, owner };
  return { team, workspaceId, invitation, target, people };
}

type Cast = Awaited<ReturnType<typeof cast>>;
type Caller = keyof Cast['people'];

/** A cast for tests that change nothing. */
let shared: Promise<Cast> | null = null;
const sharedCast = () => (shared ??= cast());

const call = (
  person: { readonly token?: string | undefined },
  method: string,
  path: string,
  form?: TestRequest['form'],
): Promise<TestResponse> =>
  service.call(method, path, { ...(person.token !== undefined && { token: person.token }), ...(form && { form }) });

const respond = (person: Person, form: TestRequest['form']) =>
  call(person, 'POST', '/v2/team/respond_invitation', form);

describe('who may not call what', () => {
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
    DELETE members/:user_id  401        401      404       404    404      403     -
    PUT members/:user_id/role 401       401      404       404    404      403     403
    POST send_invitation     401        401      403p      -      403p     403     -
    GET pending_invitations  401        401      403p      -      403p     403     -
    DELETE invitations/:id   401        401      404       404    404      403     -
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
    const form = { email: someone().email, role: 'admin', user_id: target.userId };
    for (const [column, verdict] of verdicts.entries()) {
      if (verdict === '-') continue;
      const caller = people[head![column] as Caller];
      const answer = await call(caller, method, `/v2/team/${url}`, method === 'GET' ? undefined : form);
      const field = verdict === '401' ? 'auth' : undefined;
      expectRefusal(answer, parseInt(verdict, 10), CODES[verdict]!, field);
      if (verdict === '401') expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });
});

describe('what is told of a team', () => {
  it('info: the team, its credits, and the caller in it', async () => {
    const { people } = await cast();
    const { body } = await call(people.admin, 'GET', '/v2/team/info');
    const now = new Date();
    const lastDay = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0)).getUTCDate();
    expect(body).toEqual({
      status: true,
      is_team: true,
      plan: 'enterprise',
      credits: {
        plan: 'enterprise',
        monthly_allocation: 20_000,
        used_this_month: 0,
        remaining: 20_000,
        usage_percentage: 0,
        days_left_in_month: lastDay - now.getUTCDate() + 1,
      },
      members_count: 5,
      can_add_members: true,
      owner: people.owner.email,
      user_level: 'admin',
      user_id: people.admin.userId,
    });
    const asMember = await call(people.member, 'GET', '/v2/team/info');
    const member = { can_add_members: false, user_level: 'member', user_id: people.member.userId };
    expect(asMember.body).toMatchObject(member);
  });

  it('credits: the balance, and a subscription by calendar month', async () => {
    const { people } = await cast();
    const { body } = await call(people.member, 'GET', '/v2/team/credits');
    const now = new Date();
    const first = (month: number) => new Date(Date.UTC(now.getUTCFullYear(), month)).toISOString();
    expect(body).toEqual({
      status: true,
      plan: 'enterprise',
      credits: expect.objectContaining({ monthly_allocation: 20_000, remaining: 20_000 }),
      subscription: {
        plan: 'enterprise',
        period_start_at: first(now.getUTCMonth()),
        period_end_at: first(now.getUTCMonth() + 1),
      },
    });
  });

  it('members: everybody to admins and the owner, nobody to a member, in pages when asked', async () => {
    const { people, target } = await cast();
    const { body } = await call(people.owner, 'GET', '/v2/team/members');
    expect(body.members).toHaveLength(5);
    const ids = body.members.map((member: { id: number }) => member.id);
    expect(ids).toEqual(ids.toSorted((a: number, b: number) => b - a));
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
    const first = await call(people.admin, 'GET', '/v2/team/members?limit=3');
    const rest = await call(people.admin, 'GET', `/v2/team/members?limit=3&cursor=${first.body.next_cursor}`);
    expect([...first.body.members, ...rest.body.members]).toEqual(body.members);
    expect(rest.body.next_cursor).toBeNull();
    const none = await call(people.admin, 'GET', '/v2/team/members?limit=0');
    expectRefusal(none, 400, 'validation_failed', 'limit');
  });

  it('usage: of the month that is asked about, to a member their own alone', async () => {
    const { people, workspaceId, target } = await cast();
    const { database } = service;
    const spend = async (userId: number, amount: number) => {
      const generation = await database.one<{ id: number }>(
        `insert into generations (workspace_id, user_id, model, kind, state, parameters, cost, created_at)
         values ($1, $2, 'test', 'image', 'failed', '{}', $3, now()) returning id`,
        [workspaceId, userId, amount],
      );
      const reservation = { workspaceId, userId, amount, generationId: generation!.id, month: '2026-10' } as const;
      await store.unitOfWork.run(() => new PostgresCreditLedger(database.database).reserve(reservation, 100));
    };
    await spend(target.userId, 42);
    await spend(people.member.userId, 8);
    await call(people.admin, 'DELETE', `/v2/team/members/${target.userId}`);

    const october = await call(people.owner, 'GET', '/v2/team/usage?month=2026-10');
    expect(october.body).toMatchObject({
      period: { start_at: '2026-10-01T00:00:00.000Z', end_at: '2026-11-01T00:00:00.000Z' },
      total_used: 50,
    });
    expect(october.body.members.slice(0, 2)).toEqual([
      { user_id: target.userId, email: target.email, role: null, used: 42, generations: 1 },
      { user_id: people.member.userId, email: people.member.email, role: 'member', used: 8, generations: 1 },
    ]);
    expect(october.body.members).toHaveLength(5);
    const own = await call(people.member, 'GET', '/v2/team/usage?month=2026-10');
    expect(own.body).toEqual({ ...october.body, members: [october.body.members[1]] });
    const now = await call(people.member, 'GET', '/v2/team/usage');
    expect(now.body.members).toEqual([{ ...october.body.members[1], used: 0, generations: 0 }]);
    for (const month of ['2026-13', '2999-01', '']) {
      const answer = await call(people.owner, 'GET', `/v2/team/usage?month=${month}`);
      expectRefusal(answer, 400, 'validation_failed', 'month');
    }
  });
});

describe('members', () => {
  it('join with an account or with a new one, and act in the team with the token they hold', async () => {
    const { people, workspaceId } = await cast();
    const me = async (token: string) => (await call({ token }, 'GET', '/v2/auth/me')).body;
    const { outsider } = people;
    const form = { email: outsider.email.toUpperCase(), role: 'admin' };
    const added = await call(people.admin, 'POST', '/v2/team/members', form);
    const member = { user_id: outsider.userId, role: 'admin', level: 2, added_by: people.admin.email };
    expect(added.body).toMatchObject({ created_user: false, member: { ...member, is_confirmed: true } });
    const workspace = { id: workspaceId, plan: 'enterprise', is_team: true };
    expect(await me(outsider.token)).toMatchObject({ workspace, role: 'admin' });

    const { email } = someone();
    const created = await call(people.admin, 'POST', '/v2/team/members', { email, password });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ created_user: true, member: { email, role: 'member', is_confirmed: false } });
    const session = await service.call('POST', '/v2/auth/login', { json: { email, password } });
    expect(await me(session.body.token)).toMatchObject({ workspace: { id: workspaceId }, role: 'member' });
    const { body } = await call(people.admin, 'GET', '/v2/team/members');
    expect(body.members[0]).toMatchObject({ email, is_confirmed: true });
  });

  it('are refused where they can not be: known, unknown, here already, in another team', async () => {
    const { people } = await cast();
    const add = (form: TestRequest['form']) => call(people.owner, 'POST', '/v2/team/members', form);
    expectRefusal(await add({ email: people.outsider.email, password }), 409, 'user_exists');
    expectRefusal(await add({ email: someone().email }), 404, 'not_found');
    expectRefusal(await add({ email: someone().email, password: '' }), 404, 'not_found');
    expectRefusal(await add({ email: people.member.email }), 409, 'already_member');
    expectRefusal(await add({ email: people.rival.email }), 409, 'in_other_team');
    const short = await add({ email: someone().email, password: 'short' });
    expectRefusal(short, 400, 'validation_failed', 'password');
  });

  it('who leave or are removed are back in their own workspace at once; what they made stays', async () => {
    const { people, workspaceId, target } = await cast();
    const persona = await call(target, 'POST', '/v2/personas', { name: 'Made in the team' });
    const board = await call(target, 'POST', '/boards', { name: 'Made in the team' });
    const removal = await call(people.admin, 'DELETE', `/v2/team/members/${target.userId}`);
    expect(removal.body).toEqual({ status: true, remove_self: false });
    const me = await call(target, 'GET', '/v2/auth/me');
    expect(me.body).toMatchObject({ workspace: { plan: 'free', is_team: false }, role: 'owner' });

    const [personaId, boardId] = [persona.body.persona.id, board.body.board.id];
    for (const path of [`/v2/personas/${personaId}`, `/boards/${boardId}`]) {
      expect((await call(people.member, 'GET', path)).status).toBe(200);
      expectRefusal(await call(target, 'GET', path), 404, 'not_found');
    }
    const left = await call(people.member, 'DELETE', `/v2/team/members/${people.member.userId}`);
    expect(left.body).toEqual({ status: true, remove_self: true });
    expectRefusal(await call(people.member, 'GET', '/v2/team/info'), 403, 'plan_required');
    const info = await call(people.owner, 'GET', '/v2/team/info');
    expect(info.body).toMatchObject({ members_count: 3 });

    const again = await call(people.owner, 'POST', '/v2/team/members', { email: target.email });
    expect(again.status).toBe(201);
    expect((await call(target, 'GET', `/boards/${boardId}`)).status).toBe(200);
    expect((await call(target, 'GET', '/v2/auth/me')).body.workspace.id).toBe(workspaceId);
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
    const give = (by: Person, to: unknown) =>
      call(by, 'POST', '/v2/team/transfer_ownership', { user_id: to as number });
    expectRefusal(await give(people.owner, people.outsider.userId), 404, 'not_found');
    expectRefusal(await give(people.owner, 999_999_999), 404, 'not_found');
    for (const id of ['0', '', undefined]) {
      expectRefusal(await give(people.owner, id), 400, 'validation_failed', 'user_id');
    }
    const given = await give(people.owner, people.member.userId);
    expect(given.body).toMatchObject({ member: { user_id: people.member.userId, role: 'owner', level: 99 } });
    expectRefusal(await give(people.owner, people.admin.userId), 403, 'forbidden');
    const info = await call(people.owner, 'GET', '/v2/team/info');
    expect(info.body).toMatchObject({ owner: people.member.email, user_level: 'admin' });
  });

  it('are looked for before plan, role and fields; plan and role are looked at before fields', async () => {
    const { people, target } = await cast();
    const foreign = people.rival.userId;
    for (const caller of [people.owner, people.member, people.outsider]) {
      for (const [method, path] of [
        ['DELETE', `/v2/team/members/${foreign}`],
        ['PUT', `/v2/team/members/${foreign}/role`],
        ['PUT', '/v2/team/members/999999999/role'],
        ['DELETE', '/v2/team/invitations/999999999'],
      ] as const) {
        expectRefusal(await call(caller, method, path, {}), 404, 'not_found');
      }
    }
    const noRole = await call(people.admin, 'PUT', `/v2/team/members/${target.userId}/role`, {});
    expectRefusal(noRole, 403, 'forbidden');
    for (const path of ['members', 'send_invitation', 'transfer_ownership']) {
      expectRefusal(await call(people.member, 'POST', `/v2/team/${path}`, {}), 403, 'forbidden');
      expectRefusal(await call(people.outsider, 'POST', `/v2/team/${path}`, {}), 403, 'plan_required');
    }
    for (const id of ['0', 'x']) {
      const answer = await call(people.owner, 'DELETE', `/v2/team/members/${id}`);
      expectRefusal(answer, 400, 'validation_failed', 'user_id');
    }
  });

  it('of a team whose plan is not one for teams any more can only leave it to the operator', async () => {
    const { people, workspaceId } = await cast();
    await service.database.query(`update workspaces set plan = 'pro' where id = $1`, [workspaceId]);
    for (const caller of [people.owner, people.admin, people.member]) {
      expectRefusal(await call(caller, 'GET', '/v2/team/info'), 403, 'plan_required');
      expectRefusal(await call(caller, 'POST', '/v2/team/members', {}), 403, 'plan_required');
    }
  });
});

describe('a personal workspace on a team plan', () => {
  it('is seen by its owner, and takes nobody in', async () => {
    const { people } = await cast();
    const { outsider } = people;
    const { workspace } = (await call(outsider, 'GET', '/v2/auth/me')).body;
    await service.database.query(`update workspaces set plan = 'enterprise' where id = $1`, [workspace.id]);
    expect((await call(outsider, 'GET', '/v2/team/info')).body).toMatchObject({
      is_team: false,
      can_add_members: false,
      members_count: 1,
      owner: outsider.email,
      user_level: 'owner',
    });
    const { email } = await newUser(store);
    expectRefusal(await call(outsider, 'POST', '/v2/team/members', { email }), 409, 'conflict');
    const invitation = { email: someone().email };
    expectRefusal(await call(outsider, 'POST', '/v2/team/send_invitation', invitation), 409, 'conflict');
    const leaving = await call(outsider, 'DELETE', `/v2/team/members/${outsider.userId}`);
    expectRefusal(leaving, 403, 'owner_not_removable');
  });
});

describe('fields of members and invitations', () => {
  it.each([
    ['email', 'ada@example.com\r\nBcc: all@example.com'],
    ['email', ''],
    ['role', 'owner'],
    ['role', ''],
  ])('%s is refused as %j', async (field, value) => {
    const { people } = await sharedCast();
    for (const path of ['members', 'send_invitation']) {
      const json = { email: someone().email, [field]: value };
      const answer = await service.call('POST', `/v2/team/${path}`, { token: people.owner.token, json });
      expectRefusal(answer, 400, 'validation_failed', field);
    }
  });
});

describe('an invitation', () => {
  it('is answered once, by the invited user, and every other token is refused alike', async () => {
    const { people, team, invitation } = await cast();
    const taken = await newInvitation(team);
    const attempts: ReadonlyArray<readonly [Person, string]> = [
      [people.invited, secrets.create()],
      [people.invited, 'x'.repeat(100_000)],
      [people.invited, taken.token],
      [people.outsider, invitation.token],
    ];
    const bodies = new Set<string>();
    for (const [person, token] of attempts) {
      const answer = await respond(person, { token, act: 'accept' });
      expectRefusal(answer, 400, 'invalid_invitation');
      bodies.add(JSON.stringify({ ...answer.body, request_id: '' }));
    }
    expect(bodies.size).toBe(1);

    const { token } = invitation;
    const { body } = await respond(people.invited, { token, act: 'accept' });
    const inviting = { id: team.workspaceId, owner: team.owner.email };
    expect(body).toEqual({ status: true, state: 'accepted', team: inviting });
    expectRefusal(await respond(people.invited, { token, act: 'decline' }), 400, 'invalid_invitation');
  });

  it('needs an answer that is one', async () => {
    const { people, invitation } = await cast();
    const { invited } = people;
    const { token } = invitation;
    expectRefusal(await respond(invited, { act: 'accept' }), 400, 'validation_failed', 'token');
    for (const act of [undefined, '', 'yes', 'ACCEPT']) {
      expectRefusal(await respond(invited, { token, act }), 400, 'validation_failed', 'act');
    }
    expect((await respond(invited, { token, act: 'decline' })).body.state).toBe('declined');
    expectRefusal(await call(people.invited, 'GET', '/v2/team/info'), 403, 'plan_required');
  });

  it('goes from a mail to a membership, and no answer and no record shows its token', async () => {
    const { people, workspaceId } = await cast();
    const { email } = someone();
    const sent = await call(people.admin, 'POST', '/v2/team/send_invitation', { email, role: 'admin' });
    expect(sent.status).toBe(201);
    const invited = { id: expect.any(Number), email, role: 'admin', invited_by: people.admin.email };
    const times = { created_at: expect.any(String), expires_at: expect.any(String) };
    expect(sent.body).toEqual({ status: true, invitation: { ...invited, ...times, delivery: 'waiting' } });
    const { created_at, expires_at } = sent.body.invitation;
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(7 * 86_400_000);

    const mail = await mailTo(email);
    expect(mail.text).toContain(people.admin.email);
    expect(mail.text).toContain(people.owner.email);
    const token = /^x12_[\w-]{43}$/m.exec(mail.text)![0];
    await eventually(async () => {
      const { body } = await call(people.owner, 'GET', '/v2/team/pending_invitations');
      return body.invitations.some(
        (each: { email: string; delivery: string }) => each.email === email && each.delivery === 'sent',
      );
    });
    expect(await everywhereInDatabase(token)).toEqual([]);

    const { body: session } = await service.call('POST', '/v2/auth/signup', { json: { email, password } });
    const newcomer = { token: session.token as string };
    const accepted = await call(newcomer, 'POST', '/v2/team/respond_invitation', { token, act: 'accept' });
    expect(accepted.body).toMatchObject({ state: 'accepted', team: { id: workspaceId } });
    const info = await call(newcomer, 'GET', '/v2/team/info');
    expect(info.body).toMatchObject({ user_level: 'admin', members_count: 6 });
    const again = await call(people.admin, 'POST', '/v2/team/send_invitation', { email });
    expectRefusal(again, 409, 'user_exists');
  });

  async function mailTo(address: string): Promise<ReceivedMail> {
    const folder = service.settings.data.mail;
    return eventually(async () => {
      const names = await readdir(folder).catch(() => []);
      const mails = await Promise.all(
        names
          .filter((name) => name.endsWith('.eml'))
          .map(async (name) => parseMail(await readFile(join(folder, name)))),
      );
      return mails.find(({ headers }) => headers.to?.includes(address));
    });
  }

  /** The tables that hold this text anywhere. */
  async function everywhereInDatabase(text: string): Promise<string[]> {
    const { database } = service;
    const tables = await database.query<{ name: string }>(
      `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name
         from information_schema.tables
        where table_schema in ('public', 'bullmq') and table_type = 'BASE TABLE'`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const hit = await database.one(`select from ${name} t where strpos(t::text, $1) > 0 limit 1`, [text]);
      if (hit) found.push(name);
    }
    return found;
  }
});

describe('a mail server that is down', () => {
  it('delays an invitation and loses none', async () => {
    const catcher = await SmtpCatcher.start();
    const mailing = await startService({ SMTP_URL: catcher.url, MAIL_FROM: 'X12 <x12@example.com>' });
    try {
      await catcher.stop();
      const mailingStore = teamStoresOn(mailing.database.database);
      const team = await newTeam(mailingStore);
      const { token } = await withToken(team.owner, mailingStore);
      const [down, gone] = [someone().email, someone().email];
      const invite = (email: string) => mailing.call('POST', '/v2/team/send_invitation', { token, form: { email } });
      const deliveryOf = async (email: string): Promise<string> => {
        const { body } = await mailing.call('GET', '/v2/team/pending_invitations', { token });
        return body.invitations.find((each: { email: string }) => each.email === email).delivery;
      };
      expect((await invite(down)).status).toBe(201);
      await eventually(async () => {
        const failed = await mailing.database.one<{ failures: number }>(
          `select failures from jobs where name = 'invitation.send'`,
        );
        return failed && failed.failures > 0;
      });
      expect(await deliveryOf(down)).toBe('waiting');
      await catcher.start();
      await eventually(async () => catcher.received.length > 0);
      expect(catcher.recipients).toEqual([down]);
      await eventually(async () => (await deliveryOf(down)) === 'sent');

      catcher.verdict = { at: 'RCPT TO', code: 550 };
      await invite(gone);
      await eventually(async () => (await deliveryOf(gone)) === 'refused');
      // The job is deleted once its outcome is recorded.
      await eventually(async () => {
        const left = await mailing.database.query(`select from jobs where name = 'invitation.send'`);
        return left.length === 0;
      });
    } finally {
      await mailing.stop();
      await catcher.stop();
    }
  });
});
