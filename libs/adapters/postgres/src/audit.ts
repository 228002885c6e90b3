import { sql } from 'kysely';
import type { Audit, AuditFinding } from '#audit';
import { AUDIT_RULES } from './audit-rules.ts';
import type { Database } from './database.ts';

export class PostgresAudit implements Audit {
  constructor(private readonly database: Database) {}

  async findings(examples = 5): Promise<AuditFinding[]> {
    const findings: AuditFinding[] = [];
    for (const [rule, exceptions] of Object.entries(AUDIT_RULES)) {
      const { rows } = await sql<Omit<AuditFinding, 'rule'>>`
        with exceptions as materialized (${sql.raw(exceptions)})
        select (select count(*) from exceptions) as found,
          (select coalesce(json_agg(example), '[]') from (select * from exceptions limit ${examples}) example)
            as examples`.execute(this.database.kysely);
      findings.push(...rows.filter(({ found }) => found > 0).map((row) => ({ rule, ...row })));
    }
    return findings;
  }
}
