import { Module } from '@nestjs/common';
import { Database, PostgresAudit } from '#adapters/postgres';
import type { Audit } from '#audit';
import { provideAs, token } from './provide.ts';

export const audit = token<Audit>('Audit');

/** The check of the database's invariants. */
@Module({ providers: [provideAs(audit, PostgresAudit, Database)], exports: [audit] })
export class AuditModule {}
