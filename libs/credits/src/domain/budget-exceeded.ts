import { DomainError } from '#kernel';

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
