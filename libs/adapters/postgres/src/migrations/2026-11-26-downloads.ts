import { OnlineMigration } from './online-migration.ts';

/** Links to zips of files, and which of them are being sent. */
export class Downloads extends OnlineMigration {
  override readonly statements = [
    `create table downloads (
      id bigint generated always as identity primary key,
      hash bytea not null unique,
      workspace_id bigint not null references workspaces on delete cascade,
      user_id bigint not null,
      token_id bigint not null,
      selection jsonb not null,
      expires_at timestamptz not null,
      runs_until timestamptz
    )`,
    'create index downloads_user on downloads (user_id)',
    'create index downloads_workspace on downloads (workspace_id)',
  ];

  override down(): void {
    this.addSql('drop table downloads');
  }
}
