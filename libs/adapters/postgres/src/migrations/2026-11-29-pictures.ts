import { GroupedMigration, IndexMigration, OnlineMigration } from './online-migration.ts';

/** Facts of the bytes of a picture, a video or a model, in the row of its file. */
export class Pictures extends OnlineMigration {
  protected override readonly statements = [
    `alter table files
      add column picture_id bigint,
      add column width integer,
      add column height integer,
      add column duration double precision,
      add column placeholder text,
      add column thumbnails jsonb not null default '[]',
      add column colors smallint[],
      add column shape bit(64),
      add column look_due_at timestamptz,
      add column look_tries smallint not null default 0`,
    'alter table generation_outputs alter column content_type drop not null',
  ];
}

/** How thumbnails are found, and pictures to be looked at. */
export class PictureIndexes extends IndexMigration {
  protected override readonly indexes = [
    { name: 'files_look', on: 'files (look_due_at desc) where look_due_at is not null' },
    { name: 'files_picture', on: 'files (picture_id) where picture_id is not null' },
  ];
}

/** The thumbnails of a picture, as 0.2 has them in a table, and their order. */
const ORDERED = `coalesce((select jsonb_agg(each order by (each -> 'width')::integer) from jsonb_array_elements(new_list) each), '[]')`;

/**
 * Keeps the rows in step that versions up to 0.2 write and read, which may run beside this one: outputs, media items and
 * items of the library have facts of their own there. A row that this version writes has none, and gets those of its file.
 */
const BRIDGES = [
  `create function share_picture_of_output() returns trigger language plpgsql as $$
  begin
    if new.content_type is null then
      select content_type, width, height, duration into new.content_type, new.width, new.height, new.duration
      from files where id = new.file_id;
    else
      update files set width = new.width, height = new.height, duration = new.duration where id = new.file_id;
    end if;
    return new;
  end $$`,
  `create trigger share_picture_of_output before insert on generation_outputs
    for each row execute function share_picture_of_output()`,
  `create function show_thumbnails_to_0_2() returns trigger language plpgsql as $$
  begin
    insert into generation_thumbnails (generation_id, position, file_id, width, height)
    select new.generation_id, new.position, small.id, thumbnail.width, thumbnail.height
    from files picture
    cross join jsonb_to_recordset(picture.thumbnails) thumbnail (key text, width integer, height integer)
    join files small on small.key = thumbnail.key
    where picture.id = new.file_id;
    return null;
  end $$`,
  `create trigger show_thumbnails_to_0_2 after insert on generation_outputs
    for each row execute function show_thumbnails_to_0_2()`,
  `create function take_thumbnail_of_0_2() returns trigger language plpgsql as $$
  declare
    picture bigint;
    new_list jsonb;
  begin
    select o.file_id, files.thumbnails || jsonb_build_object('key', small.key, 'width', new.width, 'height', new.height)
    into picture, new_list
    from generation_outputs o join files on files.id = o.file_id join files small on small.id = new.file_id
    where o.generation_id = new.generation_id and o.position = new.position;
    update files set thumbnails = ${ORDERED} where id = picture;
    update files set picture_id = picture where id = new.file_id;
    return null;
  end $$`,
  `create trigger take_thumbnail_of_0_2 after insert on generation_thumbnails
    for each row when (pg_trigger_depth() = 0) execute function take_thumbnail_of_0_2()`,
  `create function share_picture_of_media() returns trigger language plpgsql as $$
  declare
    picture files;
  begin
    select * into picture from files where key = coalesce(new.file_key, new.control_image_key);
    if picture.id is null then return new; end if;
    if new.content_type is null then
      new.content_type := picture.content_type;
      new.width := picture.width;
      new.height := picture.height;
      new.duration := picture.duration;
      new.placeholder := picture.placeholder;
      new.thumbnails := picture.thumbnails;
    elsif new.thumbnails <> '[]' and picture.thumbnails = '[]' then
      update files set width = new.width, height = new.height, duration = new.duration, thumbnails = new.thumbnails,
        placeholder = new.placeholder
      where id = picture.id;
      update files set picture_id = picture.id from jsonb_to_recordset(new.thumbnails) thumbnail (key text)
      where files.key = thumbnail.key;
    end if;
    return new;
  end $$`,
  `create trigger share_picture_of_media before insert or update of state on media
    for each row when (new.state = 'processed') execute function share_picture_of_media()`,
  `create function share_marked_picture() returns trigger language plpgsql as $$
  declare
    picture files;
  begin
    select * into picture from files where key = new.whole ->> 'key';
    if new.thumbnails = '[]' then
      new.thumbnails := coalesce(picture.thumbnails, '[]');
    elsif picture.thumbnails = '[]' then
      update files set width = (new.whole ->> 'width')::integer, height = (new.whole ->> 'height')::integer,
        thumbnails = new.thumbnails
      where id = picture.id;
      update files set picture_id = picture.id from jsonb_to_recordset(new.thumbnails) thumbnail (key text)
      where files.key = thumbnail.key;
    end if;
    return new;
  end $$`,
  `create trigger share_marked_picture before update of state on share_pictures
    for each row when (new.whole is not null) execute function share_marked_picture()`,
  // An item of a board whose thumbnails a picture was given is deleted by 0.2, which does not know that the picture needs them.
  `create function leave_thumbnail_to_0_2() returns trigger language plpgsql as $$
  begin
    if exists (select from files where id = new.picture_id and deletion_id is null)
      and exists (select from media_files where file_id = new.id) then
      update files set picture_id = null where id = new.id;
      update files set thumbnails = '[]', look_due_at = now(), look_tries = 0 where id = new.picture_id;
    end if;
    return null;
  end $$`,
  `create constraint trigger leave_thumbnail_to_0_2 after update on files deferrable initially deferred
    for each row when (old.deletion_id is null and new.deletion_id is not null and new.picture_id is not null)
    execute function leave_thumbnail_to_0_2()`,
  `create function take_look_of_0_2() returns trigger language plpgsql as $$
  begin
    update files set
      colors = coalesce(colors, new.colors),
      shape = coalesce(shape, new.shape),
      placeholder = coalesce(placeholder, new.placeholder),
      look_due_at = coalesce(look_due_at, new.look_due_at)
    where id = new.file_id and (colors is null and new.colors is not null
      or placeholder is null and new.placeholder is not null or look_due_at is null and new.look_due_at is not null);
    return null;
  end $$`,
  `create trigger take_look_of_0_2 after insert or update of colors on library_items
    for each row when (pg_trigger_depth() = 0) execute function take_look_of_0_2()`,
  `create function show_picture_of_item_to_0_2() returns trigger language plpgsql as $$
  begin
    select coalesce(new.width, width), coalesce(new.height, height), coalesce(new.placeholder, placeholder)
    into new.width, new.height, new.placeholder from files where id = new.file_id;
    return new;
  end $$`,
  `create trigger show_picture_of_item_to_0_2 before insert or update of colors on library_items
    for each row execute function show_picture_of_item_to_0_2()`,
];

/** Triggers that follow a file, and triggers that keep versions up to 0.2 working. */
export class PictureTriggers extends OnlineMigration {
  protected override readonly statements = [
    `alter table files add constraint files_picture_id_fkey
      foreign key (picture_id) references files on delete set null not valid`,
    `create function release_thumbnail() returns trigger language plpgsql as $$
    begin
      -- The sweep deletes the thumbnail of a picture that is gone.
      new.review_at := now();
      return new;
    end $$`,
    `create trigger release_thumbnail before update of picture_id on files
      for each row when (old.picture_id is not null and new.picture_id is null) execute function release_thumbnail()`,
    // The colours and the shape stand in an index of the library, as the deletion does.
    `create or replace function follow_file() returns trigger language plpgsql as $$
    begin
      update library_items set deletion_id = coalesce(new.deletion_id, new.removal_id), persona_id = new.persona_id,
        colors = new.colors, shape = new.shape
      where file_id = new.id and (deletion_id, persona_id, colors, shape) is distinct from
        (coalesce(new.deletion_id, new.removal_id), new.persona_id, new.colors, new.shape);
      return null;
    end $$`,
    'drop trigger files_followed on files',
    `create trigger files_followed after update of deletion_id, removal_id, persona_id, colors, shape on files
      for each row when (
        (old.deletion_id, old.removal_id, old.persona_id, old.colors, old.shape)
          is distinct from (new.deletion_id, new.removal_id, new.persona_id, new.colors, new.shape)
      ) execute function follow_file()`,
    ...BRIDGES,
  ];
}

/** The file of the picture that a media item shows, and its thumbnails there. */
const OF_MEDIA = `
  select media.width, media.height, media.duration, media.placeholder, media.thumbnails
  from media_files
  join media on media.id = media_files.media_id
  join boards on boards.id = media.board_id
  where media_files.file_id = file.id and file.key = coalesce(media.file_key, media.control_image_key)
    and media.thumbnails <> '[]'
    -- The thumbnails of a deleted item are in the trash with it.
    and (file.deletion_id is not null or coalesce(media.deletion_id, boards.deletion_id) is null)
  order by media.id limit 1`;

/** The same of a picture with the watermark of a link. */
const OF_LINK = `
  select (picture.whole ->> 'width')::integer as width, (picture.whole ->> 'height')::integer as height, picture.thumbnails
  from share_picture_files
  join share_pictures picture using (share_id, media_id)
  where share_picture_files.file_id = file.id and file.key = picture.whole ->> 'key'`;

const THUMBNAIL = `jsonb_build_object('key', small.key, 'width', thumbnail.width, 'height', thumbnail.height)`;

/** Takes what is known of older pictures from the rows that refer to them, where files have nothing yet. */
export class OlderPictures extends GroupedMigration {
  protected override readonly table = 'files';
  protected override readonly statements = [
    `update files set width = known.width, height = known.height, duration = known.duration,
      placeholder = known.placeholder, thumbnails = known.thumbnails, colors = known.colors, shape = known.shape,
      look_due_at = known.look_due_at
    from (
      select file.id, item.colors, item.shape,
        coalesce(output.width, media.width, item.width, marked.width) as width,
        coalesce(output.height, media.height, item.height, marked.height) as height,
        coalesce(output.duration, media.duration) as duration,
        coalesce(item.placeholder, media.placeholder) as placeholder,
        coalesce(made.thumbnails, own.thumbnails, media.thumbnails, marked.thumbnails, '[]') as thumbnails,
        -- What could be read and has no thumbnails is looked at once more.
        coalesce(item.look_due_at, case when item.colors is not null
          and coalesce(made.thumbnails, own.thumbnails, media.thumbnails) is null then file.created_at end) as look_due_at
      from files file
      left join generation_outputs output on output.file_id = file.id
      left join library_items item on item.file_id = file.id
      left join lateral (
        select jsonb_agg(${THUMBNAIL} order by thumbnail.width) as thumbnails
        from generation_thumbnails thumbnail join files small on small.id = thumbnail.file_id
        where thumbnail.generation_id = output.generation_id and thumbnail.position = output.position
      ) made on true
      left join lateral (
        select jsonb_agg(${THUMBNAIL} order by thumbnail.width) as thumbnails
        from file_thumbnails thumbnail join files small on small.id = thumbnail.file_id
        where thumbnail.picture_id = file.id
      ) own on true
      left join lateral (${OF_MEDIA}) media on true
      left join lateral (${OF_LINK}) marked on true
      where file.id > last and file.id <= next
        and file.width is null and file.thumbnails = '[]' and file.colors is null and file.look_due_at is null
    ) known
    where files.id = known.id and (known.width is not null or known.thumbnails <> '[]'
      or known.colors is not null or known.look_due_at is not null)`,
    // In the order in which others lock files.
    `perform from files where key in (
      select thumbnail.key from files picture
      cross join jsonb_to_recordset(picture.thumbnails) thumbnail (key text)
      where picture.id > last and picture.id <= next)
    order by id for no key update`,
    `update files small set picture_id = picture.id
    from files picture cross join jsonb_to_recordset(picture.thumbnails) thumbnail (key text)
    where picture.id > last and picture.id <= next and small.key = thumbnail.key and small.picture_id is null`,
  ];

  override down(): void {}
}

/** In a transaction of its own: it reads the table, while it can be written. */
export class ValidPictures extends OnlineMigration {
  protected override readonly statements = ['alter table files validate constraint files_picture_id_fkey'];

  override down(): void {}
}

/** Drops the thumbnails of uploads and imports, whose rows the migration before has read. */
export class NoFileThumbnails extends OnlineMigration {
  /** 0.2 does not know the table. */
  override readonly unusedSince = '0.1.0';

  protected override readonly statements = ['drop table file_thumbnails', 'drop function release_file_thumbnail'];

  override down(): void {
    this.addSql(`create table file_thumbnails (
      file_id bigint primary key references files on delete cascade,
      picture_id bigint not null references files on delete cascade,
      width integer not null,
      height integer not null
    )`);
  }
}
