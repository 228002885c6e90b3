import {
  LAST_USE_SECONDS,
  type Actor,
  type NewToken,
  type Token,
  type TokenHash,
  type Tokens,
} from '#identity';
import { pageOf, type Page, type PageRequest } from '#kernel';
import { Batches } from '../batches.ts';
import type { Database } from '../database.ts';

interface Call {
  readonly hash: TokenHash;
  readonly now: Date;
}

export class PostgresTokens implements Tokens {
  readonly #database: Database;
  /** Calls that come during a look-up share the next one; each sees all that was committed before it. */
  readonly #calls = new Batches((calls: readonly Call[]) => this.#authenticate(calls));

  constructor(database: Database) {
    this.#database = database;
  }

  async authenticate(hash: TokenHash, now: Date): Promise<Actor | null> {
    return this.#calls.add({ hash, now });
  }

  async #authenticate(calls: readonly Call[]): Promise<(Actor | null)[]> {
    const latest = calls.at(-1)!.now;
    const hashes = [...new Set(calls.map(({ hash }) => hash))];
    const rows = await this.#database.query<Actor & { hash: TokenHash }>(AUTHENTICATE, [hashes, latest]);
    const actors = new Map(rows.map(({ hash, ...actor }) => [hash, actor]));
    return calls.map(({ hash }) => actors.get(hash) ?? null);
  }

  async add(token: NewToken): Promise<Token> {
    const [added] = await this.#database.query<Token>(ADD, [
      token.userId,
      token.name,
      token.hash,
      token.createdAt,
      token.expiresAt,
    ]);
    return added!;
  }

  async list(userId: number, { limit, after }: PageRequest): Promise<Page<Token>> {
    const rows = await this.#database.query<Token>(LIST, [userId, after, limit === null ? null : limit + 1]);
    return pageOf(rows, limit, (token) => token.id);
  }

  async revoke(userId: number, tokenId: number): Promise<boolean> {
    return (await this.#database.one(REVOKE, [userId, tokenId])) !== null;
  }
}

const TOKEN = `id, name, created_at as "createdAt", last_used_at as "lastUsedAt", expires_at as "expiresAt"`;

// skip locked: of the calls that find the last use out of date together, one records its own, and none waits.
const AUTHENTICATE = `
  with called as (
    select decode(unnest($1::text[]), 'hex') as hash
  ), used as (
    update api_tokens set last_used_at = $2::timestamptz
    where id in (
      select id from api_tokens
      where hash in (select hash from called)
        and (expires_at is null or expires_at > $2::timestamptz)
        and (last_used_at is null or last_used_at <= $2::timestamptz - interval '${LAST_USE_SECONDS} seconds')
      for no key update skip locked
    )
  )
  select encode(token.hash, 'hex') as hash, token.id as "tokenId", token.user_id as "userId",
    membership.workspace_id as "workspaceId", membership.role, membership.is_team as "isTeam", workspace.plan
  from api_tokens token
  join lateral (
    select workspace_id, role, is_team from memberships
    where user_id = token.user_id order by is_team desc limit 1
  ) membership on true
  join workspaces workspace on workspace.id = membership.workspace_id
  where token.hash in (select hash from called)
    and (token.expires_at is null or token.expires_at > $2::timestamptz)`;

const ADD = `
  with forgotten as (
    delete from api_tokens where user_id = $1 and expires_at <= $4::timestamptz
  ), confirmed as (
    update users set confirmed_at = $4::timestamptz where id = $1 and confirmed_at is null
  )
  insert into api_tokens (user_id, name, hash, created_at, expires_at)
  values ($1, $2, decode($3, 'hex'), $4::timestamptz, $5)
  returning ${TOKEN}`;

const LIST = `
  select ${TOKEN} from api_tokens
  where user_id = $1 and ($2::bigint is null or id < $2)
  order by id desc
  limit $3`;

const REVOKE = `delete from api_tokens where user_id = $1 and id = $2 returning id`;
