import type { Account, AccountStore, Email, NewAccount, OpenedAccount, PasswordHash, User } from '#identity';
import { DomainError } from '#kernel';
import type { Database } from '../database.ts';
import { brief, build, prepared } from '../prepared.ts';
import { Membership, User as UserTable, Workspace } from '../schema.ts';

/** An e-mail has one account (`users_email_key`). */
const insertUser = prepared<NewAccount>()((param) =>
  build
    .insertInto('users')
    .values({ ...param.columns('email', 'name', 'passwordHash'), created_at: param('openedAt') })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id'),
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
  constructor(private readonly database: Database) {}

  open({ email, name, passwordHash, plan, openedAt }: NewAccount): Promise<OpenedAccount> {
    return this.database.transaction(async () => {
      const user = await this.database.one(insertUser, { email, name, passwordHash, plan, openedAt });
      if (!user) throw new DomainError('user_exists', 'there is a user with this e-mail already');
      // A user owns one personal workspace (`memberships_one_of_each_kind`).
      const workspaceId = await this.database.em.insert(Workspace, { kind: 'personal', plan, createdAt: openedAt });
      const ownership = { workspaceId, userId: user.id, isTeam: false, role: 'owner', joinedAt: openedAt } as const;
      await this.database.em.insert(Membership, ownership);
      return { user: { id: user.id, email, name }, workspaceId };
    });
  }

  findByEmail(email: Email): Promise<Account | null> {
    return this.database.one(findByEmail, { email });
  }

  find(id: number): Promise<User | null> {
    return this.database.one(findById, { id });
  }

  async changePassword(email: Email, hash: PasswordHash): Promise<boolean> {
    return (await this.database.em.nativeUpdate(UserTable, { email }, { passwordHash: hash })) === 1;
  }
}
