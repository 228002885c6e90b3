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
  customer: p.text().nullable(),
});

export const CustomerRow = table('CustomerRow', 'customers', {
  id: id(),
  workspaceId: ref(),
  customer: p.text(),
  name: p.text().nullable(),
  monthlyCredits: p.integer().nullable(),
  totalCredits: p.integer().nullable(),
  createdAt: time(),
});

/** Sums of the entries of a customer in a month, and of all months, under a month of their own. */
export const CustomerCredits = table('CustomerCredits', 'customer_credits', {
  workspaceId: ref().primary(),
  customer: p.text().primary(),
  month: p.date().primary(),
  /** The limit at the last reservation; null for none. */
  credits: p.bigint('number').nullable(),
  used: p.bigint('number'),
  /** The part of `used` whose generations have not ended. */
  reserved: p.bigint('number'),
  generations: p.bigint('number'),
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
