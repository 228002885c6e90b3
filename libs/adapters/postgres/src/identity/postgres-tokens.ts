import {
  LAST_USE_SECONDS,
  type Actor,
  type NewToken,
  type Token,
  type TokenHash,
  type Tokens,
} from '#identity';
import { pageOf, type Page, type PageRequest } from '#kernel';
import type { Database } from '../database.ts';

export class PostgresTokens implements Tokens {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async authenticate(hash: TokenHash, now: Date): Promise<Actor | null> {
    return this.#database.one<Actor>(AUTHENTICATE, [hash, now]);
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
  with used as (
    update api_tokens set last_used_at = $2::timestamptz
    where id = (
      select id from api_tokens
      where hash = decode($1, 'hex')
        and (expires_at is null or expires_at > $2::timestamptz)
        and (last_used_at is null or last_used_at <= $2::timestamptz - interval '${LAST_USE_SECONDS} seconds')
      for no key update skip locked
    )
  )
  select token.id as "tokenId", token.user_id as "userId", membership.workspace_id as "workspaceId",
    membership.role, membership.is_team as "isTeam", workspace.plan
  from api_tokens token
  join memberships membership using (user_id)
  join workspaces workspace on workspace.id = membership.workspace_id
  where token.hash = decode($1, 'hex') and (token.expires_at is null or token.expires_at > $2::timestamptz)
  order by membership.is_team desc
  limit 1`;

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
