import { OnlineMigration } from './online-migration.ts';

/** The thumbnails of uploads and imports, as outputs have theirs, and how often a look was tried. */
export class FileThumbnails extends OnlineMigration {
  override readonly changesFewRows = 'library_filling has one row';

  protected override readonly statements = [
    `create table file_thumbnails (
      file_id bigint primary key references files on delete cascade,
      picture_id bigint not null references files on delete cascade,
      width integer not null,
      height integer not null
    )`,
    'create index file_thumbnails_picture on file_thumbnails (picture_id)',
    `create function release_file_thumbnail() returns trigger language plpgsql as $$
      begin
        -- The sweep deletes the thumbnail of a picture that is gone.
        update files set review_at = now() where id = old.file_id;
        return null;
      end $$`,
    `create trigger release_file_thumbnail after delete on file_thumbnails
      for each row execute function release_file_thumbnail()`,
    'alter table library_items add column look_tries smallint not null default 0',
    // Once at once, and once more for what workers of the version before complete meanwhile.
    'update library_filling set passes_left = 2, starts_at = now(), before_id = 9007199254740991',
  ];

  override down(): void {
    this.addSql('drop table file_thumbnails');
    this.addSql('drop function release_file_thumbnail');
    this.addSql('alter table library_items drop column look_tries');
  }
}
