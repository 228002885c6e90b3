import { Migration } from '@mikro-orm/migrations';

/** Calls of the webhooks of generations, what they are signed with, and their queue. */
export class Webhooks extends Migration {
  override up(): void {
    this.addSql(`
      create table webhook_secrets (
        workspace_id bigint primary key references workspaces on delete cascade,
        secret text not null,
        previous text,
        rotated_at timestamptz
      )`);
    this.addSql(`
      create table webhook_deliveries (
        id bigint generated always as identity primary key,
        workspace_id bigint not null references workspaces on delete cascade,
        generation_id bigint not null references generations on delete cascade,
        url text not null,
        message_id text not null,
        state text not null check (state in ('pending', 'delivered', 'failed')),
        revision integer not null default 1,
        tries integer not null default 0,
        attempts jsonb not null default '[]',
        next_attempt_at timestamptz,
        created_at timestamptz not null,
        check ((state = 'pending') = (next_attempt_at is not null))
      )`);
    this.addSql(`create index webhook_deliveries_workspace on webhook_deliveries (workspace_id, id)`);
    this.addSql(`create index webhook_deliveries_generation on webhook_deliveries (generation_id)`);
    this.addSql(`create index webhook_deliveries_age on webhook_deliveries (created_at)`);
    this.addSql(`insert into job_queues (queue, bulk) values ('webhooks', false), ('webhooks', true)`);
  }

  override down(): void {
    this.addSql(`delete from job_queues where queue = 'webhooks'`);
    this.addSql(`delete from jobs where queue = 'webhooks'`);
    this.addSql(`drop table webhook_deliveries, webhook_secrets`);
  }
}
