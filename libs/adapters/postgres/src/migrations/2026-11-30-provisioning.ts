import { IndexMigration, OnlineMigration } from './online-migration.ts';

/** Machine tokens of operators, and what applications know workspaces and users by. */
export class Provisioning extends OnlineMigration {
  protected override readonly statements = [
    `create table machine_tokens (
      id bigint generated always as identity primary key,
      name text not null,
      hash bytea not null unique,
      scopes text[] not null,
      created_at timestamptz not null,
      last_used_at timestamptz,
      expires_at timestamptz
    )`,
    'alter table audit_log add column via_name text',
    'alter table workspaces add column name text, add column external_id text, add column suspended_at timestamptz',
    'alter table users add column external_id text, add column is_service boolean not null default false',
  ];

  override down(): void {
    this.addSql('alter table users drop column is_service, drop column external_id');
    this.addSql('alter table workspaces drop column suspended_at, drop column external_id, drop column name');
    this.addSql('alter table audit_log drop column via_name');
    this.addSql('drop table machine_tokens');
  }
}

/** An external id has one workspace, and one user. */
export class ExternalIds extends IndexMigration {
  protected override readonly indexes = [
    { name: 'users_external_id', on: 'users (external_id) where external_id is not null', unique: true },
    { name: 'workspaces_external_id', on: 'workspaces (external_id) where external_id is not null', unique: true },
  ];
}
