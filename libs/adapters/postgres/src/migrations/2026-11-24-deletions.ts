import { IndexMigration, OnlineMigration } from './online-migration.ts';

const TABLES = ['boards', 'folders', 'media', 'personas', 'files'] as const;

/**
 * Deletion is a column: the entry of the trash that a row was deleted with. Rows that were deleted before stand in
 * `trash_rows` as JSON, and come back to their tables when their entry is restored or ends (`BackFromJson`).
 *
 * Processes of 0.1 may run beside: until 0.3, triggers keep `deleted_at`, which 0.1 reads and writes, in step.
 */
export class Deletions extends OnlineMigration {
  override readonly changesFewRows = 'boards and personas that were being deleted when the migration ran';

  protected override readonly statements = [
    ...TABLES.flatMap((table) => [
      `alter table ${table} add column deletion_id bigint`,
      `alter table ${table} add constraint ${table}_deletion_id_fkey
         foreign key (deletion_id) references trash not valid`,
    ]),
    `create function show_deletion_to_0_1() returns trigger language plpgsql as $$
    begin
      new.deleted_at := case when new.deletion_id is not null then coalesce(new.deleted_at, now()) end;
      return new;
    end $$`,
    // At the end of the transaction: 0.1 adds the entry after it has marked the row. Without a grace it adds none.
    `create function take_deletion_of_0_1() returns trigger language plpgsql as $$
    declare entry bigint;
    begin
      select max(id) into entry from trash where kind = tg_argv[0] and item_id = new.id;
      if entry is null then
        insert into trash (workspace_id, kind, item_id, name, deleted_by, deleted_at, expires_at)
        values (new.workspace_id, tg_argv[0], new.id, new.name, new.created_by, new.deleted_at, new.deleted_at)
        returning id into entry;
      end if;
      execute format('update %I set deletion_id = $1 where id = $2 and deletion_id is null', tg_table_name)
        using entry, new.id;
      return null;
    end $$`,
    ...[
      ['boards', 'board'],
      ['personas', 'persona'],
    ].flatMap(([table, kind]) => [
      `create constraint trigger ${table}_deleted_by_0_1 after update on ${table} deferrable initially deferred
         for each row when (new.deleted_at is not null and new.deletion_id is null)
         execute function take_deletion_of_0_1('${kind}')`,
      `update ${table} set deleted_at = deleted_at where deleted_at is not null`,
      `set constraints all immediate`,
      `create trigger ${table}_deleted before update of deletion_id on ${table}
         for each row when (new.deletion_id is distinct from old.deletion_id) execute function show_deletion_to_0_1()`,
    ]),
    // What is in the trash does not count.
    `create or replace function count_storage_use() returns trigger language plpgsql as $$
    begin
      perform from storage_use where workspace_id in (select workspace_id from changed)
        order by workspace_id for no key update;
      update storage_use set bytes = bytes + change.by
      from (
        select workspace_id, case tg_op when 'INSERT' then sum(size) else -sum(size) end as by
        from changed where deletion_id is null group by workspace_id
      ) change
      where change.workspace_id = storage_use.workspace_id;
      return null;
    end $$`,
    `create function recount_storage_use() returns trigger language plpgsql as $$
    begin
      perform from storage_use where workspace_id in (
          select a.workspace_id from after a join before b using (id)
          where (a.deletion_id is null) <> (b.deletion_id is null))
        order by workspace_id for no key update;
      update storage_use set bytes = bytes + change.by
      from (
        select a.workspace_id, sum(case when a.deletion_id is null then a.size else -a.size end) as by
        from after a join before b using (id)
        where (a.deletion_id is null) <> (b.deletion_id is null) group by a.workspace_id
      ) change
      where change.workspace_id = storage_use.workspace_id;
      return null;
    end $$`,
    `create trigger files_changed after update on files referencing old table as before new table as after
    for each statement execute function recount_storage_use()`,
  ];
}

/** What the reads of boards and personas use, and how the rows of a deletion are found. */
export class DeletionIndexes extends IndexMigration {
  protected override readonly indexes = [
    { name: 'boards_existing', on: 'boards (workspace_id, id) where deletion_id is null' },
    { name: 'personas_existing', on: 'personas (workspace_id, id) where deletion_id is null' },
    { name: 'personas_existing_of_creator', on: 'personas (created_by, workspace_id, id) where deletion_id is null' },
    ...TABLES.map((table) => ({
      name: `${table}_deletion`,
      on: `${table} (deletion_id) where deletion_id is not null`,
    })),
  ];
}

/** In a transaction of its own: it reads the tables, while they can be written. */
export class ValidDeletions extends OnlineMigration {
  protected override readonly statements = TABLES.map(
    (table) => `alter table ${table} validate constraint ${table}_deletion_id_fkey`,
  );
}
