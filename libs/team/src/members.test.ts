import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Accounts, type Actor } from '#identity';
import type { Role } from '#kernel';
import { PlainPasswords, someone } from '#testing/identity';
import { ManualClock } from '#testing/kernel';
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts';
import {
  newMember,
  newTeam,
  newUser,
  rolesIn,
  someInvitation,
  teamStoresOn,
  type TeamStores,
  type TestMember,
  type TestTeam,
} from '../../../test/support/team-store.ts';
import { Members } from './members.ts';

const password = 'correct horse battery staple';

let db: TestDatabase;
let store: TeamStores;
let members: Members;
let team: TestTeam;
let people: Readonly<Record<Role, TestMember>>;

beforeAll(async () => {
  db = await createDatabase();
  store = teamStoresOn(db.database);
  const clock = new ManualClock();
  const opening = { rules: { signUpEnabled: true, tokenDays: null }, hooks: [], tokens: undefined as never };
  const passwords = new PlainPasswords();
  const accounts = new Accounts({ ...store, ...opening, passwords, clock });
  members = new Members({ ...store, accountStore: store.accounts, accounts, passwords, clock });
});
afterAll(() => db.drop());

beforeEach(async () => {
  team = await newTeam(store);
  people = { owner: team.owner, admin: await newMember(store, team, 'admin'), member: await newMember(store, team) };
});

const as = (role: Role, differences: Partial<Actor> = {}): Actor => ({
  userId: people[role].userId,
  workspaceId: team.workspaceId,
  role,
  plan: 'enterprise',
  isTeam: true,
  tokenId: 1,
  ...differences,
});
const roles = () => rolesIn(store, team.workspaceId);
const outcome = async (act: Promise<unknown>): Promise<unknown> =>
  act.then(
    () => 'done',
    (error: { code: string }) => error.code,
  );

describe('adding a member', () => {
  it('takes in somebody who has an account, whatever the case of the address', async () => {
    const user = await newUser(store);
    const added = await members.add(as('admin'), { email: user.email.toUpperCase(), role: 'admin', password: null });
    expect(added).toMatchObject({
      createdUser: false,
      member: { ...user, role: 'admin', addedBy: people.admin.email },
    });
  });

  it('opens an account for somebody who has none, when given a password for it', async () => {
    const email = someone().email;
    const added = await members.add(as('owner'), { email, role: 'member', password });
    expect(added).toMatchObject({ createdUser: true, member: { email, role: 'member', isConfirmed: false } });
    expect(await store.accounts.findByEmail(email)).toMatchObject({ passwordHash: `plain:${password}` });
  });

  it('revokes the invitation that waits for their answer', async () => {
    const user = await newUser(store);
    await store.invitations.add(someInvitation(team, { email: user.email }));
    await members.add(as('owner'), { email: user.email, role: 'member', password: null });
    const page = { limit: null, after: null };
    expect((await store.views.invitations(team.workspaceId, new Date(0), page)).items).toEqual([]);
  });

  it('is for admins and the owner of a team, in the role they have by now', async () => {
    const adding = async (actor: Actor) =>
      outcome(members.add(actor, { email: (await newUser(store)).email, role: 'member', password: null }));
    expect(await adding(as('owner'))).toBe('done');
    expect(await adding(as('admin'))).toBe('done');
    expect(await adding(as('member'))).toBe('forbidden');
    expect(await adding(as('member', { role: 'admin' }))).toBe('forbidden');
    expect(await adding(as('owner', { isTeam: false }))).toBe('conflict');
  });
});

describe('removing a member', () => {
  it.each([
    ['owner', 'owner', 'owner_not_removable'],
    ['admin', 'owner', 'owner_not_removable'],
    ['admin', 'admin', 'done'],
    ['admin', 'member', 'done'],
    ['member', 'owner', 'forbidden'],
    ['member', 'admin', 'forbidden'],
    ['member', 'member', 'done'],
  ] as const)('by the %s, of the %s: %s', async (caller, target, expected) => {
    const { userId } = people[target];
    expect(await outcome(members.remove(as(caller), userId))).toBe(expected);
    expect(userId in (await roles())).toBe(expected !== 'done');
  });

  it('of another member needs more than leaving', async () => {
    const [admin, member] = [await newMember(store, team, 'admin'), await newMember(store, team)];
    expect(await outcome(members.remove(as('member'), member.userId))).toBe('forbidden');
    expect(await members.remove(as('admin'), admin.userId)).toBe(false);
    expect(await members.remove(as('member'), people.member.userId)).toBe(true);
  });

  it('goes by the role that the caller has now', async () => {
    const stale = as('member', { role: 'admin' });
    expect(await outcome(members.remove(stale, people.admin.userId))).toBe('forbidden');
    await members.remove(as('owner'), people.admin.userId);
    expect(await outcome(members.remove(as('admin'), people.member.userId))).toBe('forbidden');
  });

  it('finds nobody who has left meanwhile', async () => {
    const { userId } = people.member;
    await members.remove(as('owner'), userId);
    expect(await outcome(members.remove(as('owner'), userId))).toBe('not_found');
    expect(await outcome(members.changeRole(as('owner'), userId, 'admin'))).toBe('not_found');
  });
});

describe('changing a role', () => {
  it.each([
    ['owner', 'admin', 'member', 'done'],
    ['owner', 'member', 'admin', 'done'],
    ['owner', 'owner', 'admin', 'invalid_role_change'],
    ['owner', 'member', 'owner', 'invalid_role_change'],
    ['admin', 'owner', 'member', 'forbidden'],
    ['member', 'member', 'admin', 'forbidden'],
  ] as const)('by the %s, of the %s, to %s: %s', async (caller, target, role, expected) => {
    const { userId } = people[target];
    expect(await outcome(members.changeRole(as(caller), userId, role))).toBe(expected);
    expect((await roles())[userId]).toBe(expected === 'done' ? role : target);
  });
});

describe('transferring the ownership', () => {
  it.each(['admin', 'member'] as const)('to the %s makes them the owner, and the owner an admin', async (to) => {
    const heir = await members.transferOwnership(as('owner'), people[to].userId);
    expect(heir).toMatchObject({ ...people[to], role: 'owner' });
    expect(await roles()).toMatchObject({ [people[to].userId]: 'owner', [people.owner.userId]: 'admin' });
  });

  it('is for the owner alone, to another member', async () => {
    const stranger = await newUser(store);
    const giving = (actor: Actor, { userId }: TestMember) => outcome(members.transferOwnership(actor, userId));
    expect(await giving(as('admin'), people.admin)).toBe('forbidden');
    expect(await giving(as('member'), people.admin)).toBe('forbidden');
    expect(await giving(as('owner'), people.owner)).toBe('invalid_role_change');
    expect(await giving(as('owner'), stranger)).toBe('not_found');
  });
});
