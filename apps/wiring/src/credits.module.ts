import { Registry } from 'prom-client';
import { Credits, Customers, type CreditAudit, type CreditViews, type CustomerStore } from '#credits';
import {
  Database,
  PostgresCreditAudit,
  PostgresCreditViews,
  PostgresCustomers,
  PostgresUnitOfWork,
} from '#adapters/postgres';
import { IdentityModule, plans } from './identity.module.ts';
import { MeasuredCreditLedger } from './metrics/measured-credit-ledger.ts';
import { auditLog, clock, unitOfWork } from './platform.ts';
import { provide, provideAs, SharedModule, token } from './provide.ts';

export const creditViews = token<CreditViews>('CreditViews');
export const customerStore = token<CustomerStore>('CustomerStore');
export const creditAudit = token<CreditAudit>('CreditAudit');

@SharedModule(
  [IdentityModule],
  provide(MeasuredCreditLedger, Database, PostgresUnitOfWork, Registry),
  provideAs(creditViews, PostgresCreditViews, Database),
  provideAs(creditAudit, PostgresCreditAudit, Database),
  provideAs(customerStore, PostgresCustomers, Database),
  provide(Customers, customerStore, auditLog, unitOfWork, clock),
  provide(Credits, MeasuredCreditLedger, plans, auditLog, unitOfWork, clock),
)
export class CreditsModule {}
