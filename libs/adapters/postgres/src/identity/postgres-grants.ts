import { sql } from 'kysely';
import { FORMER_TOKENS, type Grant, type GrantStore, type GrantView, type Scope, type TokenHash } from '#identity';
import { pageOf, type Page, type PageRequest } from '#kernel';
import type { Database } from '../database.ts';
import { pageValues } from '../prepared.ts';
import { ApiToken, OAuthGrant } from '../schema.ts';
import { bytesOf } from './token-hash.ts';

export class PostgresGrants implements GrantStore {
  constructor(private readonly database: Database) {}

  async add({ codeHash, ...grant }: Parameters<GrantStore['add']>[0]): Promise<void> {
    await this.database.em.insert(OAuthGrant, { ...grant, codeHash: bytesOf(codeHash) });
  }

  async ofCode(codeHash: TokenHash): Promise<Grant | null> {
    return (await this.#select().where('code_hash', '=', bytesOf(codeHash)).executeTakeFirst()) ?? null;
  }

  async redeem(tokenId: number, refreshHash: TokenHash, now: Date, expiresAt: Date): Promise<boolean> {
    const redeemed = { redeemedAt: now, refreshHash: bytesOf(refreshHash) };
    const changed = await this.database.em.nativeUpdate(OAuthGrant, { tokenId, redeemedAt: null }, redeemed);
    return changed === 1 && this.#prolong(tokenId, expiresAt);
  }

  async ofRefreshToken(tokenId: number, hash: TokenHash): Promise<(Grant & { readonly isCurrent: boolean }) | null> {
    const bytes = bytesOf(hash);
    const isCurrent = sql<boolean>`coalesce(refresh_hash = ${bytes}, false)`;
    const found = await this.#select()
      .select(isCurrent.as('isCurrent'))
      .where('token_id', '=', tokenId)
      .where(sql<boolean>`(${isCurrent} or ${bytes} = any(former_hashes))`)
      .executeTakeFirst();
    return found ?? null;
  }

  async rotate(tokenId: number, from: TokenHash, to: TokenHash, expiresAt: Date): Promise<boolean> {
    const former = sql<Buffer[]>`(array_prepend(refresh_hash, former_hashes))[1:${sql.lit(FORMER_TOKENS)}]`;
    const rotated = await this.database.kysely
      .updateTable('oauth_grants')
      .set({ refresh_hash: bytesOf(to), former_hashes: former })
      .where((eb) => eb.and({ token_id: tokenId, refresh_hash: bytesOf(from) }))
      .executeTakeFirst();
    return rotated.numUpdatedRows === 1n && this.#prolong(tokenId, expiresAt);
  }

  async list(userId: number, now: Date, page: PageRequest): Promise<Page<GrantView>> {
    const { before, limit } = pageValues(page);
    const lastUse = sql<Date | null>`(select max(last_used_at) from api_tokens access where access.parent_id = token.id)`;
    const rows = await this.database.kysely
      .selectFrom('oauth_grants as grant')
      .innerJoin('api_tokens as token', 'token.id', 'grant.token_id')
      .select(['token.id', 'grant.client_id as clientId', 'token.name', 'grant.redirect_uri as redirectUri'])
      .select(['token.created_at as createdAt', lastUse.as('lastUsedAt')])
      .select(sql<readonly Scope[]>`token.scopes`.as('scopes'))
      .where('token.user_id', '=', userId)
      .where('grant.redeemed_at', 'is not', null)
      .where('token.expires_at', '>', now)
      .where('token.id', '<', before)
      .orderBy('token.id', 'desc')
      .limit(limit!)
      .execute();
    return pageOf(rows, page.limit, ({ id }) => id);
  }

  /** @returns false when the grant has ended meanwhile */
  async #prolong(tokenId: number, expiresAt: Date): Promise<boolean> {
    return (await this.database.em.nativeUpdate(ApiToken, { id: tokenId }, { expiresAt })) === 1;
  }

  #select() {
    return this.database.kysely
      .selectFrom('oauth_grants as grant')
      .innerJoin('api_tokens as token', 'token.id', 'grant.token_id')
      .select(['grant.token_id as tokenId', 'token.user_id as userId', 'grant.client_id as clientId'])
      .select(['grant.redirect_uri as redirectUri', 'grant.code_challenge as codeChallenge'])
      .select(['grant.code_expires_at as codeExpiresAt', 'grant.redeemed_at as redeemedAt'])
      .select(sql<readonly Scope[]>`token.scopes`.as('scopes'));
  }
}
