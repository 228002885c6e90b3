/** @tier test */
import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  PostgresConfirmations,
  PostgresErasedWorkspaces,
  PostgresExports,
  PostgresSignInLinks,
  PostgresTokens,
} from '#adapters/postgres';
import { Erasures } from '#erasure';
import { begin, complete, Exports } from '#export';
import { systemClock, type Job } from '#kernel';
import { anActor, aToken, PlainPasswords, someone } from '#testing/identity';
import { auditLog, settings } from '#wiring';
import { codeOf } from '../support/code-of.ts';
import { newFile, newWorkspace } from '../support/database.ts';
import { suiteDatabase } from '../support/suite-database.ts';
import { Product } from '../support/product.ts';
import {
  join,
  newHash,
  newMember,
  newTeam,
  newUser,
  rolesIn,
  someInvitation,
  teamStoresOn,
  type TestMember,
  type TestTeam,
} from '../support/team-store.ts';
import { untilWaiting } from '../support/until-waiting.ts';

const PASSWORD = 'a difference engine';

const db = await suiteDatabase({ poolSize: 10 });
const store = teamStoresOn(db.database);
const exports = new Product(db, { clock: systemClock }).get(Exports);

const soon = () => new Date(Date.now() + 3_600_000);

/** Waits while the transaction that calls it holds its locks. */
type Hold = () => Promise<void>;

/** The use case. It calls `hold` once it has its locks. */
function erasures(hold: Hold = async () => undefined, hasAdminToken = false): Erasures {
  const product = new Product(db, { clock: systemClock }).with(auditLog, { record: hold }).with(Exports, exports);
  const admin = { ...product.get(settings).admin, token: hasAdminToken ? 'x'.repeat(32) : null };
  return product.with(settings, { ...product.get(settings), admin }).get(Erasures);
}

const eraseAsOperator = ({ userId }: TestMember, hold?: Hold) =>
  erasures(hold).requestAsOperator(userId, { mayBeLastOperator: true });

async function newPerson(): Promise<TestMember> {
  const passwordHash = await new PlainPasswords().hash(PASSWORD as never);
  const { user } = await store.accounts.open(someone({ passwordHash }));
  return { userId: user.id, email: user.email };
}

/**
 * Starts `second` once `first` holds its locks, which it does until `second` waits for them or is done.
 *
 * @returns `ok`, or the code of the error, of each
 */
async function inTurn(first: (hold: Hold) => Promise<unknown>, second: () => Promise<unknown>) {
  const { promise: locked, resolve: lock } = Promise.withResolvers<void>();
  let isOver = false;
  // Outside of the transaction of `first`.
  const outcome = codeOf(locked.then(second)).finally(() => (isOver = true));
  const hold = async () => {
    lock();
    await untilWaiting(db, { isOver: () => isOver });
  };
  return Promise.all([codeOf(first(hold)), outcome]);
}

/** Two steps in one unit of work, which holds the locks of the first one for a while. */
const inSteps =
  (first: () => Promise<unknown>, then: () => Promise<unknown> = async () => undefined) =>
  (hold: Hold) =>
    store.unitOfWork.run(async () => {
      await first();
      await hold();
      await then();
    });

/** An invited user joins a team. */
async function acceptance(team: TestTeam, { userId, email }: TestMember) {
  const facts = { email, createdAt: new Date(), expiresAt: soon() };
  const { id } = await store.invitations.add(someInvitation(team, facts));
  const hash = newHash();
  await store.invitations.addToken(id, hash, new Date());
  return inSteps(
    async () => expect(await store.invitations.lockByToken(hash, userId, new Date())).toMatchObject({ id }),
    () => join(store, team, { userId }),
  );
}

describe('a request of an erasure', () => {
  it('deletes the jobs that name the person, and no others', async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    const jobsOf = ({ userId, email }: TestMember): Pick<Job, 'name' | 'payload'>[] => [
      { name: 'password_reset.request', payload: { email } },
      {
        name: 'sign_in.record_failure',
        payload: { email, at: new Date().toISOString(), address: null, requestId: null },
      },
      { name: 'account.notice', payload: { userId, email: `old-${email}`, notice: 'password_changed' } },
    ];
    for (const { name, payload } of [...jobsOf(person), ...jobsOf(other)]) {
      await db.query('insert into jobs (name, payload, due_at, created_at) values ($1, $2, now(), now())', [
        name,
        JSON.stringify(payload),
      ]);
    }
    await eraseAsOperator(person);
    const left = await db.query<{ payload: { email: string } }>('select payload from jobs order by id');
    expect(left.map(({ payload }) => payload.email)).toEqual([other.email, other.email, `old-${other.email}`]);
  });

  it.each(['before', 'after'] as const)(
    'against a team that is opened for them just %s: none is theirs',
    async (when) => {
      const person = await newPerson();
      const open = () => store.teams.open({ ownerUserId: person.userId, plan: 'enterprise', openedAt: new Date() });
      const erase = (hold?: Hold) => eraseAsOperator(person, hold);
      const outcomes = await (when === 'before' ? inTurn(inSteps(open), erase) : inTurn(erase, open));
      expect(outcomes).toEqual(['ok', when === 'before' ? 'ok' : 'not_found']);
      const kept = `select from memberships join workspaces on id = workspace_id
      where user_id = $1 and erasure_requested_at is null`;
      expect(await db.query(kept, [person.userId])).toEqual([]);
    },
  );

  it.each(['before', 'after'] as const)(
    'against a member who joins their team just %s: only one of both',
    async (when) => {
      const [{ workspaceId, owner }, { userId }] = [await newTeam(store), await newUser(store)];
      const member = { workspaceId, userId, role: 'member', addedBy: owner.userId, joinedAt: new Date() } as const;
      const join = () => store.teams.join(member);
      const erase = (hold?: Hold) => eraseAsOperator(owner, hold);
      const outcomes = await (when === 'before' ? inTurn(inSteps(join), erase) : inTurn(erase, join));
      const refusal = when === 'before' ? 'transfer_ownership_first' : 'not_found';
      expect(outcomes).toEqual(['ok', refusal]);
    },
  );

  it('against an invitation that the person accepts: they are in no team', async () => {
    const [team, person] = [await newTeam(store), await newPerson()];
    expect(await inTurn(await acceptance(team, person), () => eraseAsOperator(person))).toEqual(['ok', 'ok']);
    expect(Object.keys(await rolesIn(store, team.workspaceId))).toEqual([`${team.owner.userId}`]);
  });

  it('against an invitation to their team that is accepted: they have to transfer the ownership first', async () => {
    const [team, guest] = [await newTeam(store), await newPerson()];
    const outcomes = await inTurn(await acceptance(team, guest), () => eraseAsOperator(team.owner));
    expect(outcomes).toEqual(['ok', 'transfer_ownership_first']);
  });

  it('against becoming the owner of a team: they have to transfer the ownership first', async () => {
    const team = await newTeam(store);
    const { workspaceId, owner } = team;
    const heir = await newMember(store, team, 'admin');
    const transfer = inSteps(
      () => store.members.lockRoles(workspaceId, [owner.userId, heir.userId]),
      () => store.members.transferOwnership(workspaceId, owner.userId, heir.userId),
    );
    const outcomes = await inTurn(transfer, () => eraseAsOperator(heir));
    expect(outcomes).toEqual(['ok', 'transfer_ownership_first']);
  });

  it('waits for a mailed token that is used', async () => {
    const { userId, email } = await newPerson();
    const confirmations = new PostgresConfirmations(db.database);
    const purpose = 'password_reset' as const;
    const { id } = await confirmations.replace({ userId, email, purpose, createdAt: new Date(), expiresAt: soon() });
    const hash = newHash();
    await confirmations.addToken(id, hash, new Date());
    const use = inSteps(
      async () => expect(await confirmations.redeem(purpose, hash, new Date())).toMatchObject({ id }),
      () => store.accounts.lock(userId),
    );
    expect(await inTurn(use, () => eraseAsOperator({ userId, email }))).toEqual(['ok', 'ok']);
  });

  it('waits for a sign-in link that is used, and ends its session', async () => {
    const { userId, email } = await newPerson();
    const links = new PostgresSignInLinks(db.database);
    const [hash, now] = [newHash(), new Date()];
    await links.add({ userId, isLocal: false, hash, createdAt: now, expiresAt: soon() });
    const use = inSteps(
      async () => expect(await links.redeem(hash, { isLocal: false, now })).toMatchObject({ userId }),
      () => new PostgresTokens(db.database).add(aToken({ userId, hash: newHash(), kind: 'log_in' })),
    );
    expect(await inTurn(use, () => eraseAsOperator({ userId, email }))).toEqual(['ok', 'ok']);
    expect(await db.query('select from api_tokens where user_id = $1', [userId])).toEqual([]);
  });

  it.each(['before', 'after'] as const)('against an export that is requested just %s: none is left', async (when) => {
    const person = await newPerson();
    const request = () => exports.request({ userId: person.userId, workspaceId: 1 });
    const erase = (hold?: Hold) => eraseAsOperator(person, hold);
    const outcomes = await (when === 'before' ? inTurn(inSteps(request), erase) : inTurn(erase, request));
    expect(outcomes).toEqual(['ok', when === 'before' ? 'ok' : 'unauthenticated']);
    expect(await exports.list(person)).toEqual([]);
  });

  it('against an export that becomes ready: its zip is deleted', async () => {
    const person = await newPerson();
    const exportStore = new PostgresExports(db.database);
    const { id } = await exports.request({ userId: person.userId, workspaceId: 1 });
    const key = `exports/${id}.zip`;
    const running = begin((await exportStore.lock(id)) as never, { attempt: 1, key })!;
    await exportStore.save(running);
    await exportStore.discard(key, soon());
    const finish = async () => {
      await exportStore.lock(id);
      await exportStore.keep(key);
      await exportStore.save(complete(running, 1, new Date()));
    };
    expect(await inTurn(inSteps(finish), () => eraseAsOperator(person))).toEqual(['ok', 'ok']);
    expect(await db.query('select key from discarded_objects where due_at <= now()')).toEqual([{ key }]);
  });
});

describe('the end of an erasure', () => {
  it('waits for a file that is added to the workspace, and leaves the workspace with it', async () => {
    const { workspaceId } = await newWorkspace(db.database);
    const end = () => store.unitOfWork.run(() => new PostgresErasedWorkspaces(db.database).delete(workspaceId));
    const add = inSteps(() => newFile(db.database, workspaceId, null));
    expect(await inTurn(add, end)).toEqual(['ok', 'ok']);
    expect(await db.query('select from files where workspace_id = $1', [workspaceId])).toHaveLength(1);
  });

  it('waits for a call that locks its membership before it refers to the workspace', async () => {
    const { workspaceId, userId } = await newWorkspace(db.database);
    const end = () => store.unitOfWork.run(() => new PostgresErasedWorkspaces(db.database).delete(workspaceId));
    const call = inSteps(
      () => store.members.lockRoles(workspaceId, [userId]),
      () => newFile(db.database, workspaceId, null),
    );
    expect(await inTurn(call, end)).toEqual(['ok', 'ok']);
  });
});

describe('an operator', () => {
  beforeEach(() => db.query('update users set is_operator = false, operator_by_claim = false'));

  const newOperator = async (by: 'cli' | 'claim' = 'cli') => {
    const person = await newPerson();
    await store.accounts.update(person.userId, { operatorBy: by });
    return person;
  };
  const eraseSelf = ({ userId, email }: TestMember, use = erasures()) =>
    use.request(anActor({ userId }), { email, password: PASSWORD });

  it('is erased while there is another one, also by a claim, but not as the last one', async () => {
    const [one, two] = [await newOperator(), await newOperator('claim')];
    await eraseSelf(one);
    await expect(eraseSelf(two)).rejects.toMatchObject({ code: 'conflict' });
    expect(await store.accounts.find(two.userId)).toMatchObject({ isOperator: true });
    await eraseSelf(await newPerson());
  });

  it('is erased as the last one where there is an ADMIN_TOKEN, and by the command line', async () => {
    const isErased = async ({ userId }: TestMember) =>
      (await db.query('select from users where id = $1 and erasure_requested_at is not null', [userId])).length === 1;
    const byThemselves = await newOperator();
    await eraseSelf(byThemselves, erasures(undefined, true));
    const byOthers = await newOperator();
    await eraseAsOperator(byOthers);
    expect([await isErased(byThemselves), await isErased(byOthers)]).toEqual([true, true]);
  });

  it('stays when both ask for their erasure at once', async () => {
    const [one, two] = [await newOperator(), await newOperator()];
    const outcomes = await inTurn(
      (hold) => eraseSelf(one, erasures(hold)),
      () => eraseSelf(two),
    );
    expect(outcomes).toEqual(['ok', 'conflict']);
  });
});
