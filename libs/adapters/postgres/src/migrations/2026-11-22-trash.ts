import { Migration } from '@mikro-orm/migrations';

/** What was deleted, with its rows as JSON until it is restored or its time is over. */
export class Trash extends Migration {
  override up(): void {
    this.addSql(`
      create table trash (
        id bigint generated always as identity primary key,
        workspace_id bigint not null references workspaces on delete cascade,
        kind text not null check (kind in ('board', 'folder', 'media', 'persona')),
        item_id bigint not null,
        board_id bigint,
        name text,
        deleted_by bigint not null references users,
        deleted_at timestamptz not null,
        expires_at timestamptz not null
      )`);
    this.addSql('create index trash_workspace on trash (workspace_id, id)');
    this.addSql('create index trash_item on trash (item_id, kind)');
    this.addSql('create index trash_due on trash (expires_at)');
    this.addSql('create index trash_deleted_by on trash (deleted_by)');
    this.addSql(`
      create table trash_rows (
        id bigint generated always as identity primary key,
        trash_id bigint not null references trash on delete cascade,
        relation text not null check (
          relation in ('boards', 'folders', 'media', 'personas', 'trainings', 'files', 'generations')),
        content jsonb not null,
        file_ids bigint[] not null default '{}'
      )`);
    this.addSql('create index trash_rows_entry on trash_rows (trash_id, relation)');
    this.addSql('create index trash_rows_files on trash_rows using gin (file_ids)');
  }

  override down(): void {
    this.addSql('drop table trash_rows, trash');
  }
}
