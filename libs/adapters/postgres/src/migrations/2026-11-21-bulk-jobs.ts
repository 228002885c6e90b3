import { Migration } from '@mikro-orm/migrations';

/** Which jobs are one of many that nobody waits for. */
export class BulkJobs extends Migration {
  override up(): void {
    this.addSql('alter table jobs add bulk boolean not null default false');
  }

  override down(): void {
    this.addSql('alter table jobs drop bulk');
  }
}
