import { OnlineMigration } from './online-migration.ts';

export class Preferences extends OnlineMigration {
  protected override readonly statements = [
    `create table user_preferences (
      user_id bigint primary key references users on delete cascade,
      preferences jsonb not null
    )`,
  ];

  override down(): void {
    this.addSql('drop table user_preferences');
  }
}
