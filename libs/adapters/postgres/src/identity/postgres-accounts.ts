import type { Account, AccountStore, Email, NewAccount, OpenedAccount, PasswordHash, User } from '#identity';
import { DomainError } from '#kernel';
import type { Database } from '../database.ts';
import { brief, build, prepared } from '../prepared.ts';
import { User as UserTable } from '../schema.ts';
import { insertFrom } from '../shapes.ts';

const insertAccount = prepared<NewAccount>()((param) =>
  build
    .with('account', (db) =>
      db
        .insertInto('users')
        .values({ ...param.columns('email', 'name', 'passwordHash'), created_at: param('openedAt') })
        .onConflict((conflict) => conflict.column('email').doNothing())
        .returning('id'),
    )
    .with('workspace', (db) =>
      insertFrom(
        db.insertInto('workspaces'),
        (eb) => eb.selectFrom('account'),
        () => ({ kind: 'personal', plan: param('plan'), created_at: param('openedAt') }),
      ).returning('id'),
    )
    .with('ownership', (db) =>
      insertFrom(
        db.insertInto('memberships'),
        (eb) => eb.selectFrom('workspace').innerJoin('account', (join) => join.onTrue()),
        ({ ref }) => ({
          workspace_id: ref('workspace.id'),
          user_id: ref('account.id'),
          is_team: false,
          role: 'owner',
          joined_at: param('openedAt'),
        }),
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

const findById = brief(
  prepared<{ id: number }>()((param) =>
    build.selectFrom('users').select(['id', 'email', 'name']).where('id', '=', param('id')),
  ),
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
