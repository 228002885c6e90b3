import { Migration } from '@mikro-orm/migrations';

/** The trace of a submission: the job that goes on with it continues it. */
export class SubmissionTraces extends Migration {
  override up(): void {
    this.addSql('alter table submissions add column traceparent text');
  }

  override down(): void {
    this.addSql('alter table submissions drop column traceparent');
  }
}
