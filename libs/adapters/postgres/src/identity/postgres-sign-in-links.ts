import { sql } from 'kysely';
import type { NewSignInLink, RedeemedLink, SignInLinkStore, TokenHash } from '#identity';
import type { Database } from '../database.ts';
import { build, prepared } from '../prepared.ts';
import { SignInLinkRow } from '../schema.ts';
import { bytesOf } from './token-hash.ts';

/** A link signs in once, before it expires; a local link only from the machine of the service. */
const redeemLink = prepared<{ hash: Buffer; isLocal: boolean; now: Date }>()((param) =>
  build
    .updateTable('sign_in_links')
    .set({ used_at: param('now') })
    .where((eb) => eb.and({ hash: param('hash'), used_at: null }))
    .where('expires_at', '>', param('now'))
    .where(sql<boolean>`(not is_local or ${param('isLocal')}::boolean)`)
    .returning(['user_id as userId', 'is_local as isLocal']),
);

export class PostgresSignInLinks implements SignInLinkStore {
  constructor(private readonly database: Database) {}

  async add(link: NewSignInLink): Promise<void> {
    const { em } = this.database;
    await em.nativeDelete(SignInLinkRow, { expiresAt: { $lte: link.createdAt } });
    await em.insert(SignInLinkRow, { ...link, hash: bytesOf(link.hash) });
  }

  redeem(hash: TokenHash, request: { readonly isLocal: boolean; readonly now: Date }): Promise<RedeemedLink | null> {
    return this.database.one(redeemLink, { hash: bytesOf(hash), ...request });
  }
}
