import { OnlineMigration } from './online-migration.ts';

/**
 * What is searched in the library: a row for each permanent file that people made, uploaded or imported. `words` is made by
 * the domain, so that words are folded in the same way in items and in queries: `unaccent` could not be used in an index, as
 * its dictionary may change. `pg_trgm` finds the words that a typing error may mean.
 */
export class Library extends OnlineMigration {
  protected override readonly statements = [
    'create extension if not exists pg_trgm',
    `create table library_items (
      file_id bigint primary key references files on delete cascade,
      workspace_id bigint not null,
      kind text not null check (kind in ('image', 'video', 'vector', 'model3d', 'mask')),
      origin text not null check (origin in ('upload', 'import', 'output')),
      persona_id bigint,
      user_id bigint,
      generation_id bigint,
      model text,
      width integer,
      height integer,
      placeholder text,
      rating smallint not null default 0 check (rating between 0 and 5),
      tags text[] not null default '{}' check (cardinality(tags) <= 32),
      colors smallint[],
      shape bit(64),
      words tsvector not null,
      look_due_at timestamptz,
      created_at timestamptz not null,
      deletion_id bigint
    ) with (fillfactor = 90)`,
    // Its newest part is read whole to compare colours and shapes, without the table where that is vacuumed.
    `create index library_items_newest on library_items (workspace_id, created_at desc, file_id desc)
      include (colors, shape, deletion_id)`,
    `create index library_items_rating on library_items (workspace_id, rating desc, created_at desc, file_id desc)`,
    'create index library_items_words on library_items using gin (words) with (fastupdate = off)',
    'create index library_items_look on library_items (look_due_at desc) where look_due_at is not null',
    // A file moves into the trash, out of it and away from its persona by several statements.
    `create function follow_file() returns trigger language plpgsql as $$
    begin
      update library_items set deletion_id = new.deletion_id, persona_id = new.persona_id where file_id = new.id;
      return null;
    end $$`,
    `create trigger files_followed after update of deletion_id, persona_id on files for each row
    when (old.deletion_id is distinct from new.deletion_id or old.persona_id is distinct from new.persona_id)
    execute function follow_file()`,
    `create table library_tags (
      workspace_id bigint not null references workspaces on delete cascade,
      tag text collate "C" not null,
      primary key (workspace_id, tag)
    )`,
    `create table library_words (
      workspace_id bigint not null,
      word text collate "C" not null,
      primary key (workspace_id, word)
    )`,
    'create index library_words_similar on library_words using gin (word gin_trgm_ops)',
    `create table library_filling (
      only_row boolean primary key default true check (only_row),
      passes_left smallint not null,
      starts_at timestamptz not null,
      before_id bigint not null
    )`,
    // Once at once, and once more for what processes of the version before have added meanwhile.
    'insert into library_filling (passes_left, starts_at, before_id) values (2, now(), 9007199254740991)',
    `create table saved_searches (
      id bigint generated always as identity primary key,
      workspace_id bigint not null references workspaces on delete cascade,
      created_by bigint not null references users,
      name text not null,
      filter jsonb not null,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`,
    'create unique index saved_searches_name on saved_searches (workspace_id, name)',
  ];

  override down(): void {
    this.addSql('drop trigger files_followed on files');
    this.addSql('drop function follow_file');
    this.addSql('drop table saved_searches, library_filling, library_words, library_tags, library_items');
    this.addSql('drop extension pg_trgm');
  }
}
