import { OnlineMigration } from './online-migration.ts';

/** Which providers are not called for now, for operators. */
export class PausedProviders extends OnlineMigration {
  override readonly statements = [
    `create table paused_providers (
      provider text primary key,
      since timestamptz not null
    )`,
  ];

  override down(): void {
    this.addSql('drop table paused_providers');
  }
}
