import { IndexMigration, OnlineMigration } from './online-migration.ts';

/** The newest version of a media item's place. A version ends with the newest one, also where 0.2 deletes that. */
export class VersionsOfMedia extends OnlineMigration {
  protected override readonly statements = [
    `alter table media add column replaced_by bigint`,
    `alter table media add constraint media_replaced_by foreign key (replaced_by) references media on delete cascade not valid`,
    `alter table media validate constraint media_replaced_by`,
  ];

  override down(): void {
    this.addSql('alter table media drop column replaced_by');
  }
}

export class VersionIndexes extends IndexMigration {
  protected override readonly indexes = [
    { name: 'media_versions', on: 'media (replaced_by) where replaced_by is not null' },
  ];
}

/** The versions that a media item has replaced, and whether somebody has closed the request for changes. */
export class Rounds extends OnlineMigration {
  protected override readonly statements = [
    `alter table media_reviews add column earlier bigint[] not null default '{}',
       add column is_closed boolean not null default false`,
  ];

  override down(): void {
    this.addSql('alter table media_reviews drop column earlier, drop column is_closed');
  }
}
