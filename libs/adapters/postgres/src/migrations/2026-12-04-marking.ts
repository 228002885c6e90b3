import { OnlineMigration } from './online-migration.ts';

/** How the bytes of files came to their marks of provenance. Files of versions before have none on record. */
export class Markings extends OnlineMigration {
  protected override readonly statements = [
    'alter table files add column marking text',
    'alter table uploads add column frozen_marking text',
  ];

  override down(): void {
    this.addSql('alter table files drop column marking');
    this.addSql('alter table uploads drop column frozen_marking');
  }
}
