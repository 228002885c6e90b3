import type { Page, PageRequest } from '#kernel';
import type { Grant } from '../domain/grant.ts';
import type { Scope } from '../domain/scopes.ts';
import type { TokenHash } from '../domain/token.ts';

/** A grant as its user sees it. */
export interface GrantView {
  readonly id: number;
  readonly clientId: string;
  readonly name: string;
  readonly redirectUri: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  /** Precise to a minute; `null` when it was never used. */
  readonly lastUsedAt: Date | null;
}

/** Grants of users to applications: each belongs to a token of the kind `grant`, and ends with it. */
export interface GrantStore {
  add(grant: Omit<Grant, 'userId' | 'redeemedAt' | 'scopes'> & { readonly codeHash: TokenHash }): Promise<void>;

  /** Also one that was redeemed. */
  ofCode(codeHash: TokenHash): Promise<Grant | null>;

  /** Redeems a code once, however many try: false for all others. The grant lasts until `expiresAt`. */
  redeem(tokenId: number, refreshHash: TokenHash, now: Date, expiresAt: Date): Promise<boolean>;

  /** The grant with this refresh token, or that had it before. */
  ofRefreshToken(tokenId: number, hash: TokenHash): Promise<(Grant & { readonly isCurrent: boolean }) | null>;

  /** Replaces the refresh token, if it is still `from`. The grant lasts until `expiresAt`. */
  rotate(tokenId: number, from: TokenHash, to: TokenHash, expiresAt: Date): Promise<boolean>;

  /** Redeemed grants of a user that have not expired at `now`, newest first. */
  list(userId: number, now: Date, page: PageRequest): Promise<Page<GrantView>>;
}

/** Metadata documents of applications, at addresses that they choose. */
export interface ClientDocuments {
  /** @throws DomainError `validation_failed` for an address that is not allowed or has no such document */
  read(url: string): Promise<unknown>;
}
