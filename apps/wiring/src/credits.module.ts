import { Module } from '@nestjs/common';
import { GrantCredits, ReadCredits, type CreditAudit, type CreditLedger } from '#credits';
import { Database, PostgresCreditAudit, PostgresCreditLedger } from '#adapters/postgres';
import { IdentityModule, plans } from './identity.module.ts';
import { clock } from './platform.ts';
import { provide, provideAs, token } from './provide.ts';

export const creditLedger = token<CreditLedger>('CreditLedger');
export const creditAudit = token<CreditAudit>('CreditAudit');

/** What a workspace may spend, and what it spent. */
@Module({
  imports: [IdentityModule],
  providers: [
    provideAs(creditLedger, PostgresCreditLedger, Database),
    provideAs(creditAudit, PostgresCreditAudit, Database),
    provide(GrantCredits, creditLedger, clock),
    provide(ReadCredits, creditLedger, plans, clock),
  ],
  exports: [creditLedger, creditAudit, GrantCredits, ReadCredits],
})
export class CreditsModule {}
