import { sql } from 'kysely';
import type { NewMember, NewTeam, TeamStore } from '#identity';
import { DomainError, notFound } from '#kernel';
import type { Database } from '../database.ts';
import { build, prepared } from '../prepared.ts';
import { Workspace } from '../schema.ts';
import { insertFrom } from '../shapes.ts';

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
      insertFrom(
        db.insertInto('memberships'),
        (eb) => eb.selectFrom('seat'),
        ({ ref }) => ({
          workspace_id: ref('seat.workspace_id'),
          user_id: ref('seat.user_id'),
          is_team: true,
          role: 'owner',
          joined_at: param('openedAt'),
        }),
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
  insertFrom(
    build.insertInto('memberships'),
    (eb) =>
      eb
        .selectFrom(['workspaces', 'users'])
        .where('workspaces.id', '=', param('workspaceId'))
        .where('workspaces.kind', '=', 'team')
        .where('users.id', '=', param('userId')),
    ({ ref }) => ({
      workspace_id: ref('workspaces.id'),
      user_id: ref('users.id'),
      is_team: true,
      ...param.columns('role', 'addedBy', 'joinedAt'),
    }),
  )
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id'),
);

const teamOf = prepared<{ userId: number }>()((param) =>
  build
    .selectFrom('memberships')
    .select('workspace_id')
    .where('user_id', '=', param('userId'))
    .where('is_team', '=', sql.lit(true)),
);

export class PostgresTeams implements TeamStore {
  constructor(private readonly db: Database) {}

  async open(team: NewTeam): Promise<number> {
    const opened = await this.db.one(insertTeam, team);
    if (opened) return opened.id;
    await this.requireFree(team.ownerUserId, null);
    throw notFound('user');
  }

  async join(member: NewMember): Promise<void> {
    const joined = await this.db.one(insertMember, member);
    if (joined) return;
    await this.requireFree(member.userId, member.workspaceId);
    throw notFound('team or user');
  }

  async changePlan(workspaceId: number, plan: string): Promise<void> {
    await this.db.em.nativeUpdate(Workspace, { id: workspaceId }, { plan });
  }

  async requireFree(userId: number, workspaceId: number | null): Promise<void> {
    const found = await this.db.one(teamOf, { userId });
    if (found)
      throw found.workspace_id === workspaceId
        ? new DomainError('already_member', 'this user is a member of the team already')
        : new DomainError('in_other_team', 'this user belongs to another team, which they must leave first');
  }
}
