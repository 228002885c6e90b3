/** @tier test */
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { RandomTokenSecrets } from '#adapters/secrets';
import type { Email } from '#identity';
import type { TestResponse } from '../support/call-api.ts';
import { eventually } from '../support/eventually.ts';
import { expectRefusal } from '../support/expectations.ts';
import type { TestUser } from '../support/service.ts';
import {
  join,
  later,
  newTeam,
  someInvitation,
  teamStoresOn,
  type TeamStores,
  type TestTeam,
} from '../support/team-store.ts';
import { useService } from '../support/use-service.ts';
const service = useService({}, { worker: false });
let store: TeamStores;
beforeAll(async () => {
  // Without a worker: a generation stays queued.
  store = teamStoresOn(service.database.database);
});

const secrets = new RandomTokenSecrets();

interface Admin extends TestUser {
  readonly team: TestTeam;
  readonly boardId: number;
}

async function newAdmin(): Promise<Admin> {
  const [user, team] = [await service.signUp(), await newTeam(store)];
  await join(store, team, { userId: user.id }, 'admin');
  const { body } = await service.call('POST', '/boards', { token: user.token, json: { name: 'Before' } });
  // A token whose use is recorded shows when a request is admitted.
  const { body: fresh } = await service.call('POST', '/v2/auth/tokens', { token: user.token, json: { name: 'test' } });
  return { ...user, token: fresh.token, team, boardId: body.board.id };
}

const sql = (text: string, values: unknown[]) => service.database.query<Record<string, number>>(text, values);
const revokeAll = ({ id }: TestUser) => sql('delete from api_tokens where user_id = $1', [id]);
const remove = ({ id, team }: Admin) => store.members.remove(team.workspaceId, id);
const demote = ({ id, team }: Admin) => store.members.changeRole(team.workspaceId, id, 'member');
const loseTeamPlan = ({ team }: Admin) => store.teams.update(team.workspaceId, { plan: 'free' });

/** Objects that these requests could change. */
const effects = ({ id, team: { workspaceId } }: Admin) =>
  sql(
    `select (select count(*) from api_tokens where user_id = $1) as tokens,
            (select count(*) from invitations where workspace_id = $2) as invitations,
            (select count(*) from personas where created_by = $1) as personas,
            (select count(*) from uploads where user_id = $1) as uploads,
            (select string_agg(name || folders_count, ',') from boards where created_by = $1) as boards`,
    [id, workspaceId],
  );

/** Sends a request that waits for the database, and does `meanwhile` while it waits. */
async function whileWaiting(send: () => Promise<TestResponse>, meanwhile: () => Promise<unknown>) {
  const blocker = await service.database.pool.connect();
  try {
    // Looking for a kept response comes after the guard and before the use case.
    await blocker.query('begin; lock table idempotency_keys in access exclusive mode');
    const response = send();
    await eventually(async () => {
      const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      return (await sql(waiting, [])).length > 0;
    });
    await meanwhile();
    await blocker.query('commit');
    return await response;
  } finally {
    blocker.release();
  }
}

it.each([
  ['the token is revoked', '/v2/auth/tokens', revokeAll, 401],
  ['the member is removed', '/boards/:id/folders', remove, 403],
  ['the admin is demoted', '/v2/team/send_invitation', demote, 403],
  ['the token is revoked', '/v2/upload', revokeAll, 401],
] as const)(
  'a complete request that waits for the database while %s has no effect: POST %s',
  async (_, path, lose, status) => {
    const admin = await newAdmin();
    const json = { name: 'After', email: 'ada@example.com', filename: 'after.png' };
    const call = { token: admin.token, json, headers: { 'idempotency-key': 'waits' } };
    let before: unknown;
    const refused = await whileWaiting(
      () => service.call('POST', path.replace(':id', String(admin.boardId)), call),
      async () => {
        await lose(admin);
        before = await effects(admin);
      },
    );
    expect(refused.status).toBe(status);
    expect(await effects(admin)).toEqual(before);
  },
);

describe('a response that is kept for an Idempotency-Key', () => {
  const rotate = ({ token }: Admin) =>
    service.call('POST', '/v2/webhooks/secret/rotate', { token, headers: { 'idempotency-key': 'rotate' } });
  const isReplayed = ({ headers }: TestResponse) => headers.get('idempotent-replayed') === 'true';

  it('is not repeated in another workspace in which its caller acts later', async () => {
    const admin = await newAdmin();
    const first = await rotate(admin);
    expect(await rotate(admin)).toMatchObject({ status: 200, body: first.body });
    await remove(admin);
    const own = await rotate(admin);
    expect([own.status, isReplayed(own)]).toEqual([200, false]);
    expect(own.body.secret).not.toBe(first.body.secret);
  });

  it.each([
    ['its token is revoked', revokeAll, 401, 'unauthenticated'],
    ['its caller is demoted', demote, 403, 'forbidden'],
    ['the plan of the team ends', loseTeamPlan, 403, 'plan_required'],
  ] as const)('is not repeated once %s, not even while it is looked up', async (_, lose, status, code) => {
    const admin = await newAdmin();
    const headers = { 'idempotency-key': 'once' };
    const json = { email: 'ada@example.com' };
    const invite = () => service.call('POST', '/v2/team/send_invitation', { token: admin.token, json, headers });
    expect((await invite()).status).toBe(201);
    expect(isReplayed(await invite())).toBe(true);
    const refused = await whileWaiting(invite, () => lose(admin));
    expectRefusal(refused, status, code, code === 'unauthenticated' ? 'auth' : undefined);
    expect((await invite()).body.invitation).toBeUndefined();
  });

  it('is repeated for a user whom the request moved to a team', async () => {
    const [guest, team] = [await service.signUp(), await newTeam(store)];
    const token = secrets.create();
    const times = { createdAt: new Date(), expiresAt: later(7, new Date()) };
    const { id } = await store.invitations.add(someInvitation(team, { email: guest.email as Email, ...times }));
    await store.invitations.addToken(id, secrets.hash(token), new Date());
    const accept = () =>
      service.call('POST', '/v2/team/respond_invitation', {
        token: guest.token,
        json: { token, act: 'accept' },
        headers: { 'idempotency-key': 'accept' },
      });
    const first = await accept();
    expect([first.status, first.body.state]).toEqual([200, 'accepted']);
    const again = await accept();
    expect([again.status, again.body, isReplayed(again)]).toEqual([200, first.body, true]);
  });
});

describe('a stream of events ends without a result', () => {
  const joinAnother = async ({ id, team }: Admin) => {
    await store.members.remove(team.workspaceId, id);
    await join(store, await newTeam(store), { userId: id });
  };

  /** Follows a queued generation; resolves with the text of the first event and that of all that come later. */
  async function follow({ token }: Admin) {
    await service.call('POST', '/v2/personas', { token, json: { name: 'Muse' } });
    const call = { token, json: { model: 'local-image', prompt: 'lake' } };
    const { generation_id: id } = (await service.call('POST', '/v2/generate', call)).body;
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${service.baseUrl}/v2/generations/${id}/events`, { headers });
    const [first, rest] = response.body!.tee();
    const { value } = await first.getReader().read();
    expect(Buffer.from(value!).toString()).toContain('event: state\n');
    return { id: id as number, ended: text(rest) };
  }

  it.each([
    ['its token is revoked', revokeAll],
    ['its caller joins another team', joinAnother],
  ] as const)('when %s', async (_, lose) => {
    const admin = await newAdmin();
    const { ended } = await follow(admin);
    await lose(admin);
    expect(await ended).not.toMatch(/event: done/);
  });

  it('that comes at the very moment of the revocation', async () => {
    const admin = await newAdmin();
    const { id, ended } = await follow(admin);
    const notice = JSON.stringify({ subject: 'generation', id, state: 'canceled', progress: 0, batchId: null });
    await sql(
      `with gone as (delete from api_tokens where user_id = $1)
       select pg_notify('changes', $2)`,
      [admin.id, notice],
    );
    expect(await ended).not.toMatch(/canceled|event: done/);
  });
});
