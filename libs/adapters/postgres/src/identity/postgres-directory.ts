import type { Directory, DirectoryUser, DirectoryWorkspace, Email, PasswordHash } from '#identity';
import { pageOf, type Page, type PageRequest } from '#kernel';
import type { Database } from '../database.ts';

export class PostgresDirectory implements Directory {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async users({ limit, after }: PageRequest, search: string | null): Promise<Page<DirectoryUser>> {
    const rows = await this.#database.query<DirectoryUser>(
      `${USERS}
        where ($1::bigint is null or u.id < $1) and ($3::text is null or strpos(u.email, lower($3)) > 0)
        order by u.id desc limit $2::integer + 1`,
      [after, limit, search],
    );
    return pageOf(rows, limit, ({ id }) => id);
  }

  async userByEmail(email: Email): Promise<DirectoryUser | null> {
    return this.#database.one<DirectoryUser>(`${USERS} where u.email = $1`, [email]);
  }

  async workspaces({ limit, after }: PageRequest, teamsOnly: boolean): Promise<Page<DirectoryWorkspace>> {
    const rows = await this.#database.query<DirectoryWorkspace>(
      `${WORKSPACES}
        where ($1::bigint is null or w.id < $1) and (w.kind = 'team' or not $3)
        order by w.id desc limit $2::integer + 1`,
      [after, limit, teamsOnly],
    );
    return pageOf(rows, limit, ({ id }) => id);
  }

  async workspace(id: number): Promise<DirectoryWorkspace | null> {
    return this.#database.one<DirectoryWorkspace>(`${WORKSPACES} where w.id = $1`, [id]);
  }

  async changePassword(userId: number, hash: PasswordHash): Promise<boolean> {
    const rows = await this.#database.query(
      'update users set password_hash = $2 where id = $1 returning id',
      [userId, hash],
    );
    return rows.length === 1;
  }

  async changePlan(workspaceId: number, plan: string): Promise<boolean> {
    const rows = await this.#database.query('update workspaces set plan = $2 where id = $1 returning id', [
      workspaceId,
      plan,
    ]);
    return rows.length === 1;
  }
}

const USERS = `
  select u.id, u.email, u.name, u.created_at as "createdAt",
         w.id as "workspaceId", w.plan, m.is_team as "isTeam", m.role
    from users u
    join lateral (
      select * from memberships where user_id = u.id order by is_team desc limit 1) m on true
    join workspaces w on w.id = m.workspace_id`;

const WORKSPACES = `
  select w.id, w.kind = 'team' as "isTeam", w.plan, w.created_at as "createdAt",
         owner.email as owner, (select count(*) from memberships where workspace_id = w.id) as members
    from workspaces w
    join memberships o on o.workspace_id = w.id and o.role = 'owner'
    join users owner on owner.id = o.user_id`;
