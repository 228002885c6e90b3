import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Gate, type Action, type Actor, type TokenHash } from '#identity';
import { DomainError, systemClock } from '#kernel';
import { aToken } from '#testing/identity';
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts';
import {
  newHash,
  newMember,
  newTeam,
  newUser,
  teamStoresOn,
  type TeamStores,
} from '../../../test/support/team-store.ts';
import { CheckedUnitOfWork, runningRequest } from './checked-unit-of-work.ts';

const POOL_SIZE = 10;

describe('a unit of work of a request', () => {
  let db: TestDatabase;
  let store: TeamStores;
  let unitOfWork: CheckedUnitOfWork;
  let hash: TokenHash;
  let admin: Actor;
  beforeAll(async () => {
    db = await createDatabase();
    store = teamStoresOn(db.database);
    unitOfWork = new CheckedUnitOfWork(
      store.unitOfWork,
      new Gate(store.tokens, store.teams, { plans: {}, requiresVerifiedEmail: false }, systemClock),
      POOL_SIZE,
    );
  });
  afterAll(() => db.drop());
  beforeEach(async () => {
    const { userId } = await newMember(store, await newTeam(store), 'admin');
    hash = newHash();
    await store.tokens.add(aToken({ userId, hash }));
    admin = (await store.tokens.authenticate(hash, new Date()))!;
  });

  /** Creates an account. Resolves with whether it exists, or with the error code. */
  const write = (action?: Action) =>
    runningRequest.run({ caller: { actor: admin, requirements: { action, scopes: [] } } }, () =>
      unitOfWork
        .run(() => unitOfWork.run(() => newUser(store)))
        .then(
          async ({ email }) => (await store.accounts.findByEmail(email)) !== null,
          (error: { code: string }) => error.code,
        ),
    );
  const revoke = () => store.tokens.revoke(admin.userId, admin.tokenId);

  it('has an effect only while the gate confirms the caller', async () => {
    expect([await write(), await write('board.update')]).toEqual([true, true]);
    await store.members.changeRole(admin.workspaceId, admin.userId, 'member');
    expect([await write(), await write('board.update')]).toEqual(['forbidden', 'forbidden']);
    await revoke();
    expect([await write(), await write('board.update')]).toEqual(['unauthenticated', 'unauthenticated']);
  });

  it('refuses before it says why the effects would fail, and has waited for them', async () => {
    const work = Promise.withResolvers<never>();
    const gate = { confirm: () => Promise.reject(new DomainError('forbidden', 'no longer')) };
    const refusing = new CheckedUnitOfWork(store.unitOfWork, gate, POOL_SIZE);
    let isOver = false;
    const refused = runningRequest
      .run({ caller: { actor: admin, requirements: { scopes: [] } } }, () => refusing.run(() => work.promise))
      .catch((error: DomainError) => error.code)
      .finally(() => (isOver = true));
    await newUser(store);
    expect(isOver).toBe(false);
    work.reject(new DomainError('not_found', 'no such board'));
    expect(await refused).toBe('forbidden');
  });

  it('refuses also when the effects fail before they begin', async () => {
    const refusing = new CheckedUnitOfWork(
      store.unitOfWork,
      { confirm: () => Promise.reject(new DomainError('forbidden', 'no longer')) },
      POOL_SIZE,
    );
    const fail = (): Promise<void> => {
      throw new DomainError('validation_failed', 'no name');
    };
    const refused = runningRequest.run({ caller: { actor: admin, requirements: { scopes: [] } } }, () =>
      refusing.run(fail),
    );
    await expect(refused).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('calls the gate first, once, in the same transaction', async () => {
    const seen: unknown[] = [];
    const gate = { confirm: async (...caller: unknown[]) => void seen.push([...caller, db.database.isInTransaction]) };
    const counted = new CheckedUnitOfWork(store.unitOfWork, gate, POOL_SIZE);
    const work = () => counted.run(async () => void seen.push('worked'));
    await runningRequest.run({ caller: { actor: admin, requirements: { action: 'team.invite', scopes: [] } } }, () =>
      counted.run(work),
    );
    expect(seen).toEqual([[admin, { action: 'team.invite', scopes: [] }, true], 'worked']);
  });

  it('has half of the connections for one workspace, while others go on', async () => {
    const { userId } = await newMember(store, await newTeam(store), 'admin');
    const other = { ...admin, userId, workspaceId: admin.workspaceId + 1 };
    const shared = new CheckedUnitOfWork(store.unitOfWork, { confirm: async () => undefined }, 4);
    const held = Promise.withResolvers<void>();
    const begun: string[] = [];
    const begin = (name: string, actor: Actor) =>
      runningRequest.run({ caller: { actor, requirements: { action: undefined, scopes: [] } } }, () =>
        shared.run(async () => {
          begun.push(name);
          await held.promise;
        }),
      );
    const all = [...['a1', 'a2', 'a3'].map((name) => begin(name, admin)), begin('b1', other)];
    while (begun.length < 3) await new Promise(setImmediate);
    expect(begun.toSorted()).toEqual(['a1', 'a2', 'b1']);
    held.resolve();
    await Promise.all(all);
    expect(begun.at(-1)).toBe('a3');
  });

  it('does not call the gate without a request', async () => {
    await revoke();
    await unitOfWork.run(() => newUser(store));
  });
});
