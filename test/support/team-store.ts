import { createHash, randomBytes } from 'node:crypto';
import {
  PostgresAccounts,
  PostgresInvitations,
  PostgresMembers,
  PostgresTeams,
  PostgresTeamViews,
  PostgresTokens,
  PostgresUnitOfWork,
  type Database,
} from '#adapters/postgres';
import { RandomTokenSecrets } from '#adapters/secrets';
import type { Actor, Email, TokenHash } from '#identity';
import type { Role } from '#kernel';
import type { AssignableRole, NewInvitation } from '#team';
import { anActor, aToken, someone } from '#testing/identity';

/** The stores of teams on PostgreSQL. */
export function teamStoresOn(database: Database) {
  return {
    accounts: new PostgresAccounts(database),
    teams: new PostgresTeams(database),
    tokens: new PostgresTokens(database),
    members: new PostgresMembers(database),
    invitations: new PostgresInvitations(database),
    views: new PostgresTeamViews(database),
    unitOfWork: new PostgresUnitOfWork(database),
  };
}

export type TeamStores = ReturnType<typeof teamStoresOn>;

export const someTime = new Date('2026-03-14T09:26:53.589Z');
export const wholeList = { limit: null, after: null };
export const later = (days: number, from = someTime) => new Date(from.getTime() + days * 86_400_000);

export interface TestMember {
  readonly userId: number;
  readonly email: Email;
}

export interface TestTeam {
  readonly workspaceId: number;
  readonly owner: TestMember;
}

/** A member who calls, in a role that they need not have any more. */
export function actorOf({ workspaceId, owner }: TestTeam, { userId }: TestMember = owner, role: Role = 'owner'): Actor {
  return anActor({ userId, workspaceId, role, plan: 'enterprise', isTeam: true });
}

export async function newUser({ accounts }: TeamStores, email?: Email): Promise<TestMember> {
  const { user } = await accounts.open(someone(email === undefined ? {} : { email }));
  return { userId: user.id, email: user.email };
}

export async function newTeam(store: TeamStores, plan = 'enterprise'): Promise<TestTeam> {
  const owner = await newUser(store);
  const workspaceId = await store.teams.open({ ownerUserId: owner.userId, plan, openedAt: someTime });
  return { workspaceId, owner };
}

export function join(
  { teams }: TeamStores,
  { workspaceId, owner }: TestTeam,
  { userId }: Pick<TestMember, 'userId'>,
  role: AssignableRole = 'member',
): Promise<void> {
  return teams.join({ workspaceId, userId, role, addedBy: owner.userId, joinedAt: someTime });
}

export async function newMember(store: TeamStores, team: TestTeam, role: AssignableRole = 'member') {
  const user = await newUser(store);
  await join(store, team, user, role);
  return user;
}

const secrets = new RandomTokenSecrets();

/** Adds a token of somebody who has an account. */
export async function withToken<User extends TestMember>({ tokens }: TeamStores, user: User) {
  const token = secrets.create();
  const { id: tokenId } = await tokens.add(aToken({ userId: user.userId, hash: secrets.hash(token) }));
  return { ...user, token, tokenId };
}

export function someInvitation({ workspaceId, owner }: TestTeam, more: Partial<NewInvitation> = {}): NewInvitation {
  const times = { createdAt: someTime, expiresAt: later(7) };
  const facts = { workspaceId, userId: null, email: someone().email, role: 'member' } as const;
  return { ...facts, invitedBy: owner.userId, delivery: 'waiting', ...times, ...more };
}

export function newHash(): TokenHash {
  return createHash('sha256').update(randomBytes(16)).digest('hex') as TokenHash;
}

/** The pending invitations of a team. */
export async function pendingIn({ views }: TeamStores, workspaceId: number, now = someTime) {
  return (await views.invitations(workspaceId, now, wholeList)).items;
}

/** Roles by user; without pending additions. */
export async function rolesIn(store: TeamStores, workspaceId: number): Promise<Record<number, Role>> {
  const { items } = await store.views.members(workspaceId, someTime, wholeList);
  const members = items.filter(({ joinedAt }) => joinedAt !== null);
  return Object.fromEntries(members.map(({ userId, role }) => [userId, role]));
}
