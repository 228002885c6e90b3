import { OnlineMigration } from './online-migration.ts';

/** Variants of pictures that URLs have asked for. */
export class Variants extends OnlineMigration {
  protected override readonly statements = [
    `create table file_variants (
      source_id bigint not null references files on delete cascade,
      options text not null,
      file_id bigint references files on delete cascade,
      claimed_until timestamptz,
      failure text,
      primary key (source_id, options)
    )`,
    'create index file_variants_file on file_variants (file_id) where file_id is not null',
  ];

  override down(): void {
    this.addSql('drop table file_variants');
  }
}
