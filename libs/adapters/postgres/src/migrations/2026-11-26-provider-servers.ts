import { OnlineMigration } from './online-migration.ts';

/** Several servers of one provider. */
export class ProviderServers extends OnlineMigration {
  override readonly statements = ['alter table catalogue_providers add column base_urls text[]'];

  override down(): void {
    this.addSql('alter table catalogue_providers drop column base_urls');
  }
}
