import type { NewEvent } from '#events';
import { DomainError } from '#kernel';
import type { Month } from './month.ts';

/** A call costs more than one of the budgets beside the workspace's credits has left. */
export class BudgetExceeded extends DomainError {
  constructor(
    readonly budget: 'token' | 'customer',
    message: string,
    cause?: unknown,
  ) {
    super('budget_exceeded', message, { cause });
  }
}

/** The first refusal of a month by a budget. */
export function budgetEvent(
  { budget }: BudgetExceeded,
  { workspaceId, month }: { readonly workspaceId: number; readonly month: Month },
  /** `customer` is `null` for calls of several customers. */
  spender: { readonly tokenId: number; readonly customer: string | null },
  createdAt: Date,
): NewEvent {
  const { tokenId: token_id, customer } = spender;
  const [facts, key] = budget === 'token' ? [{ token_id }, token_id] : [{}, customer];
  return {
    workspaceId,
    type: 'budget.exceeded',
    subjectId: workspaceId,
    facts: { budget, month, ...facts },
    customer: budget === 'customer' ? customer : null,
    key: `budget ${month} ${budget} ${key}`,
    createdAt,
  };
}
