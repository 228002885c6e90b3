import { sql } from 'kysely';
import type { Account, AccountStore, Email, NewAccount, OpenedAccount, PasswordHash, User } from '#identity';
import { DomainError } from '#kernel';
import type { Database } from '../database.ts';
import { build, prepared } from '../prepared.ts';
import { User as UserTable } from '../schema.ts';

const insertAccount = prepared<NewAccount>()((param) =>
  build
    .with('account', (db) =>
      db
        .insertInto('users')
        .values({
          email: param('email'),
          name: param('name'),
          password_hash: param('passwordHash'),
          created_at: param('openedAt'),
        })
        .onConflict((conflict) => conflict.column('email').doNothing())
        .returning('id'),
    )
    .with('workspace', (db) =>
      db
        .insertInto('workspaces')
        .columns(['kind', 'plan', 'created_at'])
        .expression((eb) =>
          eb
            .selectFrom('account')
            .select([sql.lit('personal').as('kind'), param('plan').as('plan'), param('openedAt').as('at')]),
        )
        .returning('id'),
    )
    .with('ownership', (db) =>
      db
        .insertInto('memberships')
        .columns(['workspace_id', 'user_id', 'is_team', 'role', 'joined_at'])
        .expression((eb) =>
          eb
            .selectFrom(['account', 'workspace'])
            .select(['workspace.id as workspace_id', 'account.id as user_id'])
            .select([sql.lit(false).as('is_team'), sql.lit('owner').as('role'), param('openedAt').as('at')]),
        ),
    )
    .selectFrom(['account', 'workspace'])
    .select(['account.id as userId', 'workspace.id as workspaceId']),
);

const findByEmail = prepared<{ email: Email }>()((param) =>
  build
    .selectFrom('users')
    .select(['id', 'email', 'name', 'password_hash as passwordHash'])
    .where('email', '=', param('email')),
);

const findById = prepared<{ id: number }>()((param) =>
  build.selectFrom('users').select(['id', 'email', 'name']).where('id', '=', param('id')),
);

export class PostgresAccounts implements AccountStore {
  constructor(private readonly db: Database) {}

  async open(account: NewAccount): Promise<OpenedAccount> {
    const opened = await this.db.one(insertAccount, account);
    if (!opened) throw new DomainError('user_exists', 'there is a user with this e-mail already');
    const { email, name } = account;
    return { user: { id: opened.userId, email, name }, workspaceId: opened.workspaceId };
  }

  findByEmail(email: Email): Promise<Account | null> {
    return this.db.one(findByEmail, { email });
  }

  find(id: number): Promise<User | null> {
    return this.db.one(findById, { id });
  }

  async changePassword(email: Email, hash: PasswordHash): Promise<boolean> {
    return (await this.db.em.nativeUpdate(UserTable, { email }, { passwordHash: hash })) === 1;
  }
}
