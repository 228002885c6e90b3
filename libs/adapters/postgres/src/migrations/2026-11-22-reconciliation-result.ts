import { Migration } from '@mikro-orm/migrations';

/** What the nightly comparison of object storage and records found last, for operators. */
export class ReconciliationResult extends Migration {
  override up(): void {
    this.addSql('alter table reconciliation add column compared_at timestamptz, add column result jsonb');
  }

  override down(): void {
    this.addSql('alter table reconciliation drop column compared_at, drop column result');
  }
}
