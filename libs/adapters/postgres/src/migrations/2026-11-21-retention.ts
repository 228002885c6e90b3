import { Migration } from '@mikro-orm/migrations';

/** Finds the tokens and invitations that were over long ago, at the cost of those alone. */
export class Retention extends Migration {
  override up(): void {
    this.addSql(`create index api_tokens_expiry on api_tokens (expires_at) where expires_at is not null`);
    this.addSql(`create index invitations_over on invitations (coalesce(ended_at, expires_at))`);
  }

  override down(): void {
    this.addSql('drop index api_tokens_expiry, invitations_over');
  }
}
