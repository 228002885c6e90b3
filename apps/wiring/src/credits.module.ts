import { Registry } from 'prom-client';
import { Credits, type CreditAudit, type CreditViews } from '#credits';
import { Database, PostgresCreditAudit, PostgresCreditViews, PostgresUnitOfWork } from '#adapters/postgres';
import { IdentityModule, plans } from './identity.module.ts';
import { MeasuredCreditLedger } from './metrics/measured-credit-ledger.ts';
import { auditLog, clock, unitOfWork } from './platform.ts';
import { provide, provideAs, SharedModule, token } from './provide.ts';

export const creditViews = token<CreditViews>('CreditViews');
export const creditAudit = token<CreditAudit>('CreditAudit');

@SharedModule(
  [IdentityModule],
  provide(MeasuredCreditLedger, Database, PostgresUnitOfWork, Registry),
  provideAs(creditViews, PostgresCreditViews, Database),
  provideAs(creditAudit, PostgresCreditAudit, Database),
  provide(Credits, MeasuredCreditLedger, plans, auditLog, unitOfWork, clock),
)
export class CreditsModule {}
