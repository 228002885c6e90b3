import type { AuditLog } from '#audit-log';
import type { Actor } from '#identity';
import { customerProblem, DomainError, invalidField, type Clock, type UnitOfWork } from '#kernel';
import type { CustomerProfile } from './domain/customer.ts';
import { monthOf } from './domain/month.ts';
import type { CustomerStore, CustomerView } from './ports.ts';

/** Customers of a workspace. Reservations for a label that is not one yet make it one. */
export class Customers {
  constructor(
    private readonly customers: CustomerStore,
    private readonly auditLog: Pick<AuditLog, 'record'>,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Adds a customer, or changes the given fields. A budget may be less than what is used of it: then nothing more is
   * reserved until there is room.
   *
   * @throws DomainError `validation_failed`; `forbidden` for a token that is bound to a customer
   */
  save(actor: Actor, customer: string, changes: Partial<CustomerProfile>): Promise<CustomerView> {
    if (actor.customer !== null) {
      throw new DomainError('forbidden', 'an API token that is bound to a customer changes no budgets');
    }
    const problem = customerProblem(customer);
    if (problem) throw invalidField('customer', problem);
    const { workspaceId } = actor;
    const now = this.clock.now();
    return this.unitOfWork.run(async () => {
      const saved = await this.customers.save({ workspaceId, customer, createdAt: now }, changes, monthOf(now));
      const { id: target, monthlyCredits: monthly_credits, totalCredits: total_credits } = saved;
      const details = { monthly_credits, total_credits };
      await this.auditLog.record({ action: 'customer.update', target, details, workspaceId });
      return saved;
    });
  }
}
