import { createHash, randomBytes } from 'node:crypto';
import type { Accounts, Email, Teams, TokenHash, Tokens } from '#identity';
import type { Role, UnitOfWork } from '#kernel';
import { someone } from '#testing/identity';
import type { AssignableRole, Invitations, Members, NewInvitation } from '../index.ts';

/** What the ports of teams work on together. */
export interface TeamStore {
  readonly accounts: Accounts;
  readonly teams: Teams;
  readonly tokens: Tokens;
  readonly members: Members;
  readonly invitations: Invitations;
  readonly unitOfWork: UnitOfWork;
}

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

export async function newUser({ accounts }: TeamStore, email?: Email): Promise<TestMember> {
  const { user } = await accounts.open(someone(email === undefined ? {} : { email }));
  return { userId: user.id, email: user.email };
}

export async function newTeam(store: TeamStore, plan = 'enterprise'): Promise<TestTeam> {
  const owner = await newUser(store);
  const workspaceId = await store.teams.open({ ownerUserId: owner.userId, plan, openedAt: someTime });
  return { workspaceId, owner };
}

export async function newMember(
  store: TeamStore,
  { workspaceId, owner }: TestTeam,
  role: AssignableRole = 'member',
): Promise<TestMember> {
  const user = await newUser(store);
  const joining = { workspaceId, userId: user.userId, role, addedBy: owner.userId, joinedAt: someTime };
  await store.teams.join(joining);
  return user;
}

export function someInvitation(
  { workspaceId, owner }: TestTeam,
  differences: Partial<NewInvitation> = {},
): NewInvitation {
  return {
    workspaceId,
    email: someone().email,
    role: 'member',
    invitedBy: owner.userId,
    createdAt: someTime,
    expiresAt: later(7),
    ...differences,
  };
}

export function newHash(): TokenHash {
  return createHash('sha256').update(randomBytes(16)).digest('hex') as TokenHash;
}

/** Who holds which role, by user. */
export async function rolesIn(store: TeamStore, workspaceId: number): Promise<Record<number, Role>> {
  const { items } = await store.members.list(workspaceId, wholeList);
  return Object.fromEntries(items.map(({ userId, role }) => [userId, role]));
}
