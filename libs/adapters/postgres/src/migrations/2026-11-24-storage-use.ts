import { OnlineMigration } from './online-migration.ts';

/**
 * How many bytes the files of a workspace have. Triggers keep the count, so that it is exact whoever adds or deletes
 * files; each change locks the row of its workspace, which makes the comparison with a quota exact too.
 */
export class StorageUse extends OnlineMigration {
  protected override readonly statements = [
    `create table storage_use (
      workspace_id bigint primary key references workspaces on delete cascade,
      bytes bigint not null default 0
    ) with (fillfactor = 50)`,
    `create function start_storage_use() returns trigger language plpgsql as $$
    begin
      insert into storage_use (workspace_id) select id from added on conflict do nothing;
      return null;
    end $$`,
    `create trigger workspaces_storage after insert on workspaces referencing new table as added
    for each statement execute function start_storage_use()`,
    `insert into storage_use (workspace_id) select id from workspaces on conflict do nothing`,
    // Rows are locked in one order, so that statements about several workspaces can't deadlock.
    `create function count_storage_use() returns trigger language plpgsql as $$
    begin
      perform from storage_use where workspace_id in (select workspace_id from changed)
        order by workspace_id for no key update;
      update storage_use set bytes = bytes + change.by
      from (
        select workspace_id, case tg_op when 'INSERT' then sum(size) else -sum(size) end as by
        from changed group by workspace_id
      ) change
      where change.workspace_id = storage_use.workspace_id;
      return null;
    end $$`,
    `create trigger files_added after insert on files referencing new table as changed
    for each statement execute function count_storage_use()`,
    `create trigger files_deleted after delete on files referencing old table as changed
    for each statement execute function count_storage_use()`,
  ];

  override down(): void {
    this.addSql('drop trigger files_added on files');
    this.addSql('drop trigger files_deleted on files');
    this.addSql('drop trigger workspaces_storage on workspaces');
    this.addSql('drop function count_storage_use, start_storage_use');
    this.addSql('drop table storage_use');
  }
}

/**
 * Counts the files that are older than the count. Files may change meanwhile: what the count lacked is taken from one
 * snapshot, and added to whatever the count is by then.
 */
export class CountStorageUse extends OnlineMigration {
  override readonly changesFewRows = 'one for each workspace, once the sums are known';

  protected override readonly statements = [
    `with lacking as materialized (
      select s.workspace_id, coalesce(f.bytes, 0) - s.bytes as bytes
      from storage_use s
      left join (select workspace_id, sum(size) as bytes from files group by workspace_id) f using (workspace_id)
    )
    update storage_use set bytes = storage_use.bytes + lacking.bytes
    from lacking where lacking.workspace_id = storage_use.workspace_id and lacking.bytes <> 0`,
  ];

  override down(): void {
    this.addSql('update storage_use set bytes = 0');
  }
}
