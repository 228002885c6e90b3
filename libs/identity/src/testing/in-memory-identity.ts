import { DomainError, notFound, pageOf, type Page, type PageRequest } from '#kernel';
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
  type Role,
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

interface Membership {
  readonly workspace: Workspace;
  readonly userId: number;
  readonly role: Role;
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
  readonly #memberships: Membership[] = [];
  #tokens: StoredToken[] = [];
  #lastTokenId = 0;

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

  #openAccount({ email, name, passwordHash, plan }: NewAccount): OpenedAccount {
    if (this.#accounts.some((account) => account.email === email)) {
      throw new DomainError('user_exists', 'there is a user with this e-mail already');
    }
    const user = { id: this.#accounts.length + 1, email, name };
    this.#accounts.push({ ...user, passwordHash });
    const workspace = this.#addWorkspace(false, plan);
    this.#memberships.push({ workspace, userId: user.id, role: 'owner' });
    return { user, workspaceId: workspace.id };
  }

  #findUser(userId: number): User | null {
    const account = this.#accounts.find(({ id }) => id === userId);
    return account ? { id: account.id, email: account.email, name: account.name } : null;
  }

  #openTeam({ ownerUserId: userId, plan }: NewTeam): number {
    this.#refuseSecondTeam(userId, null);
    const workspace = this.#addWorkspace(true, plan);
    this.#memberships.push({ workspace, userId, role: 'owner' });
    return workspace.id;
  }

  #join({ workspaceId, userId, role }: NewMember): void {
    const workspace = this.#workspaces.find(({ id, isTeam }) => isTeam && id === workspaceId);
    if (!workspace) throw notFound('team');
    this.#refuseSecondTeam(userId, workspaceId);
    this.#memberships.push({ workspace, userId, role });
  }

  #refuseSecondTeam(userId: number, workspaceId: number | null): void {
    if (!this.#findUser(userId)) throw notFound('user');
    const team = this.#memberships.find((each) => each.userId === userId && each.workspace.isTeam);
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
    const memberships = this.#memberships.filter((each) => each.userId === userId);
    const { workspace, role } = memberships.find((each) => each.workspace.isTeam) ?? memberships[0]!;
    const { id: workspaceId, plan, isTeam } = workspace;
    return { tokenId: token.id, userId, workspaceId, role, plan, isTeam };
  }

  #addToken({ userId, hash, ...differences }: NewToken): Token {
    const token = { ...differences, id: ++this.#lastTokenId, lastUsedAt: null };
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
