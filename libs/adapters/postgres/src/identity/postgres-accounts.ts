import type { Account, Accounts, Email, NewAccount, OpenedAccount, User } from '#identity';
import { DomainError } from '#kernel';
import type { Database } from '../database.ts';

export class PostgresAccounts implements Accounts {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async open(account: NewAccount): Promise<OpenedAccount> {
    const { email, name, passwordHash, plan, openedAt } = account;
    const opened = await this.#database.one<{ userId: number; workspaceId: number }>(OPEN, [
      email,
      name,
      passwordHash,
      plan,
      openedAt,
    ]);
    if (!opened) throw new DomainError('user_exists', 'there is a user with this e-mail already');
    return { user: { id: opened.userId, email, name }, workspaceId: opened.workspaceId };
  }

  async findByEmail(email: Email): Promise<Account | null> {
    return this.#database.one<Account>(FIND_BY_EMAIL, [email]);
  }

  async find(userId: number): Promise<User | null> {
    return this.#database.one<User>(FIND, [userId]);
  }
}

const OPEN = `
  with newcomer as (
    insert into users (email, name, password_hash, created_at) values ($1, $2, $3, $5)
    on conflict (email) do nothing
    returning id
  ), home as (
    insert into workspaces (kind, plan, created_at) select 'personal', $4, $5 from newcomer
    returning id
  ), ownership as (
    insert into memberships (workspace_id, user_id, is_team, role, joined_at)
    select home.id, newcomer.id, false, 'owner', $5 from newcomer, home
  )
  select newcomer.id as "userId", home.id as "workspaceId" from newcomer, home`;

const FIND_BY_EMAIL = `select id, email, name, password_hash as "passwordHash" from users where email = $1`;

const FIND = `select id, email, name from users where id = $1`;
