import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Action, Actor, TokenHash } from '#identity';
import { systemClock } from '#kernel';
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

const plans = { enterprise: { id: 'enterprise', monthlyCredits: 1, teams: true } };

describe('a unit of work of a request', () => {
  let db: TestDatabase;
  let store: TeamStores;
  let unitOfWork: CheckedUnitOfWork;
  let hash: TokenHash;
  let admin: Actor;
  beforeAll(async () => {
    db = await createDatabase();
    store = teamStoresOn(db.database);
    unitOfWork = new CheckedUnitOfWork(store.unitOfWork, store.tokens, plans, systemClock);
  });
  afterAll(() => db.drop());
  beforeEach(async () => {
    const { userId } = await newMember(store, await newTeam(store), 'admin');
    hash = newHash();
    await store.tokens.add(aToken({ userId, hash }));
    admin = (await store.tokens.authenticate(hash, new Date()))!;
  });

  /** Opens an account in it; resolves with whether it is there, or the code of the refusal. */
  const write = (action?: Action, actor = admin) =>
    runningRequest.run({ caller: { actor, action } }, () =>
      unitOfWork
        .run(() => unitOfWork.run(() => newUser(store)))
        .then(
          async ({ email }) => (await store.accounts.findByEmail(email)) !== null,
          (error: { code: string }) => error.code,
        ),
    );
  const revoke = () => store.tokens.revoke(admin.userId, admin.tokenId);

  it('has its effect while the caller has the rights that the request was admitted with', async () => {
    for (const action of ['board.update', 'team.invite', undefined] as const) expect(await write(action)).toBe(true);
  });

  it.each([
    ['token is revoked', revoke, ['unauthenticated', 'unauthenticated', 'unauthenticated']],
    [
      'token expires',
      () => db.query('update api_tokens set expires_at = created_at where id = $1', [admin.tokenId]),
      ['unauthenticated', 'unauthenticated', 'unauthenticated'],
    ],
    [
      'membership ends',
      () => store.members.remove(admin.workspaceId, admin.userId),
      ['forbidden', 'forbidden', 'forbidden'],
    ],
    [
      'role is lowered',
      () => store.members.changeRole(admin.workspaceId, admin.userId, 'member'),
      ['forbidden', true, 'forbidden'],
    ],
    ['plan changes', () => store.teams.changePlan(admin.workspaceId, 'free'), [true, 'plan_required', true]],
  ] as const)('has none once their %s', async (_, lose, expected) => {
    await lose();
    expect([await write('board.update'), await write('team.read'), await write()]).toEqual(expected);
  });

  it('checks before anything else, once, in the same transaction', async () => {
    const seen: unknown[] = [];
    const tokens = {
      callers: async (ids: readonly number[], now: Date) => {
        seen.push(['checked', db.database.isInTransaction]);
        return store.tokens.callers(ids, now);
      },
    };
    const counted = new CheckedUnitOfWork(store.unitOfWork, tokens, plans, systemClock);
    const work = () => counted.run(async () => void seen.push('worked'));
    await runningRequest.run({ caller: { actor: admin, action: undefined } }, () => counted.run(work));
    expect(seen).toEqual([['checked', true], 'worked']);
  });

  it('is not checked where there is no request', async () => {
    await revoke();
    await unitOfWork.run(() => newUser(store));
  });
});
