import { randomUUID } from 'node:crypto';
import {
  emailOf,
  NO_LIMITS,
  tokenSecretOf,
  type Actor,
  type NewAccount,
  type NewToken,
  type Password,
  type PasswordHash,
  type Passwords,
  type TokenHash,
  type TokenSecret,
  type TokenSecrets,
} from '../index.ts';

/** Uses the password itself as its hash, as hashing is slow. */
export class PlainPasswords implements Passwords {
  /** The hashes passed to `verify`. */
  readonly verified: (PasswordHash | null)[] = [];

  isCommon(password: Password): boolean {
    return password === 'password1234';
  }

  async hash(password: Password): Promise<PasswordHash> {
    return `plain:${password}` as PasswordHash;
  }

  async verify(password: Password, hash: PasswordHash | null): Promise<boolean> {
    this.verified.push(hash);
    return hash === `plain:${password}`;
  }
}

/** Numbered secrets. */
export class CountedTokenSecrets implements TokenSecrets {
  #count = 0;

  create(): TokenSecret {
    return tokenSecretOf(String(++this.#count).padStart(43, '0'));
  }

  hash(secret: TokenSecret): TokenHash {
    return Buffer.from(secret).toString('hex') as TokenHash;
  }
}

/** A caller with a token without limits; by default a member of a personal workspace. */
export function anActor(differences: Partial<Actor> = {}): Actor {
  return {
    userId: 1,
    workspaceId: 1,
    role: 'member',
    plan: 'free',
    isTeam: false,
    isSuspended: false,
    filesArePrivate: false,
    fileKeyVersion: 1,
    isGranted: false,
    tokenId: 1,
    emailVerified: true,
    ...NO_LIMITS,
    ...differences,
  };
}

/** A new API token that does not expire. */
export function aToken(facts: Pick<NewToken, 'userId' | 'hash'> & Partial<NewToken>): NewToken {
  return { name: 'test', kind: 'api', parentId: null, createdAt: new Date(), expiresAt: null, ...NO_LIMITS, ...facts };
}

/** A new account with a unique e-mail. */
export function someone(differences: Partial<NewAccount> = {}): NewAccount {
  return {
    email: emailOf(`someone-${randomUUID()}@example.com`),
    name: 'Someone',
    passwordHash: null,
    plan: 'free',
    openedAt: new Date('2026-03-14T09:26:53.589Z'),
    ...differences,
  };
}
