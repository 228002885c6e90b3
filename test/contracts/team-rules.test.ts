/** @tier test */
import { describe, expect, it } from '@jest/globals';
import type { Month } from '#credits';
import { RandomTokenSecrets } from '#adapters/secrets';
import { Invitations, revoke, type NewInvitation } from '#team';
import { plans } from '#wiring';
import { creditStoreOn } from '../support/credit-store.ts';
import { createDatabase } from '../support/database.ts';
import { suiteDatabase } from '../support/suite-database.ts';
import { Product } from '../support/product.ts';
import {
  later,
  newMember,
  newTeam,
  newUser,
  rolesIn,
  someInvitation,
  someTime,
  teamStoresOn,
  type TestTeam,
} from '../support/team-store.ts';
import { untilWaiting } from '../support/until-waiting.ts';

const db = await suiteDatabase({ poolSize: 20 });
const store = teamStoresOn(db.database);

describe('a team in PostgreSQL', () => {
  const setRole = ({ workspaceId }: TestTeam, userId: number, role: string) =>
    db.query('update memberships set role = $3 where workspace_id = $1 and user_id = $2', [workspaceId, userId, role]);

  it('is never without an owner, and never has two, whatever statement says so', async () => {
    const team = await newTeam(store);
    const member = await newMember(store, team);
    const { workspaceId, owner } = team;
    const ownerless = expect.objectContaining({ constraint: 'workspaces_an_owner' });
    await expect(setRole(team, owner.userId, 'admin')).rejects.toEqual(ownerless);
    await expect(store.members.remove(workspaceId, owner.userId)).rejects.toEqual(ownerless);
    await expect(
      db.pool.query(`insert into workspaces (kind, plan, created_at) values ('team', 'enterprise', now())`),
    ).rejects.toEqual(ownerless);
    await expect(db.pool.query('delete from users where id = $1', [owner.userId])).rejects.toThrow();
    const twoOwners = expect.objectContaining({ constraint: 'memberships_one_owner' });
    await expect(setRole(team, member.userId, 'owner')).rejects.toEqual(twoOwners);
    expect(await rolesIn(store, workspaceId)).toEqual({ [owner.userId]: 'owner', [member.userId]: 'member' });
  });

  it('may change its owner in two statements of one transaction, and may be deleted as a whole', async () => {
    const team = await newTeam(store);
    const heir = await newMember(store, team, 'admin');
    const { workspaceId, owner } = team;
    await store.unitOfWork.run(async () => {
      await setRole(team, owner.userId, 'member');
      await setRole(team, heir.userId, 'owner');
    });
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
    expect(await store.views.overview(team.workspaceId, '2026-03')).toMatchObject({ membersCount: 1 + 12 - 5 + 4 });
  });

  it('locks roles against changes and removal until the unit of work ends', async () => {
    const team = await newTeam(store);
    const admin = await newMember(store, team, 'admin');
    const { workspaceId } = team;
    const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const done: string[] = [];
    const work = store.unitOfWork.run(async () => {
      await store.members.lockRoles(workspaceId, [admin.userId]);
      locked.resolve();
      await released.promise;
      done.push('held');
    });
    await locked.promise;
    const rivals = [
      store.members.changeRole(workspaceId, admin.userId, 'member').then(() => done.push('changed')),
      store.members.remove(workspaceId, admin.userId).then(() => done.push('removed')),
    ];
    await untilWaiting(db, { count: 2 });
    released.resolve();
    await Promise.all([work, ...rivals]);
    expect(done[0]).toBe('held');
    expect(done).toHaveLength(3);
  });
});

describe('a refused response to an invitation in PostgreSQL', () => {
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
      const useCases = new Product(own, { clock: { now: () => someTime } })
        .with(plans, { enterprise: { id: 'enterprise', monthlyCredits: 1, teams: true } })
        .get(Invitations);
      const team = await newTeam(there);
      const [user, outsider] = [await newUser(there), await newUser(there)];
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
      const declined = await issued();
      await useCases.respond(user, { token: declined.token, act: 'decline' });
      const pending = await issued();

      const malformed = ['', pending.token.toUpperCase(), `${pending.token} `, 'a'.repeat(99_999)];
      const ended = [expired, replaced, revoked, declined].map(({ token }) => token);
      const attempts = [secrets.create(), ...malformed, ...ended].map((token) => ({ caller: user, token }));
      const taken = new Set<string>();
      const messages = new Set<string>();
      for (const { caller, token } of [...attempts, { caller: outsider, token: pending.token }]) {
        statements.length = 0;
        const refusal = await useCases.respond(caller, { token, act: 'accept' }).catch((error: unknown) => error);
        expect(refusal).toMatchObject({ code: 'invalid_invitation' });
        messages.add((refusal as Error).message);
        taken.add(statements.join(';\n'));
      }
      expect([taken.size, messages.size]).toEqual([1, 1]);
      expect([...taken][0]).toMatch(/^begin;\n\s*select [^;]* for no key update of "invitations";\nrollback$/);
      await useCases.respond(user, { token: pending.token, act: 'accept' });
    } finally {
      await own.drop();
    }
  });
});

describe('views of a team in PostgreSQL', () => {
  const march: Month = '2026-03';
  const april: Month = '2026-04';

  async function cast() {
    const team = await newTeam(store);
    const [ada, bob] = [await newMember(store, team, 'admin'), await newMember(store, team)];
    const { ledger, newGenerations } = creditStoreOn(db.database);
    const { views, unitOfWork } = store;
    const { workspaceId, owner } = team;
    /** A generation of the user that costs so much, kept or given back. */
    const spend = async (userId: number, amount: number, month: Month = march, keep = true) => {
      const [generationId] = (await newGenerations(workspaceId, userId, 1)) as [number];
      const reservation = { workspaceId, userId, generationId, month, amount };
      await unitOfWork.run(() => ledger.reserve(reservation, 1_000_000));
      await (keep ? ledger.charge(generationId) : ledger.release(generationId));
    };
    const grant = (amount: number, month: Month = march) =>
      ledger.grant({ key: `${workspaceId}-${month}-${amount}`, workspaceId, month, amount, reason: 'test' });
    return { team, workspaceId, owner, ada, bob, views, spend, grant };
  }

  it('is the net use per member in the month, highest first, for this team only', async () => {
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
    const overview = { membersCount: 3, owner: owner.email, used: 15, granted: 50 };
    expect(await views.overview(workspaceId, march)).toEqual(overview);
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
      members: [
        { ...ada, used: 90, generations: 1 },
        { ...owner, used: 0, generations: 0 },
        { ...bob, used: 0 },
      ],
    });
    expect(await views.overview(workspaceId, '2026-05')).toEqual({ ...overview, used: 0, granted: 0 });
  });

  it('includes former members, filters by member, and follows the ownership', async () => {
    const { views, workspaceId, owner, ada, bob, spend } = await cast();
    await spend(bob.userId, 12);
    await spend(ada.userId, 3);
    await store.members.remove(workspaceId, bob.userId);
    const own = { ...ada, role: 'admin', used: 3, generations: 1 };
    expect(await views.usage(workspaceId, march, null)).toEqual({
      totalUsed: 15,
      members: [
        { ...bob, role: null, used: 12, generations: 1 },
        own,
        { ...owner, role: 'owner', used: 0, generations: 0 },
      ],
    });
    expect(await views.usage(workspaceId, march, ada.userId)).toEqual({ totalUsed: 15, members: [own] });
    expect(await views.usage(workspaceId, april, null)).toMatchObject({ members: [{}, {}], totalUsed: 0 });
    await store.unitOfWork.run(() => store.members.transferOwnership(workspaceId, owner.userId, ada.userId));
    expect((await views.overview(workspaceId, march)).owner).toBe(ada.email);
    await expect(views.overview(999_999_999, march)).rejects.toMatchObject({ code: 'not_found' });
  });
});
