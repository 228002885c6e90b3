import { sql } from 'kysely';
import type {
  Account,
  AccountStore,
  Email,
  NewAccount,
  OpenedAccount,
  PasswordHash,
  User as DomainUser,
} from '#identity';
import { DomainError } from '#kernel';
import type { Database } from '../database.ts';
import { build, prepared } from '../prepared.ts';
import { User } from '../schema.ts';

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
    .select(['account.id as user_id', 'workspace.id as workspace_id']),
);

const findByEmail = prepared<{ email: string }>()((param) =>
  build.selectFrom('users').select(['id', 'email', 'name', 'password_hash']).where('email', '=', param('email')),
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
    return { user: { id: opened.user_id, email, name }, workspaceId: opened.workspace_id };
  }

  async findByEmail(email: Email): Promise<Account | null> {
    const row = await this.db.one(findByEmail, { email });
    return row && { ...userOf(row), passwordHash: row.password_hash as PasswordHash | null };
  }

  async find(userId: number): Promise<DomainUser | null> {
    const row = await this.db.one(findById, { id: userId });
    return row && userOf(row);
  }

  async changePassword(email: Email, hash: PasswordHash): Promise<boolean> {
    return (await this.db.em.nativeUpdate(User, { email }, { passwordHash: hash })) === 1;
  }
}

function userOf({ id, email, name }: { id: number; email: string; name: string | null }): DomainUser {
  return { id, email: email as Email, name };
}
