import { Migration } from '@mikro-orm/migrations';

/** Invitations, and what has to hold of the members of a workspace. */
export class Teams extends Migration {
  override up(): void {
    // When the user got their first token: until then, nobody knows that they have taken up the account.
    this.addSql(`alter table users add column confirmed_at timestamptz`);
    this.addSql(`
      update users set confirmed_at = first.created_at
      from (select user_id, min(created_at) as created_at from api_tokens group by user_id) first
      where first.user_id = users.id`);

    // Hashes of the tokens that were mailed, newest first; none once it is answered or revoked.
    this.addSql(`
      create table invitations (
        id bigint generated always as identity primary key,
        workspace_id bigint not null references workspaces on delete cascade,
        email text not null check (email = lower(email)),
        role text not null check (role in ('admin', 'member')),
        invited_by bigint not null references users,
        token_hashes bytea[] not null default '{}',
        state text not null default 'pending' check (state in ('pending', 'accepted', 'declined', 'revoked')),
        delivery text not null default 'waiting' check (delivery in ('waiting', 'sent', 'refused')),
        created_at timestamptz not null,
        expires_at timestamptz not null,
        ended_at timestamptz,
        check ((state = 'pending') = (ended_at is null)),
        check (state = 'pending' or token_hashes = '{}')
      )`);
    this.addSql(
      `create unique index invitations_one_pending on invitations (workspace_id, email) where state = 'pending'`,
    );
    this.addSql(`create index invitations_workspace on invitations (workspace_id, id)`);
    this.addSql(`create index invitations_inviter on invitations (invited_by)`);
    this.addSql(`create index invitations_tokens on invitations using gin (token_hashes) where state = 'pending'`);

    // A count that is kept: reading it costs the same in a team of ten as in one of ten thousand.
    this.addSql(`alter table workspaces add column members_count integer not null default 0`);
    this.addSql(`
      update workspaces set members_count = members.count
      from (select workspace_id, count(*) from memberships group by workspace_id) members
      where members.workspace_id = workspaces.id`);
    this.addSql(`
      create function count_members() returns trigger language plpgsql as $$
      begin
        update workspaces set members_count = members_count + change.by
        from (
          select workspace_id, case tg_op when 'INSERT' then count(*) else -count(*) end as by
          from changed group by workspace_id order by workspace_id
        ) change
        where change.workspace_id = workspaces.id;
        return null;
      end $$`);
    this.addSql(`
      create trigger memberships_joined after insert on memberships referencing new table as changed
      for each statement execute function count_members()`);
    this.addSql(`
      create trigger memberships_left after delete on memberships referencing old table as changed
      for each statement execute function count_members()`);

    // memberships_one_owner sees to it that there are not two; this, that there is one when a transaction ends.
    this.addSql(`
      create function require_owner() returns trigger language plpgsql as $$
      declare
        team bigint;
      begin
        if tg_table_name = 'workspaces' then team := new.id; else team := old.workspace_id; end if;
        if exists (select from workspaces where id = team)
           and not exists (select from memberships where workspace_id = team and role = 'owner') then
          raise exception 'workspace % has no owner', team
            using errcode = 'check_violation', constraint = 'workspaces_an_owner';
        end if;
        return null;
      end $$`);
    this.addSql(`
      create constraint trigger workspaces_an_owner after insert on workspaces
      deferrable initially deferred
      for each row when (new.kind = 'team') execute function require_owner()`);
    this.addSql(`
      create constraint trigger memberships_an_owner after update or delete on memberships
      deferrable initially deferred
      for each row when (old.role = 'owner') execute function require_owner()`);
  }

  override down(): void {
    this.addSql(`drop trigger memberships_an_owner on memberships`);
    this.addSql(`drop trigger workspaces_an_owner on workspaces`);
    this.addSql(`drop trigger memberships_left on memberships`);
    this.addSql(`drop trigger memberships_joined on memberships`);
    this.addSql(`drop function require_owner, count_members`);
    this.addSql(`alter table workspaces drop column members_count`);
    this.addSql(`drop table invitations`);
    this.addSql(`alter table users drop column confirmed_at`);
  }
}
