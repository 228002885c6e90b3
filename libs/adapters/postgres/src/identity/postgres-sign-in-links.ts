import { sql } from 'kysely';
import type { NewSignInLink, SignInLinkStore, TokenHash } from '#identity';
import type { Database } from '../database.ts';
import { build, prepared } from '../prepared.ts';
import { bytesOf } from './token-hash.ts';

type Values = Omit<NewSignInLink, 'hash'> & { hash: Buffer };

const deleteExpired = prepared<Values>()((param) =>
  build.deleteFrom('sign_in_links').where('expires_at', '<=', param('createdAt')),
);

const insertLink = prepared<Values>()((param) =>
  build.insertInto('sign_in_links').values(param.columns('userId', 'hash', 'isLocal', 'createdAt', 'expiresAt')),
);

/** A link signs in once, before it expires; a local one from the machine of the service alone. */
const redeemLink = prepared<{ hash: Buffer; isLocal: boolean; now: Date }>()((param) =>
  build
    .updateTable('sign_in_links')
    .set({ used_at: param('now') })
    .where('hash', '=', param('hash'))
    .where('used_at', 'is', null)
    .where('expires_at', '>', param('now'))
    .where(sql<boolean>`(not is_local or ${param('isLocal')}::boolean)`)
    .returning('user_id as userId'),
);

export class PostgresSignInLinks implements SignInLinkStore {
  constructor(private readonly database: Database) {}

  async add(link: NewSignInLink): Promise<void> {
    const values = { ...link, hash: bytesOf(link.hash) };
    await this.database.run(deleteExpired, values);
    await this.database.run(insertLink, values);
  }

  async redeem(hash: TokenHash, request: { readonly isLocal: boolean; readonly now: Date }): Promise<number | null> {
    const redeemed = await this.database.one(redeemLink, { hash: bytesOf(hash), ...request });
    return redeemed && redeemed.userId;
  }
}
