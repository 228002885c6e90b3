import { OnlineMigration } from './online-migration.ts';

/** Which operators a claim of the issuer has made: those before are of the command line. */
export class OperatorsByClaim extends OnlineMigration {
  protected override readonly statements = [
    'alter table users add column operator_by_claim boolean not null default false',
  ];

  override down(): void {
    this.addSql('alter table users drop column operator_by_claim');
  }
}
