import { OnlineMigration } from './online-migration.ts';

/** A vendor that does not know a job, or can't show what it has made, is asked again for a while. */
export class SubmissionDoubts extends OnlineMigration {
  protected override readonly statements = [`alter table submissions add column doubtful_since timestamptz`];

  override down(): void {
    this.addSql(`alter table submissions drop column doubtful_since`);
  }
}
