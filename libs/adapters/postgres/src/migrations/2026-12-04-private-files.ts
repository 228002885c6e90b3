import { IndexMigration, OnlineMigration } from './online-migration.ts';

/** Private files: the mode of a workspace, and the places of the objects of its files. */
export class PrivateFiles extends OnlineMigration {
  protected override readonly statements = [
    `alter table workspaces
       add column files text not null default 'public',
       add column files_moving_since timestamptz,
       add column files_misplaced boolean not null default false,
       add column file_key_version integer not null default 1,
       add column file_key_rotated_at timestamptz,
       add constraint workspaces_files_check check (files in ('public', 'private')) not valid`,
    'alter table files add column is_private boolean default false',
    'alter table uploads add column is_private boolean not null default false',
  ];

  override down(): void {
    this.addSql('alter table uploads drop column is_private');
    this.addSql('alter table files drop column is_private');
    this.addSql(`alter table workspaces drop column file_key_rotated_at, drop column file_key_version,
      drop column files_misplaced, drop column files_moving_since, drop column files`);
  }
}

/** In a transaction of its own: it reads the table, while it can be written. */
export class ValidPrivateFiles extends OnlineMigration {
  protected override readonly statements = ['alter table workspaces validate constraint workspaces_files_check'];
}

export class PrivateFileIndexes extends IndexMigration {
  protected override readonly indexes = [
    { name: 'workspaces_files_misplaced', on: 'workspaces (id) where files_misplaced' },
  ];
}
