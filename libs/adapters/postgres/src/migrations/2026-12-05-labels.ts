import { OnlineMigration } from './online-migration.ts';

/** The visible labels of shares and downloads; null for none. */
export class Labels extends OnlineMigration {
  protected override readonly statements = [
    'alter table shares add column label text',
    'alter table downloads add column label text',
  ];

  override down(): void {
    this.addSql('alter table shares drop column label');
    this.addSql('alter table downloads drop column label');
  }
}
