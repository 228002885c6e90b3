import { sql } from 'kysely';
import type {
  Account,
  AccountChanges,
  AccountStore,
  Email,
  NewAccount,
  OpenedAccount,
  OperatorGrant,
  Profile,
} from '#identity';
import { DomainError } from '#kernel';
import type { Database } from '../database.ts';
import { brief, build, prepared } from '../prepared.ts';
import { Membership, User as UserTable, Workspace } from '../schema.ts';
import { violates } from '../translate-database-error.ts';

/** An e-mail has one account (`users_email_key`). */
const insertUser = prepared<NewAccount>()((param) =>
  build
    .insertInto('users')
    .values({
      ...param.columns('email', 'name', 'passwordHash'),
      created_at: param('openedAt'),
      email_verified_at: sql<Date | null>`case when ${param('emailVerified')}::boolean then ${param('openedAt')}::timestamptz end`,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id'),
);

/** Not those whose erasure was requested. */
const selectProfiles = build
  .selectFrom('users')
  .where('users.email', 'is not', null)
  .leftJoin('files as avatar', (join) =>
    join.onRef('avatar.id', '=', 'users.avatar_file_id').on('avatar.deletion_id', 'is', null),
  )
  .select(['users.id', 'users.email', 'users.name', 'avatar.key as avatar', 'users.is_operator as isOperator'])
  .$narrowType<{ email: Email }>()
  .select((eb) => [
    eb('users.email_verified_at', 'is not', null).$castTo<boolean>().as('emailVerified'),
    eb('users.password_hash', 'is not', null).$castTo<boolean>().as('hasPassword'),
    eb
      .exists(
        eb
          .selectFrom('two_factors')
          .whereRef('two_factors.user_id', '=', 'users.id')
          .where('two_factors.confirmed_at', 'is not', null),
      )
      .$castTo<boolean>()
      .as('twoFactor'),
  ]);

const selectAccounts = selectProfiles.select([
  'users.password_hash as passwordHash',
  'users.avatar_file_id as avatarFileId',
  'users.is_service as isService',
  sql<OperatorGrant | null>`
    case when users.is_operator then case when users.operator_by_claim then 'claim' else 'cli' end end`.as(
    'operatorBy',
  ),
]);

const findByEmail = prepared<{ email: Email }>()((param) =>
  selectAccounts.where('users.email', '=', param('email')).where('users.is_service', '=', false),
);

const findById = brief(prepared<{ id: number }>()((param) => selectProfiles.where('users.id', '=', param('id'))));

const lockById = prepared<{ id: number }>()((param) =>
  selectAccounts.where('users.id', '=', param('id')).forNoKeyUpdate('users'),
);

export class PostgresAccounts implements AccountStore {
  constructor(private readonly database: Database) {}

  open({ email, name, passwordHash, plan, emailVerified = false, openedAt }: NewAccount): Promise<OpenedAccount> {
    return this.database.transaction(async () => {
      const user = await this.database.one(insertUser, { email, name, passwordHash, plan, emailVerified, openedAt });
      if (!user) throw emailTaken();
      // A user owns one personal workspace (`memberships_one_of_each_kind`).
      const workspaceId = await this.database.em.insert(Workspace, { kind: 'personal', plan, createdAt: openedAt });
      const ownership = { workspaceId, userId: user.id, isTeam: false, role: 'owner', joinedAt: openedAt } as const;
      await this.database.em.insert(Membership, ownership);
      return { user: { id: user.id, email, name }, workspaceId };
    });
  }

  async openService(openedAt: Date): Promise<number> {
    const email = sql<Email>`'service-' || gen_random_uuid() || '@service.invalid'`;
    const { kysely } = this.database;
    const { id } = await kysely
      .insertInto('users')
      .values({
        ...{ email, name: 'Service account', is_service: true, review_mails: false },
        ...{ created_at: openedAt, email_verified_at: openedAt },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  findByEmail(email: Email): Promise<Account | null> {
    return this.database.one(findByEmail, { email });
  }

  find(id: number): Promise<Profile | null> {
    return this.database.one(findById, { id });
  }

  lock(id: number): Promise<Account | null> {
    return this.database.one(lockById, { id });
  }

  async lockOperators(): Promise<readonly number[]> {
    const operators = this.database.kysely.selectFrom('users').select('id').where('is_operator', '=', true);
    // In the order of ids, so that concurrent calls wait for each other.
    return (await operators.orderBy('id').forNoKeyUpdate().execute()).map(({ id }) => id);
  }

  /** An e-mail has one account (`users_email_key`), and an external id (`users_external_id`). The row of an erased person stays as it is. */
  async update(id: number, { operatorBy, ...others }: AccountChanges): Promise<void> {
    const changes = operatorBy === undefined ? others : { ...others, ...operatorColumns(operatorBy) };
    if (Object.keys(changes).length === 0) return;
    await this.database.em
      .nativeUpdate(UserTable, { id, erasureRequestedAt: null }, changes)
      .catch((error: unknown) => {
        if (violates(error, 'users_external_id')) throw externalIdTaken('user', error);
        throw violates(error, 'users_email_key') ? emailTaken(error) : error;
      });
  }
}

function operatorColumns(by: OperatorGrant | null) {
  return { isOperator: by !== null, operatorByClaim: by === 'claim' };
}

export function externalIdTaken(what: string, cause: unknown): DomainError {
  return new DomainError('conflict', `there is a ${what} with this external_id already`, { cause });
}

function emailTaken(cause?: unknown): DomainError {
  return new DomainError('user_exists', 'there is a user with this e-mail already', { cause });
}
