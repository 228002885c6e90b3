import { sql, type Expression } from 'kysely';
import {
  TOKEN_KINDS,
  type Actor,
  type NewToken,
  type Token,
  type TokenBudget,
  type TokenHash,
  type TokenStore,
} from '#identity';
import { DomainError, pageOf, type Page, type PageRequest } from '#kernel';
import type { Database } from '../database.ts';
import { isForeignKeyViolation } from '../translate-database-error.ts';
import { anyOf, brief, build, pageValues, prepared, type PageValues } from '../prepared.ts';
import { FILE_ACCESS } from '../files/workspace-file-records.ts';
import { ApiToken, User } from '../schema.ts';
import { bytesOf } from './token-hash.ts';

const TOKEN = [
  'id',
  'name',
  'kind',
  'created_at as createdAt',
  'last_used_at as lastUsedAt',
  'expires_at as expiresAt',
  'scopes',
  'monthly_credits as monthlyCredits',
  'customer',
] as const;

/** True if a token is `id` or was made with it, at any remove; for `null`, of any token. */
export const isMadeWith = (id: Expression<number | null>) => sql<boolean>`(${id}::bigint is null or id in (
  with recursive made (id) as (
    select ${id}::bigint
    union all
    select token.id from api_tokens token join made on made.id = token.parent_id
  )
  select id from made))`;

/** The membership in which a user acts: in their team if they belong to one, else in their personal workspace. */
export const membershipOf = (userId: Expression<number>) =>
  build
    .selectFrom('memberships')
    .select(['workspace_id', 'role', 'is_team'])
    .where('user_id', '=', userId)
    .orderBy('is_team', 'desc')
    .limit(sql.lit(1))
    .as('membership');

const selectCallers = (now: Expression<Date>) =>
  build
    .selectFrom('api_tokens as token')
    .where((eb) => eb.or([eb('token.expires_at', 'is', null), eb('token.expires_at', '>', now)]))
    .innerJoinLateral(membershipOf(sql.ref('token.user_id')), (join) => join.onTrue())
    .innerJoin('workspaces', 'workspaces.id', 'membership.workspace_id')
    .innerJoin('users', 'users.id', 'token.user_id')
    .where('users.erasure_requested_at', 'is', null)
    .select(['token.id as tokenId', 'token.user_id as userId', 'token.scopes', 'workspaces.plan'])
    .select(['token.monthly_credits as monthlyCredits', 'token.customer'])
    .select(['membership.workspace_id as workspaceId', 'membership.role', 'membership.is_team as isTeam'])
    .select(FILE_ACCESS)
    .select((eb) => [
      eb('token.kind', '=', 'access').$castTo<boolean>().as('isGranted'),
      eb('users.email_verified_at', 'is not', null).$castTo<boolean>().as('emailVerified'),
      eb('workspaces.suspended_at', 'is not', null).$castTo<boolean>().as('isSuspended'),
    ]);

const findCallers = prepared<{ tokenIds: readonly number[]; now: Date }>()((param) =>
  selectCallers(param('now')).where('token.id', '=', anyOf(param('tokenIds'))),
);

/**
 * The same lock that each row takes that refers to the workspace: it costs little, and only what deletes a workspace or waits
 * for its units of work conflicts with it. A row that was changed meanwhile is read again.
 */
const holdCallers = prepared<{ tokenIds: readonly number[]; now: Date }>()((param) =>
  selectCallers(param('now'))
    .where('token.id', '=', anyOf(param('tokenIds')))
    .forKeyShare('workspaces'),
);

const authenticate = brief(
  prepared<{ hash: Buffer; now: Date }>()((param) =>
    selectCallers(param('now')).where('token.hash', '=', param('hash')),
  ),
);

/** Keeps the latest use, as several processes write uses; locks tokens in one order, so that they do not deadlock. */
const recordUses = prepared<{ tokenIds: readonly number[]; times: readonly Date[] }>()((param) =>
  build
    .with('used', (db) =>
      db
        .selectFrom(
          sql<{ id: number; at: Date }>`(select * from unnest(
            ${param('tokenIds')}::bigint[], ${param('times')}::timestamptz[]) as uses (id, at))`.as('uses'),
        )
        .innerJoin('api_tokens', 'api_tokens.id', 'uses.id')
        .select(['uses.id', 'uses.at'])
        .orderBy('uses.id')
        .forNoKeyUpdate('api_tokens'),
    )
    .updateTable('api_tokens')
    .from('used')
    .set({ last_used_at: sql<Date>`greatest(last_used_at, used.at)` })
    .whereRef('api_tokens.id', '=', 'used.id'),
);

const findToken = prepared<{ id: number }>()((param) =>
  build.selectFrom('api_tokens').select(TOKEN).where('id', '=', param('id')),
);

const findActedFor = prepared<{ id: number }>()((param) =>
  build
    .withRecursive('line', (db) =>
      db
        .selectFrom('api_tokens')
        .select([...TOKEN, 'parent_id'])
        .where('id', '=', param('id'))
        .unionAll(
          db
            .selectFrom('line')
            .innerJoin('api_tokens as parent', 'parent.id', 'line.parent_id')
            .where('line.kind', '=', 'session')
            .select(['parent.id', 'parent.name', 'parent.kind', 'parent.created_at as createdAt'])
            .select(['parent.last_used_at as lastUsedAt', 'parent.expires_at as expiresAt', 'parent.scopes'])
            .select(['parent.monthly_credits as monthlyCredits', 'parent.customer', 'parent.parent_id']),
        ),
    )
    .selectFrom('line')
    .select(['id', 'name', 'kind', 'createdAt', 'lastUsedAt', 'expiresAt', 'scopes', 'monthlyCredits', 'customer'])
    .where('kind', '!=', 'session'),
);

const findBudgets = prepared<{ tokenId: number }>()((param) =>
  build
    .withRecursive('line', (db) =>
      db
        .selectFrom('api_tokens')
        .select(['id', 'parent_id', 'monthly_credits'])
        .where('id', '=', param('tokenId'))
        .unionAll(
          db
            .selectFrom('line')
            .innerJoin('api_tokens as parent', 'parent.id', 'line.parent_id')
            .select(['parent.id', 'parent.parent_id', 'parent.monthly_credits']),
        ),
    )
    .selectFrom('line')
    .select(['id as tokenId', 'monthly_credits as monthlyCredits'])
    .where('monthly_credits', 'is not', null)
    .$narrowType<{ monthlyCredits: number }>(),
);

const listTokens = prepared<PageValues & { userId: number; madeWith: number | null }>()((param) =>
  build
    .selectFrom('api_tokens')
    .select(TOKEN)
    .where('user_id', '=', param('userId'))
    .where('kind', 'in', TOKEN_KINDS)
    .where('id', '<', param('before'))
    .where(isMadeWith(param('madeWith')))
    .orderBy('id', 'desc')
    .limit(param('limit')),
);

/** How long uses are collected before they are written. */
const USES_MS = 60_000;

export class PostgresTokens implements TokenStore {
  /** The latest use of each token that is not written yet. */
  #uses = new Map<number, Date>();
  #timer: NodeJS.Timeout | undefined;
  /** The look-ups of this turn of the event loop. */
  readonly #lookUps = new Map<TokenHash, Promise<Actor | null>>();

  constructor(private readonly database: Database) {}

  authenticate(hash: TokenHash, now: Date): Promise<Actor | null> {
    // Statements are sent at the end of the turn: the look-up starts after all requests that share it.
    let lookUp = this.#lookUps.get(hash);
    if (!lookUp) {
      lookUp = this.#lookUp(hash, now);
      this.#lookUps.set(hash, lookUp);
      setImmediate(() => this.#lookUps.delete(hash));
    }
    return lookUp;
  }

  async recordUses(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const uses = this.#uses;
    this.#uses = new Map();
    const values = { tokenIds: [...uses.keys()], times: [...uses.values()] };
    // Nothing depends on the uses: the uses that can't be written now are lost.
    if (uses.size > 0) await this.database.runApart(recordUses, values).catch(() => undefined);
  }

  async callers(
    tokenIds: readonly number[],
    now: Date,
    { holdsSuspension } = { holdsSuspension: false },
  ): Promise<ReadonlyMap<number, Actor>> {
    const rows = await this.database.run(holdsSuspension ? holdCallers : findCallers, { tokenIds, now });
    return new Map(rows.map((actor) => [actor.tokenId, actor]));
  }

  add({ hash, client, ...token }: NewToken): Promise<Token> {
    const { userId, name, kind, createdAt, expiresAt, scopes, monthlyCredits, customer } = token;
    return this.database.transaction(async () => {
      const { em } = this.database;
      await em.nativeDelete(ApiToken, { userId, expiresAt: { $lte: createdAt } });
      await em.nativeUpdate(User, { id: userId, confirmedAt: null }, { confirmedAt: createdAt });
      const id = await em.insert(ApiToken, { ...token, ...client, hash: bytesOf(hash) }).catch((error: unknown) => {
        if (token.parentId === null || !isForeignKeyViolation(error)) throw error;
        throw new DomainError('unauthenticated', 'the API token has ended', { cause: error });
      });
      return { id, name, kind, createdAt, lastUsedAt: null, expiresAt, scopes, monthlyCredits, customer };
    });
  }

  find(id: number): Promise<Token | null> {
    return this.database.one(findToken, { id });
  }

  actsFor(id: number): Promise<Token | null> {
    return this.database.one(findActedFor, { id });
  }

  budgets(tokenId: number): Promise<readonly TokenBudget[]> {
    return this.database.run(findBudgets, { tokenId });
  }

  async list(userId: number, page: PageRequest, madeWith: number | null = null): Promise<Page<Token>> {
    await this.recordUses();
    const rows = await this.database.run(listTokens, { userId, madeWith, ...pageValues(page) });
    return pageOf(rows, page.limit, ({ id }) => id);
  }

  async revoke(userId: number, id: number, madeWith: number | null = null): Promise<boolean> {
    const revoked = await this.database.kysely
      .deleteFrom('api_tokens')
      .where((eb) => eb.and({ user_id: userId, id }))
      .where(isMadeWith(sql.val(madeWith)))
      .executeTakeFirst();
    return revoked.numDeletedRows === 1n;
  }

  async #lookUp(hash: TokenHash, now: Date): Promise<Actor | null> {
    const actor = await this.database.one(authenticate, { hash: bytesOf(hash), now });
    if (actor) {
      this.#uses.set(actor.tokenId, now);
      this.#timer ??= setTimeout(() => void this.recordUses(), USES_MS).unref();
    }
    return actor;
  }
}
