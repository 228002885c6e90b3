import { sql } from 'kysely';
import type { OpenSession, SessionStore, TokenStore } from '#identity';
import type { Database } from '../database.ts';
import { build } from '../prepared.ts';
import { isMadeWith } from './postgres-tokens.ts';

export const SESSION_KINDS = ['log_in', 'session'] as const;

export class PostgresSessions implements SessionStore {
  constructor(
    private readonly database: Database,
    private readonly tokens: Pick<TokenStore, 'recordUses'>,
  ) {}

  async list(userId: number, now: Date, madeWith: number | null = null): Promise<readonly OpenSession[]> {
    await this.tokens.recordUses();
    return this.database.kysely
      .selectFrom('api_tokens')
      .select(['id', 'created_at as createdAt', 'last_used_at as lastUsedAt', 'address', 'user_agent as userAgent'])
      .where('user_id', '=', userId)
      .where('kind', 'in', SESSION_KINDS)
      .where(isMadeWith(sql.val(madeWith)))
      .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
      .orderBy('id', 'desc')
      .execute();
  }

  async end(userId: number, sessionId: number, madeWith: number | null = null): Promise<boolean> {
    const ended = await this.database.kysely
      .deleteFrom('api_tokens')
      .where('user_id', '=', userId)
      .where('id', '=', sessionId)
      .where(isMadeWith(sql.val(madeWith)))
      .where('kind', 'in', SESSION_KINDS)
      .returning('id')
      .execute();
    return ended.length > 0;
  }

  async endAll(
    userId: number,
    { except, apiTokens = false, madeWith = null }: Parameters<SessionStore['endAll']>[1],
  ): Promise<void> {
    await this.database.kysely
      .deleteFrom('api_tokens')
      .where('user_id', '=', userId)
      .where(isMadeWith(sql.val(madeWith)))
      .$if(!apiTokens, (statement) => statement.where('kind', 'in', SESSION_KINDS))
      .$if(except !== null, (statement) => statement.where('id', 'not in', withParents(except!)))
      .execute();
  }
}

/** A token, and those that it was opened with: it would end with them. */
const withParents = (tokenId: number) =>
  build
    .withRecursive('line', (db) =>
      db
        .selectFrom('api_tokens')
        .select(['id', 'parent_id'])
        .where('id', '=', tokenId)
        .unionAll(
          db
            .selectFrom('line')
            .innerJoin('api_tokens as parent', 'parent.id', 'line.parent_id')
            .select(['parent.id', 'parent.parent_id']),
        ),
    )
    .selectFrom('line')
    .select('id');
