import type { NewMember, NewTeam, Teams } from '#identity';
import { DomainError, notFound } from '#kernel';
import type { Database } from '../database.ts';

export class PostgresTeams implements Teams {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async open(team: NewTeam): Promise<number> {
    const opened = await this.#database.one<{ id: number }>(OPEN, [
      team.ownerUserId,
      team.plan,
      team.openedAt,
    ]);
    return opened?.id ?? this.#refuse(team.ownerUserId, null);
  }

  async join(member: NewMember): Promise<void> {
    const joined = await this.#database.one(JOIN, [
      member.workspaceId,
      member.userId,
      member.role,
      member.addedBy,
      member.joinedAt,
    ]);
    if (!joined) await this.#refuse(member.userId, member.workspaceId);
  }

  async #refuse(userId: number, workspaceId: number | null): Promise<never> {
    const found = await this.#database.one<{ workspaceId: number | null }>(TEAM_OF, [userId]);
    if (found?.workspaceId == null) throw notFound(found ? 'team' : 'user');
    throw found.workspaceId === workspaceId
      ? new DomainError('already_member', 'this user is a member of the team already')
      : new DomainError('in_other_team', 'this user belongs to another team, which they must leave first');
  }
}

// The id comes first, and the workspace only where the owner's seat in it could be taken: no team without owner.
const OPEN = `
  with seat as (
    select nextval(pg_get_serial_sequence('workspaces', 'id')) as workspace_id, id as user_id from users where id = $1
  ), ownership as (
    insert into memberships (workspace_id, user_id, is_team, role, joined_at)
    select workspace_id, user_id, true, 'owner', $3 from seat
    on conflict do nothing
    returning workspace_id
  )
  insert into workspaces (id, kind, plan, created_at) overriding system value
  select workspace_id, 'team', $2, $3 from ownership
  returning id`;

const JOIN = `
  insert into memberships (workspace_id, user_id, is_team, role, added_by, joined_at)
  select workspaces.id, users.id, true, $3, $4, $5
  from workspaces, users
  where workspaces.id = $1 and workspaces.kind = 'team' and users.id = $2
  on conflict do nothing
  returning user_id`;

const TEAM_OF = `
  select team.workspace_id as "workspaceId"
  from users left join memberships team on team.user_id = users.id and team.is_team
  where users.id = $1`;
