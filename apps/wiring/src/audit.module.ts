import { Database, PostgresAudit } from '#adapters/postgres';
import type { Audit } from '#audit';
import { provideAs, SharedModule, token } from './provide.ts';

export const audit = token<Audit>('Audit');

/** Checks the invariants of the database. */
@SharedModule([], provideAs(audit, PostgresAudit, Database))
export class AuditModule {}
