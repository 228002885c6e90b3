import type { AuditLog } from '#audit-log';
import { planOf, type Plans } from '#identity';
import { invalidField, type Clock, type UnitOfWork } from '#kernel';
import { available, type Balance } from './domain/balance.ts';
import { monthOf, type Month } from './domain/month.ts';
import type { CreditLedger, Grant } from './ports.ts';

const MAX_GRANT = 1_000_000_000;
/** Characters. */
const MAX_REASON = 500;

/** Credits of a workspace in the current month. */
export interface CurrentCredits extends Balance {
  readonly month: Month;
  readonly available: number;
}

export class Credits {
  constructor(
    private readonly ledger: CreditLedger,
    private readonly plans: Plans,
    private readonly auditLog: Pick<AuditLog, 'record'>,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Credits of a workspace in the current month. */
  async current(workspaceId: number, plan: string): Promise<CurrentCredits> {
    const month = monthOf(this.clock.now());
    const { monthlyCredits } = planOf(this.plans, plan);
    const balance = await this.ledger.balance(workspaceId, month, monthlyCredits);
    return { ...balance, month, available: available(balance) };
  }

  /**
   * Adds credits to the current month.
   *
   * @throws DomainError `validation_failed`, `not_found`
   */
  async grant(grant: Omit<Grant, 'month'>): Promise<void> {
    const { amount, reason, workspaceId } = grant;
    if (!Number.isInteger(amount) || amount < 1 || amount > MAX_GRANT) {
      throw invalidField('amount', `must be a whole number from 1 to ${MAX_GRANT}`);
    }
    if (reason.trim() === '' || reason.length > MAX_REASON) {
      throw invalidField('reason', `must have 1 to ${MAX_REASON} characters`);
    }
    await this.unitOfWork.run(async () => {
      const isNew = await this.ledger.grant({ ...grant, month: monthOf(this.clock.now()) });
      const entry = { action: 'credits.grant', target: workspaceId, details: { amount }, workspaceId } as const;
      if (isNew) await this.auditLog.record(entry);
    });
  }
}
