import { connectPostgres, PostgresAudit } from '#adapters/postgres';
import type { AuditFinding } from '#audit';

/** Findings of the audit in a database; nothing when all is well. */
export async function auditFindings(databaseUrl: string): Promise<readonly AuditFinding[]> {
  const connection = await connectPostgres(databaseUrl, { poolSize: 1 });
  try {
    return await new PostgresAudit(connection.database).findings();
  } finally {
    await connection.close();
  }
}
