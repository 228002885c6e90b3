import { OnlineMigration } from './online-migration.ts';

/** Who did what in a workspace. Without foreign keys: entries outlive what they name. */
export class AuditLog extends OnlineMigration {
  override readonly statements = [
    `create table audit_log (
      id bigint generated always as identity primary key,
      workspace_id bigint not null,
      at timestamptz not null,
      actor text not null check (actor in ('user', 'operator', 'system')),
      user_id bigint,
      via text check (via in ('token', 'session', 'cli')),
      action text not null,
      target_type text not null,
      target_id bigint not null,
      target_name text,
      details jsonb not null,
      address text,
      request_id text,
      constraint audit_log_user check ((actor = 'user') = (user_id is not null))
    )`,
    'create index audit_log_time on audit_log (workspace_id, at, id)',
    'create index audit_log_user on audit_log (workspace_id, user_id, at, id) where user_id is not null',
    'create index audit_log_others on audit_log (workspace_id, actor, at, id) where user_id is null',
    'create index audit_log_action on audit_log (workspace_id, action, at, id)',
    'create index audit_log_target on audit_log (workspace_id, target_type, target_id, at, id)',
    'create index audit_log_age on audit_log (at)',
  ];

  override down(): void {
    this.addSql('drop table audit_log');
  }
}
