import { Module } from '@nestjs/common';
import { Registry } from 'prom-client';
import { Credits, type CreditAudit, type CreditLedger } from '#credits';
import { Database, PostgresCreditAudit, PostgresCreditLedger, PostgresUnitOfWork } from '#adapters/postgres';
import { IdentityModule, plans } from './identity.module.ts';
import { MeasuredCreditLedger } from './metrics/measured-credit-ledger.ts';
import { clock } from './platform.ts';
import { provide, provideAs, token } from './provide.ts';

export const creditLedger = token<CreditLedger>('CreditLedger');
export const creditAudit = token<CreditAudit>('CreditAudit');

@Module({
  imports: [IdentityModule],
  providers: [
    provide(PostgresCreditLedger, Database),
    provideAs(creditLedger, MeasuredCreditLedger, PostgresCreditLedger, PostgresUnitOfWork, Registry),
    provideAs(creditAudit, PostgresCreditAudit, Database),
    provide(Credits, creditLedger, plans, clock),
  ],
  exports: [creditLedger, creditAudit, Credits],
})
export class CreditsModule {}
