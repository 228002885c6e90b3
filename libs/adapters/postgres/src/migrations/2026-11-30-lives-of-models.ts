import { IndexMigration, OnlineMigration } from './online-migration.ts';

/** The name in a call, and models that vendors say they do not have. */
export class LivesOfModels extends OnlineMigration {
  protected override readonly statements = [
    'alter table generations add column requested_model text',
    `create table vendor_doubts (
      id bigint generated always as identity primary key,
      model text not null,
      revision integer not null,
      target text not null,
      refusals jsonb not null,
      gone_since timestamptz,
      changed_at timestamptz not null,
      constraint vendor_doubts_model_is_unique unique (model, revision, target)
    )`,
  ];

  override down(): void {
    this.addSql('drop table vendor_doubts');
    this.addSql('alter table generations drop column requested_model');
  }
}

/** How the callers, presets and styles that name a model are found. */
export class UsesOfModels extends IndexMigration {
  protected override readonly indexes = [
    {
      name: 'generations_by_model',
      on: 'generations (model, created_at) include (workspace_id, user_id, requested_model)',
    },
    {
      name: 'generations_by_requested_model',
      on: 'generations (requested_model, created_at) where requested_model is not null',
    },
    { name: 'presets_model', on: 'presets (model, id)' },
    { name: 'styles_model', on: 'styles (model, id)' },
  ];
}
