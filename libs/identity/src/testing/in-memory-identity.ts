import { DomainError, notFound, type Page, pageOf, type PageRequest, type Role } from '#kernel';
import {
  LAST_USE_SECONDS,
  type Account,
  type Accounts,
  type Actor,
  type NewAccount,
  type NewMember,
  type NewTeam,
  type NewToken,
  type OpenedAccount,
  type Password,
  type PasswordHash,
  type Passwords,
  type Teams,
  type Token,
  type TokenHash,
  type Tokens,
  type TokenSecret,
  type TokenSecrets,
  tokenSecretOf,
  type User,
} from '../index.ts';

interface Workspace {
  readonly id: number;
  readonly isTeam: boolean;
  readonly plan: string;
}

export interface InMemoryMembership {
  readonly workspace: Workspace;
  readonly userId: number;
  readonly role: Role;
  readonly addedBy: number | null;
  readonly joinedAt: Date;
}

interface StoredToken {
  readonly userId: number;
  readonly hash: TokenHash;
  readonly token: Token;
}

/** The ports of identity on arrays that they share. */
export class InMemoryIdentity {
  readonly #accounts: Account[] = [];
  readonly #workspaces: Workspace[] = [];
  #tokens: StoredToken[] = [];
  readonly #confirmed = new Set<number>();
  #lastTokenId = 0;

  /** For the stores of other rooms, which change them too. */
  memberships: InMemoryMembership[] = [];

  readonly accounts: Accounts = {
    open: async (account) => this.#openAccount(account),
    findByEmail: async (email) => this.#accounts.find((account) => account.email === email) ?? null,
    find: async (userId) => this.#findUser(userId),
  };

  readonly teams: Teams = {
    open: async (team) => this.#openTeam(team),
    join: async (member) => this.#join(member),
  };

  readonly tokens: Tokens = {
    authenticate: async (hash, now) => this.#authenticate(hash, now),
    add: async (token) => this.#addToken(token),
    list: async (userId, page) => this.#listTokens(userId, page),
    revoke: async (userId, tokenId) => this.#revokeToken(userId, tokenId),
  };

  /** Whether the user was ever given a token. */
  isConfirmed(userId: number): boolean {
    return this.#confirmed.has(userId);
  }

  #openAccount({ email, name, passwordHash, plan, openedAt }: NewAccount): OpenedAccount {
    if (this.#accounts.some((account) => account.email === email)) {
      throw new DomainError('user_exists', 'there is a user with this e-mail already');
    }
    const user = { id: this.#accounts.length + 1, email, name };
    this.#accounts.push({ ...user, passwordHash });
    const workspace = this.#addWorkspace(false, plan);
    this.memberships.push({ workspace, userId: user.id, role: 'owner', addedBy: null, joinedAt: openedAt });
    return { user, workspaceId: workspace.id };
  }

  #findUser(userId: number): User | null {
    const account = this.#accounts.find(({ id }) => id === userId);
    return account ? { id: account.id, email: account.email, name: account.name } : null;
  }

  #openTeam({ ownerUserId: userId, plan, openedAt }: NewTeam): number {
    this.#refuseSecondTeam(userId, null);
    const workspace = this.#addWorkspace(true, plan);
    this.memberships.push({ workspace, userId, role: 'owner', addedBy: null, joinedAt: openedAt });
    return workspace.id;
  }

  #join({ workspaceId, ...member }: NewMember): void {
    const workspace = this.#workspaces.find(({ id, isTeam }) => isTeam && id === workspaceId);
    if (!workspace) throw notFound('team');
    this.#refuseSecondTeam(member.userId, workspaceId);
    this.memberships.push({ ...member, workspace });
  }

  #refuseSecondTeam(userId: number, workspaceId: number | null): void {
    if (!this.#findUser(userId)) throw notFound('user');
    const team = this.memberships.find((each) => each.userId === userId && each.workspace.isTeam);
    if (!team) return;
    throw new DomainError(
      team.workspace.id === workspaceId ? 'already_member' : 'in_other_team',
      'this user belongs to a team',
    );
  }

  #addWorkspace(isTeam: boolean, plan: string): Workspace {
    const workspace = { id: this.#workspaces.length + 1, isTeam, plan };
    this.#workspaces.push(workspace);
    return workspace;
  }

  #authenticate(hash: TokenHash, now: Date): Actor | null {
    const stored = this.#tokens.find((each) => each.hash === hash);
    if (!stored || isOver(stored.token, now)) return null;
    const { token, userId } = stored;
    const sinceUse = now.getTime() - (token.lastUsedAt?.getTime() ?? -Infinity);
    if (sinceUse >= LAST_USE_SECONDS * 1000) {
      const used = { ...stored, token: { ...token, lastUsedAt: now } };
      this.#tokens = this.#tokens.map((each) => (each === stored ? used : each));
    }
    const memberships = this.memberships.filter((each) => each.userId === userId);
    const { workspace, role } = memberships.find((each) => each.workspace.isTeam) ?? memberships[0]!;
    const { id: workspaceId, plan, isTeam } = workspace;
    return { tokenId: token.id, userId, workspaceId, role, plan, isTeam };
  }

  #addToken({ userId, hash, ...differences }: NewToken): Token {
    const token = { ...differences, id: ++this.#lastTokenId, lastUsedAt: null };
    this.#confirmed.add(userId);
    this.#tokens = this.#tokens.filter(
      (each) => each.userId !== userId || !isOver(each.token, token.createdAt),
    );
    this.#tokens.push({ userId, hash, token });
    return token;
  }

  #listTokens(userId: number, { limit, after }: PageRequest): Page<Token> {
    const own = this.#tokens
      .filter((each) => each.userId === userId && (after === null || each.token.id < after))
      .map(({ token }) => token)
      .reverse();
    return pageOf(own, limit, ({ id }) => id);
  }

  #revokeToken(userId: number, tokenId: number): boolean {
    const before = this.#tokens.length;
    this.#tokens = this.#tokens.filter((each) => each.userId !== userId || each.token.id !== tokenId);
    return this.#tokens.length < before;
  }
}

function isOver({ expiresAt }: Token, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now;
}

/** Passwords whose hash is themselves, written so that tests can see it. */
export class PlainPasswords implements Passwords {
  async hash(password: Password): Promise<PasswordHash> {
    return `plain:${password}` as PasswordHash;
  }

  async verify(password: Password, hash: PasswordHash | null): Promise<boolean> {
    return hash === `plain:${password}`;
  }
}

/** Secrets that count up instead of being random. */
export class CountedTokenSecrets implements TokenSecrets {
  #count = 0;

  create(): TokenSecret {
    return tokenSecretOf(String(++this.#count).padStart(43, '0'));
  }

  hash(secret: TokenSecret): TokenHash {
    return [...secret]
      .map((character) => character.charCodeAt(0).toString(16).padStart(2, '0'))
      .join('') as TokenHash;
  }
}
