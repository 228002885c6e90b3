import { IndexMigration, OnlineMigration } from './online-migration.ts';

/** The output that a generation goes on from. A parent is older than what goes on from it: there are no loops. */
export class Lineage extends OnlineMigration {
  protected override readonly statements = [
    'alter table generations add column parent_id bigint, add column parent_output smallint',
    `alter table generations add constraint generations_parent_id_fkey
      foreign key (parent_id) references generations on delete set null not valid`,
    `alter table generations add constraint generations_parent_is_older
      check (parent_id < id and parent_output >= 0) not valid`,
  ];

  override down(): void {
    this.addSql('alter table generations drop column parent_id, drop column parent_output');
  }
}

/** How what goes on from a generation is found. */
export class LineageIndex extends IndexMigration {
  protected override readonly indexes = [
    { name: 'generations_parent', on: 'generations (parent_id, id) where parent_id is not null' },
  ];
}

/** In a transaction of its own: it reads the table, while it can be written. */
export class ValidLineage extends OnlineMigration {
  protected override readonly statements = [
    'alter table generations validate constraint generations_parent_id_fkey',
    'alter table generations validate constraint generations_parent_is_older',
  ];
}
