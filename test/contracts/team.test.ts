import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Month } from '#credits';
import { PostgresCreditLedger, PostgresTeamViews, PostgresUnitOfWork } from '#adapters/postgres';
import { RandomTokenSecrets } from '#adapters/tokens';
import { Invitations, revoke, type NewInvitation } from '#team';
import {
  invitationsContract,
  later,
  membersContract,
  newMember,
  newTeam,
  newUser,
  rolesIn,
  someInvitation,
  someTime,
  type TeamStores,
  type TestMember,
} from '#testing/team';
import { RecordedJobs } from '#testing/kernel';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { teamStoresOn } from '../support/team-store.ts';

let db: TestDatabase;
let store: TeamStores;
beforeAll(async () => {
  db = await createDatabase({ poolSize: 20 });
  store = teamStoresOn(db.database);
});
afterAll(() => db.drop());

membersContract('PostgreSQL', async () => store);
invitationsContract('PostgreSQL', async () => store);

const roleOf = (workspaceId: number, userId: number, role: string) =>
  db.pool.query('update memberships set role = $3 where workspace_id = $1 and user_id = $2', [
    workspaceId,
    userId,
    role,
  ]);

describe('a team in PostgreSQL', () => {
  it('is never without an owner, whatever statement says so', async () => {
    const team = await newTeam(store);
    const member = await newMember(store, team);
    const { workspaceId, owner } = team;
    const ownerless = expect.objectContaining({ constraint: 'workspaces_an_owner' });
    await expect(roleOf(workspaceId, owner.userId, 'admin')).rejects.toEqual(ownerless);
    await expect(store.members.remove(workspaceId, owner.userId)).rejects.toEqual(ownerless);
    await expect(
      db.pool.query(`insert into workspaces (kind, plan, created_at) values ('team', 'enterprise', now())`),
    ).rejects.toEqual(ownerless);
    await expect(db.pool.query('delete from users where id = $1', [owner.userId])).rejects.toThrow();
    expect(await rolesIn(store, workspaceId)).toEqual({
      [owner.userId]: 'owner',
      [member.userId]: 'member',
    });
  });

  it('never has two owners, not even within a transaction', async () => {
    const team = await newTeam(store);
    const member = await newMember(store, team);
    await expect(roleOf(team.workspaceId, member.userId, 'owner')).rejects.toEqual(
      expect.objectContaining({ constraint: 'memberships_one_owner' }),
    );
  });

  it('may change its owner in two statements of one transaction, and may be deleted as a whole', async () => {
    const team = await newTeam(store);
    const heir = await newMember(store, team, 'admin');
    const { workspaceId, owner } = team;
    const client = await db.pool.connect();
    try {
      const change = 'update memberships set role = $3 where workspace_id = $1 and user_id = $2';
      await client.query('begin');
      await client.query(change, [workspaceId, owner.userId, 'member']);
      await client.query(change, [workspaceId, heir.userId, 'owner']);
      await client.query('commit');
    } finally {
      client.release();
    }
    expect(await rolesIn(store, workspaceId)).toEqual({ [owner.userId]: 'member', [heir.userId]: 'owner' });
    await db.pool.query('delete from workspaces where id = $1', [workspaceId]);
    expect(await rolesIn(store, workspaceId)).toEqual({});
  });

  it('knows how many it has, however many join and leave at once', async () => {
    const team = await newTeam(store);
    const members = await Promise.all(Array.from({ length: 12 }, () => newMember(store, team)));
    await Promise.all([
      ...members.slice(0, 5).map(({ userId }) => store.members.remove(team.workspaceId, userId)),
      ...Array.from({ length: 4 }, () => newMember(store, team)),
    ]);
    expect(await membersCount(team.workspaceId)).toBe(1 + 12 - 5 + 4);
  });

  it('holds roles against being changed and removed, until the unit of work ends', async () => {
    const team = await newTeam(store);
    const admin = await newMember(store, team, 'admin');
    const { workspaceId } = team;
    let release!: () => void;
    const held = new Promise<void>((resolve) => (release = resolve));
    const done: string[] = [];
    let holding!: () => void;
    const isHeld = new Promise<void>((resolve) => (holding = resolve));
    const work = store.unitOfWork.run(async () => {
      await store.members.lockRoles(workspaceId, [admin.userId]);
      holding();
      await held;
      done.push('held');
    });
    await isHeld;
    const rivals = [
      store.members.changeRole(workspaceId, admin.userId, 'member').then(() => done.push('changed')),
      store.members.remove(workspaceId, admin.userId).then(() => done.push('removed')),
    ];
    await new Promise((resolve) => setTimeout(resolve, 100));
    release();
    await Promise.all([work, ...rivals]);
    expect(done[0]).toBe('held');
    expect(done).toHaveLength(3);
  });

  const membersCount = async (workspaceId: number): Promise<number> =>
    (await new PostgresTeamViews(db.database).overview(workspaceId, '2026-03')).membersCount;
});

describe('a refused answer to an invitation in PostgreSQL', () => {
  it('takes the same statements and has the same message, whatever is wrong with the token', async () => {
    const own = await createDatabase({ poolSize: 1 });
    try {
      const statements: string[] = [];
      own.pool.on('acquire', (client) => {
        if (Object.hasOwn(client, 'query')) return;
        const query = client.query.bind(client) as (...args: unknown[]) => unknown;
        client.query = ((...args: unknown[]) => {
          statements.push(typeof args[0] === 'string' ? args[0] : (args[0] as { text: string }).text);
          return query(...args);
        }) as typeof client.query;
      });
      const there = teamStoresOn(own.database);
      const secrets = new RandomTokenSecrets();
      const { invitations, unitOfWork } = there;
      const clock = { now: () => someTime };
      const answers = new Invitations({ ...there, secrets, jobs: new RecordedJobs(), clock });
      const team = await newTeam(there);
      const [user, stranger] = [await newUser(there), await newUser(there)];
      const issued = async (differences: Partial<NewInvitation> = {}) => {
        const email = user.email;
        const invitation = await invitations.add(someInvitation(team, { email, ...differences }));
        const token = secrets.create();
        await invitations.addToken(invitation.id, secrets.hash(token), later(-1));
        return { ...invitation, token };
      };
      const expired = await issued({ expiresAt: someTime });
      const replaced = await issued();
      const revoked = await issued();
      await unitOfWork.run(() => invitations.end(revoke(revoked, someTime)));
      const answered = await issued();
      await answers.respond(user, { token: answered.token, act: 'decline' });
      const pending = await issued();

      const attempts: readonly (readonly [TestMember, string])[] = [
        [user, secrets.create()],
        [user, ''],
        [user, pending.token.toUpperCase()],
        [user, `${pending.token} `],
        [user, 'a'.repeat(99_999)],
        [user, expired.token],
        [user, replaced.token],
        [user, revoked.token],
        [user, answered.token],
        [stranger, pending.token],
      ];
      const taken = new Set<string>();
      const messages = new Set<string>();
      for (const [caller, token] of attempts) {
        statements.length = 0;
        const refusal = await answers
          .respond(caller, { token, act: 'accept' })
          .catch((error: unknown) => error);
        expect(refusal).toMatchObject({ code: 'invalid_invitation' });
        messages.add((refusal as Error).message);
        taken.add(statements.join(';\n'));
      }
      expect([taken.size, messages.size]).toEqual([1, 1]);
      expect([...taken][0]).toMatch(
        /^begin;\n\s*select [^;]* for no key update of "invitations";\nrollback$/,
      );
      await answers.respond(user, { token: pending.token, act: 'accept' });
    } finally {
      await own.drop();
    }
  });
});

describe('what is read of a team in PostgreSQL', () => {
  const march: Month = '2026-03';
  const april: Month = '2026-04';

  async function cast() {
    const team = await newTeam(store);
    const [ada, bob] = [await newMember(store, team, 'admin'), await newMember(store, team)];
    const ledger = new PostgresCreditLedger(db.database);
    const unitOfWork = new PostgresUnitOfWork(db.database);
    const views = new PostgresTeamViews(db.database);
    const { workspaceId, owner } = team;
    /** A generation of the user that costs so much, kept or given back. */
    const spend = async (userId: number, amount: number, month: Month = march, keep = true) => {
      const { id: generationId } = (await db.one<{ id: number }>(
        `insert into generations (workspace_id, user_id, model, kind, state, parameters, cost, created_at)
         values ($1, $2, 'test', 'image', 'queued', '{}', $3, now()) returning id`,
        [workspaceId, userId, amount],
      ))!;
      const reservation = { workspaceId, userId, generationId, month, amount };
      await unitOfWork.run(() => ledger.reserve(reservation, 1_000_000));
      await (keep ? ledger.charge(generationId) : ledger.release(generationId));
    };
    const grant = (amount: number, month: Month = march) =>
      ledger.grant({ key: `${workspaceId}-${month}-${amount}`, workspaceId, month, amount, reason: 'test' });
    return { team, workspaceId, owner, ada, bob, views, spend, grant };
  }

  it('is nothing used, and all members, where nothing happened', async () => {
    const { views, workspaceId, owner, ada, bob } = await cast();
    expect(await views.overview(workspaceId, march)).toEqual({
      membersCount: 3,
      owner: owner.email,
      used: 0,
      granted: 0,
    });
    expect(await views.usage(workspaceId, march, null)).toEqual({
      totalUsed: 0,
      members: [
        { ...owner, role: 'owner', used: 0, generations: 0 },
        { ...ada, role: 'admin', used: 0, generations: 0 },
        { ...bob, role: 'member', used: 0, generations: 0 },
      ],
    });
  });

  it('is what each used in the month, most first, releases given back, other months and teams left out', async () => {
    const { views, workspaceId, owner, ada, bob, spend, grant } = await cast();
    const elsewhere = await cast();
    await elsewhere.spend(elsewhere.ada.userId, 500);
    await spend(bob.userId, 7);
    await spend(bob.userId, 5);
    await spend(bob.userId, 100, march, false);
    await spend(ada.userId, 3);
    await spend(ada.userId, 90, april);
    await grant(50);
    await grant(1, april);
    expect(await views.overview(workspaceId, march)).toEqual({
      membersCount: 3,
      owner: owner.email,
      used: 15,
      granted: 50,
    });
    expect(await views.usage(workspaceId, march, null)).toEqual({
      totalUsed: 15,
      members: [
        { ...bob, role: 'member', used: 12, generations: 2 },
        { ...ada, role: 'admin', used: 3, generations: 1 },
        { ...owner, role: 'owner', used: 0, generations: 0 },
      ],
    });
    expect(await views.usage(workspaceId, april, null)).toMatchObject({
      totalUsed: 90,
      members: [{ userId: ada.userId, used: 90, generations: 1 }, { used: 0 }, { used: 0 }],
    });
  });

  it('keeps the use of who has left, without a role, and tells of one alone when asked to', async () => {
    const { views, workspaceId, ada, bob, spend } = await cast();
    await spend(bob.userId, 12);
    await spend(ada.userId, 3);
    await store.members.remove(workspaceId, bob.userId);
    const usage = await views.usage(workspaceId, march, null);
    expect(usage.totalUsed).toBe(15);
    expect(usage.members.map(({ userId, role, used }) => [userId, role, used])).toEqual([
      [bob.userId, null, 12],
      [ada.userId, 'admin', 3],
      [expect.any(Number), 'owner', 0],
    ]);
    expect(await views.usage(workspaceId, march, ada.userId)).toEqual({
      totalUsed: 15,
      members: [{ ...ada, role: 'admin', used: 3, generations: 1 }],
    });
    expect(await views.usage(workspaceId, april, null)).toMatchObject({ members: [{}, {}], totalUsed: 0 });
  });

  it('follows the ownership', async () => {
    const { views, workspaceId, owner, bob } = await cast();
    await store.unitOfWork.run(() => store.members.transferOwnership(workspaceId, owner.userId, bob.userId));
    expect((await views.overview(workspaceId, march)).owner).toBe(bob.email);
    await expect(views.overview((await newUser(store)).userId + 1_000_000, march)).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
