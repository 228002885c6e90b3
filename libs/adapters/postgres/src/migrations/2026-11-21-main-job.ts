import { Migration } from '@mikro-orm/migrations';

/** Accounts, personas, files, generations, credits, and the tables that requests and jobs share. */
export class MainJob extends Migration {
  override up(): void {
    this.addSql(`
      create table users (
        id bigint generated always as identity primary key,
        email text not null unique check (email = lower(email)),
        name text,
        password_hash text,
        created_at timestamptz not null
      )`);
    this.addSql(`
      create table workspaces (
        id bigint generated always as identity primary key,
        kind text not null check (kind in ('personal', 'team')),
        plan text not null,
        created_at timestamptz not null
      )`);
    // is_team repeats workspaces.kind so that "one team a user" can be an index.
    this.addSql(`
      create table memberships (
        workspace_id bigint not null references workspaces on delete cascade,
        user_id bigint not null references users on delete cascade,
        is_team boolean not null,
        role text not null check (role in ('owner', 'admin', 'member')),
        added_by bigint references users on delete set null,
        joined_at timestamptz not null,
        primary key (workspace_id, user_id)
      )`);
    this.addSql(`create unique index memberships_one_of_each_kind on memberships (user_id, is_team)`);
    this.addSql(`create unique index memberships_one_owner on memberships (workspace_id) where role = 'owner'`);
    this.addSql(`create index memberships_added_by on memberships (added_by) where added_by is not null`);
    this.addSql(`
      create table api_tokens (
        id bigint generated always as identity primary key,
        user_id bigint not null references users on delete cascade,
        name text not null,
        hash bytea not null unique,
        created_at timestamptz not null,
        last_used_at timestamptz,
        expires_at timestamptz
      )`);
    this.addSql(`create index api_tokens_user on api_tokens (user_id, id)`);

    this.addSql(`
      create table personas (
        id bigint generated always as identity primary key,
        workspace_id bigint not null references workspaces on delete cascade,
        created_by bigint not null references users,
        name text not null,
        title text,
        knows text,
        profession text,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        deleted_at timestamptz
      )`);
    this.addSql(`create index personas_workspace on personas (workspace_id, id) where deleted_at is null`);
    this.addSql(`create index personas_creator on personas (created_by, workspace_id, id) where deleted_at is null`);
    // A file whose persona is gone but which something still refers to has no persona.
    this.addSql(`
      create table files (
        id bigint generated always as identity primary key,
        workspace_id bigint not null references workspaces on delete cascade,
        persona_id bigint references personas on delete set null,
        origin text not null check (origin in ('upload', 'import', 'output')),
        key text not null unique,
        filename text not null,
        size bigint not null,
        content_type text not null,
        created_at timestamptz not null,
        expires_at timestamptz,
        review_at timestamptz
      )`);
    this.addSql(`create index files_workspace on files (workspace_id, id)`);
    this.addSql(`create index files_persona on files (persona_id, id) where persona_id is not null`);
    this.addSql(`create index files_due on files (expires_at, id) where expires_at is not null`);
    this.addSql(`create index files_review on files (review_at, id) where review_at is not null`);
    // Keys that no file has, whose bytes are to be deleted: of files that are gone, and, later, of bytes that are
    // just being published unless a file is recorded for them until then.
    this.addSql(`create table discarded_objects (key text primary key, due_at timestamptz not null)`);
    this.addSql(`create index discarded_objects_due on discarded_objects (due_at)`);
    this.addSql(`
      create table uploads (
        id bigint generated always as identity primary key,
        workspace_id bigint not null references workspaces on delete cascade,
        user_id bigint not null references users,
        persona_id bigint not null references personas on delete cascade,
        token text not null unique,
        filename text not null,
        state text not null check (state in ('allocated', 'frozen', 'finalized', 'expired')),
        frozen_key text,
        frozen_size bigint,
        file_id bigint references files on delete set null,
        created_at timestamptz not null,
        expires_at timestamptz not null,
        clean_up_at timestamptz,
        check ((state = 'frozen') = (frozen_key is not null and frozen_size is not null))
      )`);
    this.addSql(`create index uploads_workspace on uploads (workspace_id)`);
    this.addSql(`create index uploads_user on uploads (user_id)`);
    this.addSql(`create index uploads_persona on uploads (persona_id)`);
    this.addSql(`create index uploads_file on uploads (file_id) where file_id is not null`);
    this.addSql(`create index uploads_due on uploads (clean_up_at, id) where clean_up_at is not null`);

    this.addSql(`
      create table trainings (
        id bigint generated always as identity primary key,
        workspace_id bigint not null references workspaces on delete cascade,
        persona_id bigint not null references personas on delete cascade,
        slot smallint check (slot between 1 and 7),
        source_url text not null,
        file_id bigint references files,
        state text not null check (state in ('created', 'processed', 'failed')),
        error text,
        extras text,
        info text,
        created_at timestamptz not null,
        picture_version integer not null,
        check ((state = 'processed') = (file_id is not null)),
        check ((state = 'failed') = (error is not null))
      )`);
    this.addSql(`create unique index trainings_one_per_slot on trainings (persona_id, slot) where slot is not null`);
    this.addSql(`create index trainings_persona on trainings (persona_id, id)`);
    this.addSql(`create index trainings_likes on trainings (persona_id, id) where slot is null`);
    this.addSql(`create index trainings_workspace on trainings (workspace_id)`);
    this.addSql(`create index trainings_file on trainings (file_id) where file_id is not null`);

    this.addSql(`
      create table generations (
        id bigint generated always as identity primary key,
        workspace_id bigint not null references workspaces on delete cascade,
        user_id bigint not null references users,
        persona_id bigint references personas on delete set null,
        model text not null,
        kind text not null check (kind in ('image', 'video')),
        state text not null check (state in ('queued', 'running', 'succeeded', 'failed', 'canceled')),
        prompt text,
        parameters jsonb not null,
        image_url text,
        image_file_id bigint references files on delete set null,
        style_url text,
        style_file_id bigint references files on delete set null,
        cost integer not null check (cost >= 0),
        progress double precision not null default 0,
        error_code text,
        error text,
        attempt integer not null default 0,
        created_at timestamptz not null,
        started_at timestamptz,
        finished_at timestamptz
      )`);
    this.addSql(`create index generations_workspace on generations (workspace_id, id)`);
    this.addSql(`create index generations_user on generations (user_id)`);
    this.addSql(`create index generations_persona on generations (persona_id) where persona_id is not null`);
    this.addSql(`create index generations_image_file on generations (image_file_id) where image_file_id is not null`);
    this.addSql(`create index generations_style_file on generations (style_file_id) where style_file_id is not null`);
    this.addSql(`create index generations_open on generations (id) where state in ('queued', 'running')`);
    this.addSql(`
      create table generation_outputs (
        generation_id bigint not null references generations on delete cascade,
        position smallint not null,
        file_id bigint not null references files on delete cascade,
        content_type text not null,
        width integer not null,
        height integer not null,
        duration double precision,
        primary key (generation_id, position)
      )`);
    this.addSql(`create index generation_outputs_file on generation_outputs (file_id)`);

    // The ledger is the truth; the two tables of sums are kept with it and can be rebuilt from it.
    // amount is what the entry adds to the month's use: a reservation its cost, a charge 0, a release minus the cost;
    // a grant adds to what the month has instead.
    this.addSql(`
      create table credit_entries (
        id bigint generated always as identity primary key,
        key text not null unique,
        workspace_id bigint not null references workspaces on delete cascade,
        user_id bigint references users,
        generation_id bigint references generations,
        month date not null,
        kind text not null check (kind in ('reserve', 'settle', 'release', 'grant')),
        amount integer not null,
        reason text,
        created_at timestamptz not null
      )`);
    this.addSql(`create index credit_entries_month on credit_entries (workspace_id, month, id)`);
    this.addSql(`create index credit_entries_user on credit_entries (user_id) where user_id is not null`);
    this.addSql(
      `create index credit_entries_generation on credit_entries (generation_id) where generation_id is not null`,
    );
    this.addSql(`
      create table credit_months (
        workspace_id bigint not null references workspaces on delete cascade,
        month date not null,
        used integer not null check (used >= 0),
        granted integer not null default 0,
        primary key (workspace_id, month)
      )`);
    this.addSql(`
      create table credit_usage (
        workspace_id bigint not null references workspaces on delete cascade,
        month date not null,
        user_id bigint not null references users,
        used integer not null,
        generations integer not null,
        primary key (workspace_id, month, user_id)
      )`);
    this.addSql(`create index credit_usage_user on credit_usage (user_id)`);

    // The outbox: a job stands here from the commit that announced it until it is done or given up. attempts only
    // ever grows (it fences); started_at is set while a worker has the job, so that a start that finds it set
    // knows that the worker before died; deliveries makes the queue's id of each delivery a new one.
    this.addSql(`
      create table jobs (
        id bigint generated always as identity primary key,
        name text not null,
        payload jsonb not null,
        attempts integer not null default 0,
        failures integer not null default 0,
        crashes integer not null default 0,
        deliveries integer not null default 0,
        due_at timestamptz not null,
        relayed_at timestamptz,
        started_at timestamptz,
        last_error text,
        created_at timestamptz not null
      )`);
    this.addSql(`create index jobs_unrelayed on jobs (due_at, id) where relayed_at is null`);
    this.addSql(`create index jobs_relayed on jobs (relayed_at, id) where relayed_at is not null`);

    this.addSql(`
      create table idempotency_keys (
        caller text not null,
        key_hash bytea not null,
        request_hash bytea not null,
        status smallint not null,
        answer bytea not null,
        created_at timestamptz not null,
        primary key (caller, key_hash)
      )`);
    this.addSql(`create index idempotency_keys_age on idempotency_keys (created_at)`);
    // Unlogged: losing the counts in a crash is harmless, and counting costs no flush to disk.
    this.addSql(`
      create unlogged table rate_limits
        (key varchar(255) primary key, points integer not null default 0, expire bigint)`);
    this.addSql(`create index rate_limits_expire on rate_limits (expire)`);
  }

  override down(): void {
    this.addSql(`
      drop table rate_limits, idempotency_keys, jobs, credit_usage, credit_months, credit_entries, generation_outputs,
        generations, trainings, uploads, discarded_objects, files, personas, api_tokens, memberships, workspaces,
        users`);
  }
}
