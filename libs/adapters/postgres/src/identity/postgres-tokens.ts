import { sql, type Selectable } from 'kysely';
import { LAST_USE_SECONDS, type Actor, type NewToken, type Token, type TokenHash, type TokenStore } from '#identity';
import { pageOf, type Page, type PageRequest } from '#kernel';
import { Batches } from '../batches.ts';
import type { Database } from '../database.ts';
import { build, pageValues, prepared, type PageValues } from '../prepared.ts';
import type { Tables } from '../schema.ts';

/** The columns of a token without its secret. */
const TOKEN = ['id', 'name', 'created_at', 'last_used_at', 'expires_at'] as const;
type TokenRow = Pick<Selectable<Tables['api_tokens']>, (typeof TOKEN)[number]>;

// skip locked: of the concurrent calls that find the last use outdated, one records its own, and none waits.
const authenticate = prepared<{ hashes: readonly Buffer[]; now: Date; usedBefore: Date }>()((param) =>
  build
    .with('used', (db) =>
      db
        .updateTable('api_tokens')
        .set({ last_used_at: param('now') })
        .where('id', 'in', (eb) =>
          eb
            .selectFrom('api_tokens')
            .select('id')
            .where('hash', '=', sql<Buffer>`any(${param('hashes')}::bytea[])`)
            .where((or) => or.or([or('expires_at', 'is', null), or('expires_at', '>', param('now'))]))
            .where((or) => or.or([or('last_used_at', 'is', null), or('last_used_at', '<=', param('usedBefore'))]))
            .forNoKeyUpdate()
            .skipLocked(),
        ),
    )
    .selectFrom('api_tokens as token')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('memberships')
          .select(['workspace_id', 'role', 'is_team'])
          .whereRef('memberships.user_id', '=', 'token.user_id')
          .orderBy('is_team', 'desc')
          .limit(sql.lit(1))
          .as('membership'),
      (join) => join.onTrue(),
    )
    .innerJoin('workspaces', 'workspaces.id', 'membership.workspace_id')
    .select(['token.hash', 'token.id', 'token.user_id', 'workspaces.plan'])
    .select(['membership.workspace_id', 'membership.role', 'membership.is_team'])
    .where('token.hash', '=', sql<Buffer>`any(${param('hashes')}::bytea[])`)
    .where((eb) => eb.or([eb('token.expires_at', 'is', null), eb('token.expires_at', '>', param('now'))])),
);

const insertToken = prepared<Omit<NewToken, 'hash'> & { hash: Buffer }>()((param) =>
  build
    .with('expired', (db) =>
      db.deleteFrom('api_tokens').where('user_id', '=', param('userId')).where('expires_at', '<=', param('createdAt')),
    )
    .with('confirmed', (db) =>
      db
        .updateTable('users')
        .set({ confirmed_at: param('createdAt') })
        .where('id', '=', param('userId'))
        .where('confirmed_at', 'is', null),
    )
    .insertInto('api_tokens')
    .values({
      user_id: param('userId'),
      name: param('name'),
      hash: param('hash'),
      created_at: param('createdAt'),
      expires_at: param('expiresAt'),
    })
    .returning(TOKEN),
);

const listTokens = prepared<PageValues & { userId: number }>()((param) =>
  build
    .selectFrom('api_tokens')
    .select(TOKEN)
    .where('user_id', '=', param('userId'))
    .where('id', '<', param('before'))
    .orderBy('id', 'desc')
    .limit(param('limit')),
);

const deleteToken = prepared<{ userId: number; id: number }>()((param) =>
  build.deleteFrom('api_tokens').where('user_id', '=', param('userId')).where('id', '=', param('id')).returning('id'),
);

interface Call {
  readonly hash: TokenHash;
  readonly now: Date;
}

export class PostgresTokens implements TokenStore {
  /** Calls that come during a look-up share the next one. Each sees all that was committed before it. */
  private readonly calls = new Batches((calls: readonly Call[]) => this.authenticateAll(calls));

  constructor(private readonly db: Database) {}

  authenticate(hash: TokenHash, now: Date): Promise<Actor | null> {
    return this.calls.add({ hash, now });
  }

  private async authenticateAll(calls: readonly Call[]): Promise<(Actor | null)[]> {
    const { now } = calls.at(-1)!;
    const hashes = [...new Set(calls.map(({ hash }) => hash))].map(bytesOf);
    const usedBefore = new Date(now.getTime() - LAST_USE_SECONDS * 1000);
    const rows = await this.db.run(authenticate, { hashes, now, usedBefore });
    const actors = new Map<string, Actor>();
    for (const { hash, id: tokenId, user_id: userId, workspace_id: workspaceId, role, plan, is_team } of rows) {
      const actor = { tokenId, userId, workspaceId, role, plan, isTeam: is_team };
      actors.set(Buffer.from(hash).toString('hex'), actor);
    }
    return calls.map(({ hash }) => actors.get(hash) ?? null);
  }

  async add(token: NewToken): Promise<Token> {
    const [added] = await this.db.run(insertToken, { ...token, hash: bytesOf(token.hash) });
    return tokenOf(added!);
  }

  async list(userId: number, page: PageRequest): Promise<Page<Token>> {
    const rows = await this.db.run(listTokens, { userId, ...pageValues(page) });
    return pageOf(rows.map(tokenOf), page.limit, ({ id }) => id);
  }

  async revoke(userId: number, tokenId: number): Promise<boolean> {
    return (await this.db.one(deleteToken, { userId, id: tokenId })) !== null;
  }
}

function bytesOf(hash: TokenHash): Buffer {
  return Buffer.from(hash, 'hex');
}

function tokenOf({ id, name, created_at, last_used_at, expires_at }: TokenRow): Token {
  return { id, name, createdAt: created_at, lastUsedAt: last_used_at, expiresAt: expires_at };
}
