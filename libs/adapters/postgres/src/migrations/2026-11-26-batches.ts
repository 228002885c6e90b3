import { IndexMigration, OnlineMigration } from './online-migration.ts';

/** Batches of generations, their jobs, and the deliveries of their webhooks. */
export class Batches extends OnlineMigration {
  override readonly statements = [
    `create table batches (
      id bigint generated always as identity primary key,
      workspace_id bigint not null references workspaces on delete cascade,
      user_id bigint not null references users,
      name text not null,
      state text not null check (state in ('running', 'paused', 'canceling', 'ended')),
      webhook text,
      matrix jsonb,
      total integer not null check (total > 0),
      cost integer not null,
      created_at timestamptz not null,
      ended_at timestamptz,
      constraint batches_end check ((state = 'ended') = (ended_at is not null))
    )`,
    'create index batches_workspace on batches (workspace_id, id)',
    'alter table generations add column batch_id bigint, add column cell integer',
    `alter table generations add constraint generations_batch_id_fkey
      foreign key (batch_id) references batches not valid`,
    'alter table jobs add column batch_id bigint',
    'alter table webhook_deliveries alter column generation_id drop not null, add column batch_id bigint',
    `alter table webhook_deliveries add constraint webhook_deliveries_batch_id_fkey
      foreign key (batch_id) references batches on delete cascade not valid`,
    `alter table webhook_deliveries add constraint webhook_deliveries_about
      check ((generation_id is null) <> (batch_id is null)) not valid`,
  ];

  override down(): void {
    this.addSql(`delete from jobs where name = 'batch.cancel'`);
    this.addSql('delete from webhook_deliveries where batch_id is not null');
    this.addSql('alter table webhook_deliveries drop column batch_id, alter column generation_id set not null');
    this.addSql('alter table jobs drop column batch_id');
    this.addSql('alter table generations drop column batch_id, drop column cell');
    this.addSql('drop table batches');
  }
}

/** How the cells of a batch are found and counted, and its jobs. A cell has one generation. */
export class BatchIndexes extends IndexMigration {
  protected override readonly indexes = [
    { name: 'generations_cell', on: 'generations (batch_id, cell) where cell is not null', unique: true },
    { name: 'generations_cell_state', on: 'generations (batch_id, state, cell) where cell is not null' },
    { name: 'generations_of_batch', on: 'generations (batch_id, id) where batch_id is not null' },
    { name: 'jobs_batch', on: 'jobs (batch_id) where batch_id is not null' },
    { name: 'webhook_deliveries_batch', on: 'webhook_deliveries (batch_id) where batch_id is not null' },
  ];
}

/** In a transaction of its own: it reads the tables, while they can be written. */
export class ValidBatches extends OnlineMigration {
  protected override readonly statements = [
    'alter table generations validate constraint generations_batch_id_fkey',
    'alter table webhook_deliveries validate constraint webhook_deliveries_batch_id_fkey',
    'alter table webhook_deliveries validate constraint webhook_deliveries_about',
  ];
}
