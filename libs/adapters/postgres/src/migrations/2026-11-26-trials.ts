import { OnlineMigration } from './online-migration.ts';

/** Trials of models by operators. */
export class Trials extends OnlineMigration {
  override readonly statements = [
    `create table trials (
      id bigint generated always as identity primary key,
      model text not null,
      model_revision integer,
      entry jsonb,
      prompt text,
      parameters jsonb not null,
      inputs jsonb not null,
      request_key uuid not null,
      credits integer not null,
      state text not null check (state in ('queued', 'sent', 'submitted', 'succeeded', 'failed')),
      handle jsonb,
      outputs jsonb,
      vendor_cost double precision,
      error jsonb,
      created_at timestamptz not null,
      started_at timestamptz,
      finished_at timestamptz,
      constraint trials_start check (case state
        when 'queued' then started_at is null
        when 'failed' then true
        else started_at is not null end),
      constraint trials_handle check ((state = 'submitted') = (handle is not null)),
      constraint trials_outputs check ((state = 'succeeded') = (outputs is not null)),
      constraint trials_error check ((state = 'failed') = (error is not null)),
      constraint trials_end check ((state in ('succeeded', 'failed')) = (finished_at is not null))
    )`,
    'create unique index trials_one_open on trials (model) where finished_at is null',
    'create index trials_created on trials (created_at)',
  ];

  override down(): void {
    this.addSql(`delete from jobs where name = 'trial.run'`);
    this.addSql(`delete from audit_log where action = 'model.try'`);
    this.addSql('drop table trials');
  }
}
