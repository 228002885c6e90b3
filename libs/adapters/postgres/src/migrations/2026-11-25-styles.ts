import { IndexMigration, OnlineMigration } from './online-migration.ts';

/** Trained styles of personas, and the pictures that each was trained on. */
export class Styles extends OnlineMigration {
  override readonly statements = [
    `create table styles (
      id bigint generated always as identity primary key,
      workspace_id bigint not null references workspaces,
      persona_id bigint not null references personas on delete cascade,
      name text not null,
      model text not null,
      family text,
      trigger text not null,
      slots text not null,
      is_active boolean not null default false,
      file_id bigint references files on delete set null,
      created_at timestamptz not null,
      deleted_at timestamptz
    )`,
    'create index styles_persona on styles (persona_id, id)',
    'create unique index styles_active on styles (persona_id) where is_active',
    'create index styles_file on styles (file_id) where file_id is not null',
    `create table style_pictures (
      style_id bigint not null references styles on delete cascade,
      position smallint not null,
      training_id bigint not null,
      url text,
      key text,
      file_id bigint references files on delete set null,
      primary key (style_id, position)
    )`,
    'create index style_pictures_file on style_pictures (file_id) where file_id is not null',
    'alter table generations add column style_id bigint',
    `alter table generations add constraint generations_style_id_fkey
      foreign key (style_id) references styles on delete set null not valid`,
    `alter table generations drop constraint generations_kind_check, add constraint generations_kind_check
      check (kind in ('image', 'video', 'vector', 'model3d', 'mask', 'style')) not valid`,
    `alter table generation_inputs drop constraint generation_inputs_input_check,
      add constraint generation_inputs_input_check
      check (input in ('references', 'mask', 'control', 'pictures', 'style_weights')) not valid`,
  ];

  override down(): void {
    this.addSql(`delete from generation_inputs where input in ('pictures', 'style_weights')`);
    this.addSql('alter table generation_inputs drop constraint generation_inputs_input_check');
    this.addSql(
      `alter table generation_inputs add constraint generation_inputs_input_check
        check (input in ('references', 'mask', 'control'))`,
    );
    this.addSql('alter table generations drop column style_id');
    this.addSql('drop table style_pictures, styles');
    this.addSql(`delete from generations where kind = 'style'`);
    this.addSql('alter table generations drop constraint generations_kind_check');
    this.addSql(
      `alter table generations add constraint generations_kind_check
        check (kind in ('image', 'video', 'vector', 'model3d', 'mask'))`,
    );
  }
}

/** How the generations of a style are found. */
export class StyleIndexes extends IndexMigration {
  protected override readonly indexes = [
    { name: 'generations_style', on: 'generations (style_id) where style_id is not null' },
    { name: 'generations_training', on: `generations (style_id) where kind = 'style'`, unique: true },
  ];
}

/** In a transaction of its own: it reads the tables, while they can be written. */
export class ValidStyles extends OnlineMigration {
  protected override readonly statements = [
    'alter table generations validate constraint generations_style_id_fkey',
    'alter table generations validate constraint generations_kind_check',
    'alter table generation_inputs validate constraint generation_inputs_input_check',
  ];
}
