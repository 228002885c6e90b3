import { sql, type Expression } from 'kysely';
import { LAST_USE_SECONDS, type Actor, type NewToken, type Token, type TokenHash, type TokenStore } from '#identity';
import { pageOf, type Page, type PageRequest } from '#kernel';
import { Batches } from '../batches.ts';
import type { Database } from '../database.ts';
import { anyOf, build, pageValues, prepared, type PageValues, type Param } from '../prepared.ts';

const TOKEN = [
  'id',
  'name',
  'created_at as createdAt',
  'last_used_at as lastUsedAt',
  'expires_at as expiresAt',
] as const;

/** The membership in which a user acts: that of their team if they belong to one, else of their own workspace. */
export function membershipOf(userId: Expression<number>) {
  return build
    .selectFrom('memberships')
    .select(['workspace_id', 'role', 'is_team'])
    .where('user_id', '=', userId)
    .orderBy('is_team', 'desc')
    .limit(sql.lit(1))
    .as('membership');
}

/** The callers of the tokens that have not expired. */
const selectCallers = (param: Param<{ now: Date }>) =>
  build
    .selectFrom('api_tokens as token')
    .innerJoinLateral(membershipOf(sql.ref('token.user_id')), (join) => join.onTrue())
    .innerJoin('workspaces', 'workspaces.id', 'membership.workspace_id')
    .select(['token.id as tokenId', 'token.user_id as userId', 'workspaces.plan'])
    .select(['membership.workspace_id as workspaceId', 'membership.role', 'membership.is_team as isTeam'])
    .where((eb) => eb.or([eb('token.expires_at', 'is', null), eb('token.expires_at', '>', param('now'))]));

const findCallers = prepared<{ tokenIds: readonly number[]; now: Date }>()((param) =>
  selectCallers(param).where('token.id', '=', anyOf(param('tokenIds'))),
);

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
    .selectFrom(
      selectCallers(param)
        .select('token.hash')
        .where('token.hash', '=', sql<Buffer>`any(${param('hashes')}::bytea[])`)
        .as('caller'),
    )
    .selectAll(),
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
    .values(param.columns('userId', 'name', 'hash', 'createdAt', 'expiresAt'))
    .returning(TOKEN),
);

const findToken = prepared<{ id: number }>()((param) =>
  build.selectFrom('api_tokens').select(TOKEN).where('id', '=', param('id')),
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
    const actors = new Map<string, Actor>(rows.map(({ hash, ...actor }) => [Buffer.from(hash).toString('hex'), actor]));
    return calls.map(({ hash }) => actors.get(hash) ?? null);
  }

  async callers(tokenIds: readonly number[], now: Date): Promise<ReadonlyMap<number, Actor>> {
    const rows = await this.db.run(findCallers, { tokenIds, now });
    return new Map(rows.map((actor) => [actor.tokenId, actor]));
  }

  async add(token: NewToken): Promise<Token> {
    const [added] = await this.db.run(insertToken, { ...token, hash: bytesOf(token.hash) });
    return added!;
  }

  find(id: number): Promise<Token | null> {
    return this.db.one(findToken, { id });
  }

  async list(userId: number, page: PageRequest): Promise<Page<Token>> {
    const rows = await this.db.run(listTokens, { userId, ...pageValues(page) });
    return pageOf(rows, page.limit, ({ id }) => id);
  }

  revoke(userId: number, id: number): Promise<boolean> {
    return this.db.any(deleteToken, { userId, id });
  }
}

function bytesOf(hash: TokenHash): Buffer {
  return Buffer.from(hash, 'hex');
}
