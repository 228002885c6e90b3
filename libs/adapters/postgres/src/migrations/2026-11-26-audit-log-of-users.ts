import { IndexMigration } from './online-migration.ts';

/**
 * The user comes first in the index of users: erasures and exports read the entries of a user in all workspaces. An
 * actor in one workspace is found as before.
 */
export class AuditLogOfUsers extends IndexMigration {
  override readonly indexes = [
    { name: 'audit_log_user', on: 'audit_log (user_id, workspace_id, at, id) where user_id is not null' },
  ];
}
