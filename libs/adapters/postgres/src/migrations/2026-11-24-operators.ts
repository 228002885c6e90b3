import { OnlineMigration } from './online-migration.ts';

/** Accounts that may operate the service. */
export class Operators extends OnlineMigration {
  override readonly statements = ['alter table users add column is_operator boolean not null default false'];

  override down(): void {
    this.addSql('alter table users drop column is_operator');
  }
}
