import { Migration } from '@mikro-orm/migrations';

/** Who has an account joins a team by accepting: an invitation may be that of a user, a pending addition. */
export class PendingAdditions extends Migration {
  override up(): void {
    this.addSql(`alter table invitations add column user_id bigint references users on delete cascade`);
    this.addSql(`create index invitations_user on invitations (user_id) where user_id is not null`);
  }

  override down(): void {
    this.addSql(`alter table invitations drop column user_id`);
  }
}
