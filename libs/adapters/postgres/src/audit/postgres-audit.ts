import type { Audit, AuditFinding } from '#audit';
import type { Database } from '../database.ts';
import { AUDIT_RULES } from './audit-rules.ts';

export class PostgresAudit implements Audit {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async findings(examples = 5): Promise<AuditFinding[]> {
    const findings: AuditFinding[] = [];
    for (const [rule, statement] of STATEMENTS) {
      const row = await this.#database.one<Omit<AuditFinding, 'rule'>>(statement, [examples]);
      if (row!.found > 0) findings.push({ rule, ...row! });
    }
    return findings;
  }
}

const STATEMENTS = Object.entries(AUDIT_RULES).map(
  ([rule, exceptions]) =>
    [
      rule,
      `with exceptions as materialized (${exceptions})
       select (select count(*) from exceptions) as found,
         (select coalesce(json_agg(example), '[]') from (select * from exceptions limit $1) example) as examples`,
    ] as const,
);
