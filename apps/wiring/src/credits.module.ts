import { Module } from '@nestjs/common';
import { Registry } from 'prom-client';
import { GrantCredits, ReadCredits, type CreditAudit, type CreditLedger } from '#credits';
import { Database, PostgresCreditAudit, PostgresCreditLedger, PostgresUnitOfWork } from '#adapters/postgres';
import { IdentityModule, plans } from './identity.module.ts';
import { MeasuredCreditLedger } from './metrics/measured-credit-ledger.ts';
import { clock } from './platform.ts';
import { provide, provideAs, token } from './provide.ts';

export const creditLedger = token<CreditLedger>('CreditLedger');
export const creditAudit = token<CreditAudit>('CreditAudit');

/** What a workspace may spend, and what it spent. */
@Module({
  imports: [IdentityModule],
  providers: [
    provide(PostgresCreditLedger, Database),
    provideAs(creditLedger, MeasuredCreditLedger, PostgresCreditLedger, PostgresUnitOfWork, Registry),
    provideAs(creditAudit, PostgresCreditAudit, Database),
    provide(GrantCredits, creditLedger, clock),
    provide(ReadCredits, creditLedger, plans, clock),
  ],
  exports: [creditLedger, creditAudit, GrantCredits, ReadCredits],
})
export class CreditsModule {}
