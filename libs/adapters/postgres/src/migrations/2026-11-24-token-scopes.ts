import { OnlineMigration } from './online-migration.ts';

/** What a token may be used for; null for everything, as for the tokens of before. */
export class TokenScopes extends OnlineMigration {
  protected override readonly statements = [`alter table api_tokens add column scopes text[]`];

  override down(): void {
    this.addSql(`alter table api_tokens drop column scopes`);
  }
}
