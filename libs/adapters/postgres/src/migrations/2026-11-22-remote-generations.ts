import { Migration } from '@mikro-orm/migrations';

/** Generations by vendors: more kinds and inputs, and what each vendor was asked to do. */
export class RemoteGenerations extends Migration {
  override up(): void {
    this.addSql(`alter table generations drop constraint generations_kind_check`);
    this.addSql(`
      alter table generations add constraint generations_kind_check
        check (kind in ('image', 'video', 'vector', 'model3d', 'mask'))`);
    this.addSql(`alter table generations add column webhook text`);
    this.addSql(`
      create table generation_inputs (
        generation_id bigint not null references generations on delete cascade,
        input text not null check (input in ('references', 'mask', 'control')),
        position smallint not null,
        url text,
        key text,
        file_id bigint references files on delete set null,
        primary key (generation_id, input, position)
      )`);
    this.addSql(`create index generation_inputs_file on generation_inputs (file_id) where file_id is not null`);
    this.addSql(`
      create table submissions (
        generation_id bigint primary key references generations on delete cascade,
        provider text not null,
        request_key uuid not null unique,
        attempt integer not null,
        state text not null
          check (state in ('intended', 'unknown', 'submitted', 'ended', 'canceling', 'closed')),
        handle jsonb,
        outputs jsonb,
        failure jsonb,
        number integer not null default 1,
        intended_at timestamptz not null,
        give_up_at timestamptz not null,
        submitted_at timestamptz,
        next_check_at timestamptz,
        checks integer not null default 0,
        vendor_cost double precision
      )`);
    this.addSql(`insert into job_queues (queue, bulk) values ('outputs', false), ('outputs', true)`);
    this.addSql(`create index submissions_due on submissions (provider, next_check_at) where state = 'submitted'`);
  }

  override down(): void {
    this.addSql(`delete from job_queues where queue = 'outputs'`);
    this.addSql(`delete from jobs where queue = 'outputs'`);
    this.addSql(`drop table submissions, generation_inputs`);
    this.addSql(`alter table generations drop column webhook`);
    this.addSql(`alter table generations drop constraint generations_kind_check`);
    this.addSql(`alter table generations add constraint generations_kind_check check (kind in ('image', 'video'))`);
  }
}
