/** @tier test */
import { describe, expect, it } from '@jest/globals';
import { Erasures } from '#erasure';
import { Gate, NO_LIMITS, Provisioning, Teams, Tokens, type Actor } from '#identity';
import { systemClock } from '#kernel';
import { Members } from '#team';
import { directory, runningRequest, unitOfWork } from '#wiring';
import { codeOf } from '../support/code-of.ts';
import { Product } from '../support/product.ts';
import { inRounds, itInRounds } from '../support/rounds.ts';
import { suiteDatabase } from '../support/suite-database.ts';
import { newTeam, newUser, rolesIn, teamStoresOn } from '../support/team-store.ts';
import { untilWaiting } from '../support/until-waiting.ts';

const db = await suiteDatabase({ poolSize: 20 });
const store = teamStoresOn(db.database);
const product = new Product(db, { clock: systemClock });
const [provisioning, teams, members] = [product.get(Provisioning), product.get(Teams), product.get(Members)];
const inUnit = <T>(work: () => Promise<T>) => product.get(unitOfWork).run(work);

let names = 0;
const newName = () => `customer-${++names}`;
const aWorkspace = { name: 'Acme', plan: 'pro', email: null, externalId: null };
const count = async (from: string, values: unknown[] = []) =>
  (await db.query<{ count: number }>(`select count(*)::int as count from ${from}`, values))[0]!.count;

/** A provisioned workspace, and the caller that its token is. */
async function newWorkspace(): Promise<Actor> {
  const { found } = await provisioning.openWorkspace(aWorkspace);
  const { secret } = await provisioning.createToken(found.id, { name: 'app', expiresInDays: null, limits: NO_LIMITS });
  return (await product.get(Tokens).authenticate(secret))!;
}

/** Makes a board in a request of a caller, after `meanwhile`. */
const makeBoard = (actor: Actor, meanwhile: () => Promise<unknown> = async () => undefined) =>
  runningRequest.run({ caller: { actor, requirements: { scopes: [], changesWorkspace: true } } }, () =>
    inUnit(async () => {
      await meanwhile();
      const { workspaceId, userId } = actor;
      await db.database.kysely
        .insertInto('boards')
        .values({ workspace_id: workspaceId, created_by: userId, name: 'Moods', created_at: new Date() })
        .execute();
    }),
  );
const boardsOf = ({ workspaceId }: Actor) => count('boards where workspace_id = $1', [workspaceId]);
const suspend = ({ workspaceId }: Actor, suspended = true) => teams.update(workspaceId, { suspended });

describe('a workspace that an application provisions', () => {
  itInRounds('with one external id, 50 at once: one is made, and all get it', async () => {
    for (const email of [null, `${newName()}@example.com`]) {
      const [externalId, services] = [newName(), await count('users where is_service')];
      const request = { ...aWorkspace, email, externalId };
      const made = await Promise.all(Array.from({ length: 50 }, () => provisioning.openWorkspace(request)));
      expect(new Set(made.map(({ found }) => found.id)).size).toBe(1);
      expect(made.filter(({ isNew }) => isNew)).toHaveLength(1);
      expect((await count('users where is_service')) - services).toBe(email === null ? 1 : 0);
    }
  });

  itInRounds('and so a user, whose address is no refusal then', async () => {
    const [externalId, email] = [newName(), `${newName()}@example.com`];
    const request = { email, name: null, externalId };
    const made = await Promise.all(Array.from({ length: 50 }, () => provisioning.openUser(request)));
    expect(new Set(made.map(({ found }) => found.id)).size).toBe(1);
    expect(made.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(await codeOf(provisioning.openUser({ ...request, externalId: newName() }))).toBe('user_exists');
    expect(await codeOf(provisioning.openUser({ ...request, externalId: null }))).toBe('user_exists');
  });

  it('belongs to a service account, which is no person: not listed, not found, and with this workspace alone', async () => {
    const { workspaceId, userId, role, isTeam, emailVerified } = await newWorkspace();
    expect([role, isTeam, emailVerified]).toEqual(['owner', true, true]);
    expect(await product.get(directory).workspace(workspaceId)).toMatchObject({
      owner: null,
      ownerId: userId,
      members: 1,
    });
    const { items } = await product.get(directory).users({ limit: null, after: null }, 'service.invalid');
    expect([items, await product.get(directory).user(userId)]).toEqual([[], null]);
    const { email } = (await store.accounts.find(userId))!;
    expect([email, await store.accounts.findByEmail(email)]).toEqual([expect.stringMatching(/\.invalid$/), null]);
    expect(await count('memberships where user_id = $1', [userId])).toBe(1);
  });

  it('belongs to the person with the address, who must be in no other team', async () => {
    const { email, userId } = await newUser(store);
    const { found } = await provisioning.openWorkspace({ ...aWorkspace, email });
    expect(found).toMatchObject({ owner: email, ownerId: userId, name: 'Acme', plan: 'pro', isTeam: true });
    expect(await codeOf(provisioning.openWorkspace({ ...aWorkspace, email }))).toBe('in_other_team');
  });

  it('has no token that acts as somebody who acts elsewhere', async () => {
    const { userId } = await newUser(store);
    const { workspaceId } = (await product.get(directory).user(userId))!;
    const request = { name: 'app', expiresInDays: null };
    expect(await codeOf(provisioning.createToken(workspaceId, request))).toBe('ok');
    await store.teams.open({ ownerUserId: userId, plan: 'pro', openedAt: new Date() });
    expect(await codeOf(provisioning.createToken(workspaceId, request))).toBe('conflict');
  });
});

describe('members that an operator puts into a workspace', () => {
  it('join at once, in one role in the end, and the owner stays', async () => {
    const [team, { userId }] = [await newTeam(store), await newUser(store)];
    const { workspaceId, owner } = team;
    await inRounds(async () => {
      const roles = ['member', 'admin', 'admin', 'member'];
      await Promise.all(roles.map((role) => members.putAsOperator(workspaceId, userId, role)));
      expect(await members.putAsOperator(workspaceId, userId, 'admin')).toMatchObject({ role: 'admin', addedBy: null });
      expect(await rolesIn(store, workspaceId)).toEqual({ [owner.userId]: 'owner', [userId]: 'admin' });
      await members.removeAsOperator(workspaceId, userId);
    });
    expect(await codeOf(members.removeAsOperator(workspaceId, userId))).toBe('not_found');
    expect(await codeOf(members.removeAsOperator(workspaceId, owner.userId))).toBe('owner_not_removable');
    expect(await codeOf(members.putAsOperator(workspaceId, owner.userId, 'admin'))).toBe('invalid_role_change');
    expect(await codeOf(members.putAsOperator(workspaceId, userId, 'owner'))).toBe('invalid_role_change');
    const other = await newTeam(store);
    expect(await codeOf(members.putAsOperator(workspaceId, other.owner.userId, 'member'))).toBe('in_other_team');
    const personal = (await product.get(directory).user(userId))!.workspaceId;
    expect(await codeOf(members.putAsOperator(personal, userId, 'member'))).toBe('not_found');
  });
});

describe('a suspension', () => {
  itInRounds('against acceptances at once: each commits before it has returned, or is refused', async () => {
    const actor = await newWorkspace();
    let isOver = false;
    const writer = async () => {
      const codes = [];
      for (let after = 0; after < 3; after += isOver ? 1 : 0) codes.push(await codeOf(makeBoard(actor)));
      return codes;
    };
    const writers = Array.from({ length: 6 }, writer);
    await Promise.all([makeBoard(actor), makeBoard(actor)]);
    await suspend(actor);
    const accepted = await boardsOf(actor);
    isOver = true;
    const codes = (await Promise.all(writers)).flat();
    expect(await boardsOf(actor)).toBe(accepted);
    expect(codes.filter((code) => code === 'ok')).toHaveLength(accepted - 2);
    expect(new Set(codes)).toEqual(new Set(['ok', 'workspace_suspended']));
    await suspend(actor, false);
    expect(await codeOf(makeBoard(actor))).toBe('ok');
  });

  it('waits for what began before it, and keeps out at once what begins after it', async () => {
    const actor = await newWorkspace();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: rest, resolve: proceed } = Promise.withResolvers<void>();
    const first = makeBoard(actor, async () => {
      await db.query('select 1');
      begin();
      await rest;
    });
    await begun;
    let hasReturned = false;
    const suspending = suspend(actor).then(() => (hasReturned = true));
    await untilWaiting(db, { isOver: () => hasReturned });
    const meanwhile = [await codeOf(makeBoard(actor)), hasReturned];
    proceed();
    expect(meanwhile).toEqual(['workspace_suspended', false]);
    expect([await codeOf(first), await codeOf(suspending), await boardsOf(actor)]).toEqual(['ok', 'ok', 1]);
  });

  it('holds also those who are no members, such as guests, and an invited person', async () => {
    const actor = await newWorkspace();
    const requireActive = () => codeOf(inUnit(() => product.get(Gate).requireActive(actor.workspaceId)));
    expect(await requireActive()).toBe('ok');
    await suspend(actor);
    expect(await requireActive()).toBe('workspace_suspended');
  });
});

describe('the deletion of a workspace', () => {
  const erase = (workspaceId: number) => product.get(Erasures).requestOfWorkspace(workspaceId);

  it('ends all memberships, for persons who own it too, and erases the service account that owns it', async () => {
    const [team, { userId }] = [await newTeam(store), await newUser(store)];
    const { workspaceId, owner } = team;
    await members.putAsOperator(workspaceId, userId, 'admin');
    await db.query('update workspaces set external_id = $2 where id = $1', [workspaceId, 'gone']);
    await erase(workspaceId);
    for (const person of [userId, owner.userId]) {
      expect(await product.get(directory).user(person)).toMatchObject({ isTeam: false, role: 'owner' });
    }
    expect(await product.get(directory).workspace(workspaceId)).toBeNull();
    const left = 'memberships join users on id = user_id where workspace_id = $1 and is_service and email is null';
    expect(await count(left, [workspaceId])).toBe(1);
    expect(product.jobs.announced.at(-1)).toMatchObject({ name: 'account.erase' });
    expect(await provisioning.openWorkspace({ ...aWorkspace, externalId: 'gone' })).toMatchObject({ isNew: true });
  });

  itInRounds('several times at once, against somebody who joins: it is erased once, and nobody is in it', async () => {
    const [team, { userId }] = [await newTeam(store), await newUser(store)];
    const { workspaceId } = team;
    const erasing = Array.from({ length: 4 }, () => codeOf(erase(workspaceId)));
    const joined = codeOf(members.putAsOperator(workspaceId, userId, 'member'));
    expect(await Promise.all(erasing)).toEqual(['ok', 'ok', 'ok', 'ok']);
    expect(['ok', 'not_found']).toContain(await joined);
    expect(await count('memberships join users on id = user_id where workspace_id = $1', [workspaceId])).toBe(1);
    expect(await product.get(directory).user(userId)).toMatchObject({ isTeam: false });
  });

  it('is refused for a personal workspace, and for one that is not there', async () => {
    const { userId } = await newUser(store);
    const { workspaceId } = (await product.get(directory).user(userId))!;
    expect([await codeOf(erase(workspaceId)), await codeOf(erase(999_999_999))]).toEqual(['conflict', 'not_found']);
  });
});
