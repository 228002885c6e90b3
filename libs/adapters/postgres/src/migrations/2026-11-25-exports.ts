import { OnlineMigration } from './online-migration.ts';

/** Exports of a person's data, and their queue. */
export class Exports extends OnlineMigration {
  override readonly statements = [
    `create table exports (
      id bigint generated always as identity primary key,
      user_id bigint not null references users,
      state text not null check (state in ('queued', 'running', 'ready', 'expired', 'failed')),
      attempt integer,
      key text,
      size bigint,
      created_at timestamptz not null,
      expires_at timestamptz,
      ended_at timestamptz,
      constraint exports_run check ((state = 'running') = (attempt is not null)),
      constraint exports_zip check ((state in ('running', 'ready')) = (key is not null)),
      constraint exports_ready check ((state = 'ready') = (size is not null and expires_at is not null)),
      constraint exports_end check ((state in ('expired', 'failed')) = (ended_at is not null))
    )`,
    `create unique index exports_one_under_way on exports (user_id) where state in ('queued', 'running')`,
    'create index exports_user on exports (user_id, id)',
    'create unique index exports_key on exports (key) where key is not null',
    `create index exports_expiry on exports (expires_at) where state = 'ready'`,
    'create index exports_end on exports (ended_at) where ended_at is not null',
    `insert into job_queues (queue, bulk) values ('exports', false), ('exports', true)
      on conflict do nothing`,
  ];

  override down(): void {
    this.addSql(`delete from job_queues where queue = 'exports'`);
    this.addSql(`delete from jobs where queue = 'exports'`);
    this.addSql('drop table exports');
  }
}
