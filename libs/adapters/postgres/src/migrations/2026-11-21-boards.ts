import { Migration } from '@mikro-orm/migrations';

/** Boards with nested folders and media. */
export class Boards extends Migration {
  override up(): void {
    // The counts are of everything on the board, whatever the folder; version grows with every change of what a
    // read of the board shows.
    this.addSql(`
      create table boards (
        id bigint generated always as identity primary key,
        workspace_id bigint not null references workspaces on delete cascade,
        created_by bigint not null references users,
        name text not null,
        folders_count integer not null default 0 check (folders_count >= 0),
        media_count integer not null default 0 check (media_count >= 0),
        version bigint not null default 1,
        created_at timestamptz not null,
        deleted_at timestamptz
      )`);
    this.addSql(`create index boards_workspace on boards (workspace_id, id) where deleted_at is null`);
    this.addSql(`create index boards_creator on boards (created_by)`);
    // What refers to a folder names its board too, so that the two can't be of different boards.
    this.addSql(`
      create table folders (
        id bigint generated always as identity primary key,
        board_id bigint not null references boards,
        parent_id bigint,
        name text not null,
        created_at timestamptz not null,
        unique (board_id, id),
        foreign key (board_id, parent_id) references folders (board_id, id)
      )`);
    this.addSql(`create index folders_parent on folders (board_id, parent_id, id)`);
    this.addSql(`
      create table media (
        id bigint generated always as identity primary key,
        board_id bigint not null references boards,
        folder_id bigint,
        created_by bigint not null references users,
        source_url text,
        source_control_image text,
        url text,
        control_image text,
        extras text,
        state text not null check (state in ('created', 'processed', 'failed')),
        error text,
        width integer,
        height integer,
        duration real,
        content_type text,
        placeholder text,
        thumbnails jsonb not null default '[]',
        revision integer not null default 1,
        created_at timestamptz not null,
        answer text not null,
        foreign key (board_id, folder_id) references folders (board_id, id)
      )`);
    this.addSql(`create index media_board on media (board_id, id desc)`);
    this.addSql(`create index media_folder on media (board_id, folder_id, id desc)`);
    this.addSql(`create index media_creator on media (created_by)`);
    // A read of a board aggregates its media: the text of each is made once, when it is written.
    this.addSql(`
      create function media_answer() returns trigger language plpgsql as $$
      begin
        new.answer := json_build_object(
          'id', new.id, 'url', new.url, 'control_image', new.control_image, 'folder_id', new.folder_id,
          'extras', new.extras, 'state', new.state, 'error', new.error, 'width', new.width, 'height', new.height,
          'duration', new.duration, 'content_type', new.content_type, 'placeholder', new.placeholder,
          'thumbnails', new.thumbnails,
          'created_at', to_char(new.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
        return new;
      end $$`);
    this.addSql(
      `create trigger media_answer before insert or update on media for each row execute function media_answer()`,
    );
    this.addSql(`
      create table media_files (
        media_id bigint not null references media on delete cascade,
        file_id bigint not null references files,
        primary key (media_id, file_id)
      )`);
    this.addSql(`create index media_files_file on media_files (file_id)`);
  }

  override down(): void {
    this.addSql(`drop table media_files, media, folders, boards`);
    this.addSql(`drop function media_answer`);
  }
}
