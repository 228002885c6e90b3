import { p } from '@mikro-orm/postgresql';
import { id, ref, table, time } from './columns.ts';

/** The ledger, from which the two tables of sums can be rebuilt. `amount` is added to the use of the month. */
export const CreditEntry = table('CreditEntry', 'credit_entries', {
  id: id(),
  key: p.text(),
  workspaceId: ref(),
  userId: ref().nullable(),
  generationId: ref().nullable(),
  month: p.date(),
  kind: p.enum(['reserve', 'settle', 'release', 'grant']),
  amount: p.integer(),
  reason: p.text().nullable(),
  createdAt: time(),
  /** Tokens whose budgets it counts in; null for none. */
  tokenIds: p.bigint('number').$type<readonly number[]>().columnType('bigint[]').nullable(),
});

/** Charges to the budgets of tokens in a month. Not only tokens that exist. */
export const TokenBudgetRow = table('TokenBudgetRow', 'token_budgets', {
  tokenId: p.bigint('number').primary(),
  month: p.date().primary(),
  monthlyCredits: p.integer(),
  used: p.bigint('number'),
});

export const CreditMonth = table('CreditMonth', 'credit_months', {
  workspaceId: ref().primary(),
  month: p.date().primary(),
  used: p.integer(),
  granted: p.integer().defaultRaw('0'),
});

export const CreditUsage = table('CreditUsage', 'credit_usage', {
  workspaceId: ref().primary(),
  month: p.date().primary(),
  userId: ref().primary(),
  used: p.integer(),
  generations: p.integer(),
});
