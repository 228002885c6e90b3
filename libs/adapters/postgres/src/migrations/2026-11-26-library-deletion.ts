import { IndexMigration, OnlineMigration } from './online-migration.ts';

/**
 * People delete items of the library. Their files may be needed by something else: `deletion_id` of a file says whether it is
 * in the trash, `removed_at` and `removal_id` that its item was deleted, and with which entry. An item is hidden by either.
 */
export class LibraryDeletion extends OnlineMigration {
  protected override readonly statements = [
    'alter table files add column removed_at timestamptz, add column removal_id bigint',
    `alter table files add constraint files_removal_id_fkey foreign key (removal_id) references trash not valid`,
    `alter table files add constraint files_removed_by_entry
      check (removal_id is null or removed_at is not null) not valid`,
    'alter table generations add column outputs_deleted boolean not null default false',
    `alter table trash drop constraint trash_kind_check, add constraint trash_kind_check
      check (kind in ('board', 'folder', 'media', 'item', 'persona')) not valid`,
    `create or replace function follow_file() returns trigger language plpgsql as $$
    begin
      update library_items set deletion_id = coalesce(new.deletion_id, new.removal_id), persona_id = new.persona_id
      where file_id = new.id;
      return null;
    end $$`,
    'drop trigger files_followed on files',
    `create trigger files_followed after update of deletion_id, removal_id, persona_id on files for each row
    when ((old.deletion_id, old.removal_id, old.persona_id) is distinct from
      (new.deletion_id, new.removal_id, new.persona_id))
    execute function follow_file()`,
  ];
}

/** How the files of an entry are found. */
export class LibraryDeletionIndex extends IndexMigration {
  protected override readonly indexes = [
    { name: 'files_removal', on: 'files (removal_id) where removal_id is not null' },
  ];
}

/** In a transaction of its own: it reads the tables, while they can be written. */
export class ValidLibraryDeletion extends OnlineMigration {
  protected override readonly statements = [
    'alter table files validate constraint files_removal_id_fkey',
    'alter table files validate constraint files_removed_by_entry',
    'alter table trash validate constraint trash_kind_check',
  ];

  /** A valid constraint is the same constraint. */
  override down(): void {
    return;
  }
}
