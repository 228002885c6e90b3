import { OnlineMigration } from './online-migration.ts';

/** Settings of calls that are saved under a name. A preset outlives its persona, so nothing holds that reference. */
export class Presets extends OnlineMigration {
  protected override readonly statements = [
    `create table presets (
      id bigint generated always as identity primary key,
      workspace_id bigint not null references workspaces on delete cascade,
      created_by bigint not null references users,
      name text not null,
      model text not null,
      prompt text,
      parameters jsonb not null,
      persona_id bigint,
      style_transfer text,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint presets_name_is_unique unique (workspace_id, name)
    )`,
    'create index presets_newest on presets (workspace_id, id)',
  ];

  override down(): void {
    this.addSql(`delete from audit_log where action = 'preset.delete'`);
    this.addSql('drop table presets');
  }
}
