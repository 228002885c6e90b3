import { IndexMigration } from './online-migration.ts';

/** The audit log of operators, in the order of time. */
export class AuditOfOperators extends IndexMigration {
  protected override readonly indexes = [
    {
      name: 'audit_log_operators',
      on: `audit_log (at, id) where workspace_id is null or actor = 'operator' or action = 'account.operator_change'`,
    },
  ];
}
