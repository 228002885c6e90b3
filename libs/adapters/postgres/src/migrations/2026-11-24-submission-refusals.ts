import { OnlineMigration } from './online-migration.ts';

/** A vendor that takes no work now is asked whether it has taken it all the same. */
export class SubmissionRefusals extends OnlineMigration {
  protected override readonly statements = [
    `alter table submissions add column refusal text`,
    `alter table submissions add constraint submissions_refusal_check
      check (refusal in ('provider_busy', 'provider_unavailable')) not valid`,
    `alter table submissions validate constraint submissions_refusal_check`,
  ];

  override down(): void {
    this.addSql(`alter table submissions drop column refusal`);
  }
}
