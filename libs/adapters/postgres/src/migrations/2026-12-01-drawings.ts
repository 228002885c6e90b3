import { OnlineMigration } from './online-migration.ts';

/** Drawings of comments. */
export class Drawings extends OnlineMigration {
  protected override readonly statements = ['alter table comments add column drawing jsonb'];

  override down(): void {
    this.addSql('alter table comments drop column drawing');
  }
}
