import { sql } from 'kysely';
import type { NewMember, NewTeam, TeamStore } from '#identity';
import { DomainError, notFound } from '#kernel';
import type { Database } from '../database.ts';
import { build, prepared } from '../prepared.ts';
import { Workspace } from '../schema.ts';

// The id is drawn first, and the workspace added only if its owner could join: there is no team without an owner.
const insertTeam = prepared<NewTeam>()((param) =>
  build
    .with('seat', (db) =>
      db
        .selectFrom('users')
        .select([sql<number>`nextval(pg_get_serial_sequence('workspaces', 'id'))`.as('workspace_id'), 'id as user_id'])
        .where('id', '=', param('ownerUserId')),
    )
    .with('ownership', (db) =>
      db
        .insertInto('memberships')
        .columns(['workspace_id', 'user_id', 'is_team', 'role', 'joined_at'])
        .expression((eb) =>
          eb
            .selectFrom('seat')
            .select(['workspace_id', 'user_id', sql.lit(true).as('is_team'), sql.lit('owner').as('role')])
            .select(param('openedAt').as('at')),
        )
        .onConflict((conflict) => conflict.doNothing())
        .returning('workspace_id'),
    )
    .insertInto('workspaces')
    .columns(['id', 'kind', 'plan', 'created_at'])
    .expression(
      (eb) =>
        sql`overriding system value ${eb
          .selectFrom('ownership')
          .select(['workspace_id', sql.lit('team').as('kind')])
          .select([param('plan').as('plan'), param('openedAt').as('at')])}`,
    )
    .returning('id'),
);

const insertMember = prepared<NewMember>()((param) =>
  build
    .insertInto('memberships')
    .columns(['workspace_id', 'user_id', 'is_team', 'role', 'added_by', 'joined_at'])
    .expression((eb) =>
      eb
        .selectFrom(['workspaces', 'users'])
        .select(['workspaces.id as workspace_id', 'users.id as user_id', sql.lit(true).as('is_team')])
        .select([param('role').as('role'), param('addedBy').as('added_by'), param('joinedAt').as('at')])
        .where('workspaces.id', '=', param('workspaceId'))
        .where('workspaces.kind', '=', 'team')
        .where('users.id', '=', param('userId')),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id'),
);

const teamOf = prepared<{ userId: number }>()((param) =>
  build
    .selectFrom('users')
    .leftJoin('memberships as team', (join) =>
      join.onRef('team.user_id', '=', 'users.id').on('team.is_team', '=', true),
    )
    .select('team.workspace_id')
    .where('users.id', '=', param('userId')),
);

export class PostgresTeams implements TeamStore {
  constructor(private readonly db: Database) {}

  async open(team: NewTeam): Promise<number> {
    const opened = await this.db.one(insertTeam, team);
    return opened?.id ?? this.refuse(team.ownerUserId, null);
  }

  async join(member: NewMember): Promise<void> {
    const joined = await this.db.one(insertMember, member);
    if (!joined) await this.refuse(member.userId, member.workspaceId);
  }

  async changePlan(workspaceId: number, plan: string): Promise<void> {
    await this.db.em.nativeUpdate(Workspace, { id: workspaceId }, { plan });
  }

  /** Finds out why a user could not become a member. */
  private async refuse(userId: number, workspaceId: number | null): Promise<never> {
    const found = await this.db.one(teamOf, { userId });
    if (found?.workspace_id == null) throw notFound(found ? 'team' : 'user');
    throw found.workspace_id === workspaceId
      ? new DomainError('already_member', 'this user is a member of the team already')
      : new DomainError('in_other_team', 'this user belongs to another team, which they must leave first');
  }
}
