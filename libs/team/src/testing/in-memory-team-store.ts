import type { Accounts, Email, Teams, TokenHash, Tokens } from '#identity';
import { type Page, pageOf, type PageRequest, type Role } from '#kernel';
import { directUnitOfWork } from '#testing/kernel';
import { InMemoryIdentity, type InMemoryMembership } from '#testing/identity';
import {
  KEPT_TOKENS,
  type AnsweredInvitation,
  type Invitation,
  type InvitationAnswer,
  type InvitationLetter,
  type Invitations,
  type Member,
  type Members,
  type NewInvitation,
} from '../index.ts';
import type { TeamStore } from './team-store.ts';

interface StoredInvitation extends NewInvitation {
  readonly id: number;
  readonly hashes: readonly TokenHash[];
  readonly state: 'pending' | InvitationAnswer | 'revoked';
  readonly delivery: Invitation['delivery'];
}

/** The ports of teams on arrays. It knows no rollback. */
export class InMemoryTeamStore implements TeamStore {
  readonly #identity = new InMemoryIdentity();
  readonly #invitations = new Map<number, StoredInvitation>();

  readonly accounts: Accounts = this.#identity.accounts;
  readonly teams: Teams = this.#identity.teams;
  readonly tokens: Tokens = this.#identity.tokens;
  readonly unitOfWork = directUnitOfWork;

  readonly members: Members = {
    find: async (workspaceId, userId) => {
      const membership = this.#membership(workspaceId, userId);
      return membership ? this.#memberOf(membership) : null;
    },
    list: (workspaceId, page) => this.#listMembers(workspaceId, page),
    holdRoles: async (workspaceId, userIds) => this.#rolesOf(workspaceId, userIds),
    remove: async (workspaceId, userId) => {
      const removed = this.#membership(workspaceId, userId);
      this.#identity.memberships = this.#identity.memberships.filter((each) => each !== removed);
    },
    changeRole: async (workspaceId, userId, role) => this.#setRole(workspaceId, userId, role),
    transferOwnership: async (workspaceId, ownerId, heirId) => {
      this.#setRole(workspaceId, ownerId, 'admin');
      this.#setRole(workspaceId, heirId, 'owner');
    },
  };

  readonly invitations: Invitations = {
    add: (invitation) => this.#invite(invitation),
    list: (workspaceId, now, page) => this.#listInvitations(workspaceId, now, page),
    isPending: async (workspaceId, id, now) => this.#pendingAt(workspaceId, id, now) !== null,
    revoke: async (workspaceId, id, now) => {
      const invitation = this.#pendingAt(workspaceId, id, now);
      if (invitation) this.#change(invitation, { state: 'revoked' });
      return invitation !== null;
    },
    revokeFor: async (workspaceId, email) => this.#revokeFor(workspaceId, email),
    issueToken: (id, hash, now) => this.#issueToken(id, hash, now),
    recordDelivery: async (id, delivery) => this.#change(this.#invitations.get(id)!, { delivery }),
    answer: (hash, userId, answer, now) => this.#answer(hash, userId, answer, now),
  };

  #membership(workspaceId: number, userId: number): InMemoryMembership | null {
    const { memberships } = this.#identity;
    return memberships.find((each) => each.workspace.id === workspaceId && each.userId === userId) ?? null;
  }

  async #memberOf({ userId, role, joinedAt, addedBy }: InMemoryMembership): Promise<Member> {
    const { email, name } = (await this.accounts.find(userId))!;
    return {
      userId,
      email,
      name,
      role,
      joinedAt,
      addedBy: addedBy === null ? null : await this.#emailOf(addedBy),
      isConfirmed: this.#identity.isConfirmed(userId),
    };
  }

  async #emailOf(userId: number): Promise<Email> {
    return (await this.accounts.find(userId))!.email;
  }

  async #listMembers(workspaceId: number, { limit, after }: PageRequest): Promise<Page<Member>> {
    const found = this.#identity.memberships
      .filter(({ workspace, userId }) => workspace.id === workspaceId && userId < (after ?? Infinity))
      .sort((one, other) => other.userId - one.userId);
    const { items, next } = pageOf(found, limit, ({ userId }) => userId);
    return { items: await Promise.all(items.map((membership) => this.#memberOf(membership))), next };
  }

  #rolesOf(workspaceId: number, userIds: readonly number[]): ReadonlyMap<number, Role> {
    const held = userIds.map((userId) => this.#membership(workspaceId, userId));
    return new Map(held.filter((each) => each !== null).map(({ userId, role }) => [userId, role]));
  }

  #setRole(workspaceId: number, userId: number, role: Role): void {
    const changed = this.#membership(workspaceId, userId);
    this.#identity.memberships = this.#identity.memberships.map((each) =>
      each === changed ? { ...each, role } : each,
    );
  }

  async #invite(invitation: NewInvitation): Promise<Invitation> {
    this.#revokeFor(invitation.workspaceId, invitation.email);
    const id = this.#invitations.size + 1;
    const stored = { ...invitation, id, hashes: [], state: 'pending', delivery: 'waiting' } as const;
    this.#invitations.set(id, stored);
    return this.#shown(stored);
  }

  async #shown(invitation: StoredInvitation): Promise<Invitation> {
    const { id, workspaceId, email, role, delivery, createdAt, expiresAt } = invitation;
    const invitedBy = await this.#emailOf(invitation.invitedBy);
    return { id, workspaceId, email, role, invitedBy, delivery, createdAt, expiresAt };
  }

  #change(invitation: StoredInvitation, changes: Partial<StoredInvitation>): void {
    this.#invitations.set(invitation.id, { ...invitation, ...changes });
  }

  #pendingAt(workspaceId: number, id: number, now: Date): StoredInvitation | null {
    const found = this.#invitations.get(id);
    return found?.workspaceId === workspaceId && isPending(found, now) ? found : null;
  }

  async #listInvitations(
    workspaceId: number,
    now: Date,
    { limit, after }: PageRequest,
  ): Promise<Page<Invitation>> {
    const found = [...this.#invitations.values()]
      .filter((each) => each.workspaceId === workspaceId && isPending(each, now))
      .filter(({ id }) => id < (after ?? Infinity))
      .reverse();
    const { items, next } = pageOf(found, limit, ({ id }) => id);
    return { items: await Promise.all(items.map((invitation) => this.#shown(invitation))), next };
  }

  #revokeFor(workspaceId: number, email: Email): void {
    for (const each of this.#invitations.values()) {
      if (each.workspaceId === workspaceId && each.email === email && each.state === 'pending') {
        this.#change(each, { state: 'revoked' });
      }
    }
  }

  async #issueToken(id: number, hash: TokenHash, now: Date): Promise<InvitationLetter | null> {
    const invitation = this.#invitations.get(id);
    if (!invitation || !isPending(invitation, now)) return null;
    this.#change(invitation, { hashes: [hash, ...invitation.hashes].slice(0, KEPT_TOKENS) });
    const { email, role, expiresAt, workspaceId } = invitation;
    const { email: inviter, name } = (await this.accounts.find(invitation.invitedBy))!;
    const owner = await this.#ownerOf(workspaceId);
    return { email, role, inviter: { email: inviter, name }, owner, expiresAt };
  }

  #ownerOf(workspaceId: number): Promise<Email> {
    const { memberships } = this.#identity;
    const owner = memberships.find((each) => each.workspace.id === workspaceId && each.role === 'owner')!;
    return this.#emailOf(owner.userId);
  }

  async #answer(
    hash: TokenHash,
    userId: number,
    answer: InvitationAnswer,
    now: Date,
  ): Promise<AnsweredInvitation | null> {
    const email = (await this.accounts.find(userId))?.email;
    const found = [...this.#invitations.values()].find(
      (each) => isPending(each, now) && each.email === email && each.hashes.includes(hash),
    );
    if (!found) return null;
    this.#change(found, { state: answer });
    const { workspaceId, role, invitedBy } = found;
    return { workspaceId, role, invitedBy, owner: await this.#ownerOf(workspaceId) };
  }
}

function isPending({ state, expiresAt }: StoredInvitation, now: Date): boolean {
  return state === 'pending' && expiresAt > now;
}
