import { IndexMigration, OnlineMigration } from './online-migration.ts';

/** Events of workspaces, and the endpoints that get them. */
export class Events extends OnlineMigration {
  protected override readonly statements = [
    `create table events (
      seq bigint generated always as identity primary key,
      id uuid not null default gen_random_uuid(),
      workspace_id bigint not null references workspaces on delete cascade,
      number bigint,
      type text not null,
      subject_id text not null,
      customer text,
      user_id bigint,
      facts jsonb not null,
      webhook text,
      key text,
      data json,
      created_at timestamptz not null,
      check ((number is null) = (data is null))
    )`,
    // Else the planner of a workspace with few types reads all events to find those of a rare type.
    'alter table events alter column type set (n_distinct = 1000)',
    'create index events_unpublished on events (seq) where number is null',
    'create unique index events_number on events (workspace_id, number) where number is not null',
    'create index events_type on events (workspace_id, type, number) where number is not null',
    'create index events_subject on events (workspace_id, subject_id, number) where number is not null',
    'create index events_customer on events (workspace_id, customer, number) where customer is not null',
    'create unique index events_key on events (workspace_id, key) where key is not null',
    'create index events_user on events (user_id) where user_id is not null',
    'create index events_age on events (created_at)',
    `create table event_counts (
      workspace_id bigint primary key references workspaces on delete cascade,
      last bigint not null
    )`,
    `create table webhook_endpoints (
      id bigint generated always as identity primary key,
      workspace_id bigint not null references workspaces on delete cascade,
      url text not null,
      types text[],
      description text,
      is_active boolean not null,
      secret text not null,
      previous text,
      rotated_at timestamptz,
      failing_since timestamptz,
      last_error text,
      run bigint not null default 0,
      is_running boolean not null default false,
      created_at timestamptz not null
    )`,
    'create index webhook_endpoints_workspace on webhook_endpoints (workspace_id, id)',
    `alter table webhook_deliveries
      add column endpoint_id bigint,
      add column event_seq bigint,
      add column subject text,
      drop constraint webhook_deliveries_about,
      add constraint webhook_deliveries_about check (num_nonnulls(generation_id, batch_id, endpoint_id) = 1) not valid,
      add constraint webhook_deliveries_endpoint_id_fkey
        foreign key (endpoint_id) references webhook_endpoints on delete cascade not valid,
      add constraint webhook_deliveries_event_seq_fkey
        foreign key (event_seq) references events on delete cascade not valid`,
  ];

  override down(): void {
    this.addSql('delete from webhook_deliveries where endpoint_id is not null');
    this.addSql(`alter table webhook_deliveries
      drop constraint webhook_deliveries_about,
      add constraint webhook_deliveries_about check ((generation_id is null) <> (batch_id is null)),
      drop column endpoint_id,
      drop column event_seq,
      drop column subject`);
    this.addSql('drop table webhook_endpoints, event_counts, events');
  }
}

/** How the next deliveries of an endpoint are found: in the order of a subject. */
export class EndpointDeliveryIndexes extends IndexMigration {
  protected override readonly indexes = [
    {
      name: 'webhook_deliveries_of_endpoint',
      on: 'webhook_deliveries (endpoint_id, event_seq) where endpoint_id is not null',
      unique: true,
    },
    {
      name: 'webhook_deliveries_pending',
      on: `webhook_deliveries (endpoint_id, event_seq) where endpoint_id is not null and state = 'pending'`,
    },
    {
      name: 'webhook_deliveries_subject',
      on: `webhook_deliveries (endpoint_id, subject, event_seq) where endpoint_id is not null and state = 'pending'`,
    },
    { name: 'webhook_deliveries_event', on: 'webhook_deliveries (event_seq) where event_seq is not null' },
  ];
}

/** In a transaction of its own: it reads the table, while it can be written. */
export class ValidEndpointDeliveries extends OnlineMigration {
  protected override readonly statements = [
    'alter table webhook_deliveries validate constraint webhook_deliveries_about',
    'alter table webhook_deliveries validate constraint webhook_deliveries_endpoint_id_fkey',
    'alter table webhook_deliveries validate constraint webhook_deliveries_event_seq_fkey',
  ];

  /** There is nothing to revert: a valid constraint stays one. */
  override down(): void {
    this.addSql('select 1');
  }
}
