import { IndexMigration, OnlineMigration } from './online-migration.ts';

/** Links for guests, their guests and the pictures with their watermark; comments and decisions of guests. */
export class Shares extends OnlineMigration {
  override readonly statements = [
    `create table shares (
      id bigint generated always as identity primary key,
      workspace_id bigint not null references workspaces on delete cascade,
      created_by bigint not null references users,
      hash bytea not null unique,
      name text not null,
      board_id bigint references boards on delete cascade,
      folder_id bigint references folders on delete cascade,
      allow text[] not null,
      password_hash text,
      password_version integer not null default 1,
      watermark text,
      expires_at timestamptz,
      created_at timestamptz not null,
      opened_count integer not null default 0,
      last_opened_at timestamptz,
      constraint shares_folder check (folder_id is null or board_id is not null)
    )`,
    'create index shares_workspace on shares (workspace_id, id)',
    'create index shares_board on shares (board_id) where board_id is not null',
    'create index shares_folder_id on shares (folder_id) where folder_id is not null',
    'create index shares_end on shares (expires_at) where expires_at is not null',
    `create table share_media (
      share_id bigint not null references shares on delete cascade,
      media_id bigint not null references media on delete cascade,
      primary key (share_id, media_id)
    )`,
    'create index share_media_media on share_media (media_id)',
    `create table share_guests (
      id bigint generated always as identity primary key,
      share_id bigint not null references shares on delete cascade,
      hash bytea not null unique,
      name text,
      password_version integer not null,
      opened_count integer not null default 0,
      last_opened_at timestamptz not null
    )`,
    'create index share_guests_share on share_guests (share_id, last_opened_at)',
    `create table share_pictures (
      share_id bigint not null references shares on delete cascade,
      media_id bigint not null references media on delete cascade,
      state text not null default 'waiting' check (state in ('waiting', 'made')),
      whole jsonb,
      thumbnails jsonb not null default '[]',
      primary key (share_id, media_id)
    )`,
    'create index share_pictures_media on share_pictures (media_id)',
    `create table share_picture_files (
      file_id bigint primary key references files on delete cascade,
      share_id bigint not null,
      media_id bigint not null,
      foreign key (share_id, media_id) references share_pictures on delete cascade
    )`,
    'create index share_picture_files_picture on share_picture_files (share_id, media_id)',
    `create function release_share_picture() returns trigger language plpgsql as $$
      begin
        -- The sweep deletes the file of a picture that is gone; a picture whose file is gone is made again.
        update files set review_at = now() where id = old.file_id;
        delete from share_pictures where share_id = old.share_id and media_id = old.media_id;
        return null;
      end $$`,
    `create trigger release_share_picture after delete on share_picture_files
      for each row execute function release_share_picture()`,
    'alter table comments alter column created_by drop not null, add column guest_id bigint, add column guest_name text',
    `alter table comments add constraint comments_guest_id_fkey
      foreign key (guest_id) references share_guests on delete set null not valid`,
    `alter table comments add constraint comments_author
      check ((created_by is null) = (guest_name is not null)) not valid`,
    'alter table decisions alter column user_id drop not null, add column guest_id bigint, add column guest_name text',
    `alter table decisions add constraint decisions_guest_id_fkey
      foreign key (guest_id) references share_guests on delete set null not valid`,
    `alter table decisions add constraint decisions_author
      check ((user_id is null) = (guest_name is not null)) not valid`,
  ];

  override down(): void {
    this.addSql(`delete from jobs where name = 'share.mark'`);
    this.addSql(`delete from audit_log where action in ('share.create', 'share.update', 'share.delete')`);
    this.addSql('delete from comments where created_by is null');
    this.addSql('delete from decisions where user_id is null');
    this.addSql(
      'alter table comments drop column guest_id, drop column guest_name, alter column created_by set not null',
    );
    this.addSql(
      'alter table decisions drop column guest_id, drop column guest_name, alter column user_id set not null',
    );
    this.addSql('drop table share_picture_files, share_pictures, share_guests, share_media, shares');
    this.addSql('drop function release_share_picture');
  }
}

/** How what a guest has written is found when the guest is forgotten. */
export class ShareIndexes extends IndexMigration {
  protected override readonly indexes = [
    { name: 'comments_guest', on: 'comments (guest_id) where guest_id is not null' },
    { name: 'decisions_guest', on: 'decisions (guest_id) where guest_id is not null' },
  ];
}

/** In a transaction of its own: it reads the tables, while they can be written. */
export class ValidShares extends OnlineMigration {
  protected override readonly statements = [
    'alter table comments validate constraint comments_guest_id_fkey',
    'alter table comments validate constraint comments_author',
    'alter table decisions validate constraint decisions_guest_id_fkey',
    'alter table decisions validate constraint decisions_author',
  ];

  override down(): void {
    // The constraints go with their tables.
  }
}
