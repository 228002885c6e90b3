import { OnlineMigration } from './online-migration.ts';

/**
 * What tokens may spend in a month, and what they have spent. Counts outlive their token: a generation may end after it.
 */
export class TokenBudgets extends OnlineMigration {
  protected override readonly statements = [
    `alter table api_tokens add column monthly_credits integer`,
    `alter table credit_entries add column token_ids bigint[]`,
    `create table token_budgets (
      token_id bigint not null,
      month date not null,
      monthly_credits integer not null,
      used bigint not null,
      primary key (token_id, month),
      constraint token_budgets_used_check check (used <= monthly_credits)
    ) with (fillfactor = 50)`,
  ];

  override down(): void {
    this.addSql('drop table token_budgets');
    this.addSql('alter table credit_entries drop column token_ids');
    this.addSql('alter table api_tokens drop column monthly_credits');
  }
}
