import { OnlineMigration } from './online-migration.ts';

/** Providers and models that operators add to the catalogue while the service runs. */
export class Catalogue extends OnlineMigration {
  override readonly statements = [
    // The lock on its row makes changes of the catalogue wait for each other.
    `create table catalogue (
      is_only boolean primary key default true check (is_only),
      version bigint not null default 0
    )`,
    'insert into catalogue default values',
    `create table catalogue_providers (
      id bigint generated always as identity primary key,
      name text not null,
      revision integer not null,
      type text not null,
      base_url text,
      key text,
      key_end text,
      max_concurrent integer not null,
      submissions_per_minute integer,
      changed_at timestamptz not null,
      constraint catalogue_providers_name unique (name)
    )`,
    `create table catalogue_models (
      id bigint generated always as identity primary key,
      name text not null,
      revision integer not null,
      entry jsonb not null,
      is_offered boolean not null,
      added_at timestamptz not null,
      replaced_at timestamptz,
      constraint catalogue_models_revision unique (name, revision)
    )`,
    'create unique index catalogue_models_current on catalogue_models (name) where replaced_at is null',
    'alter table generations add column model_revision integer',
    'alter table audit_log alter column workspace_id drop not null',
  ];

  override down(): void {
    this.addSql('delete from audit_log where workspace_id is null');
    this.addSql('alter table audit_log alter column workspace_id set not null');
    this.addSql('alter table generations drop column model_revision');
    this.addSql('drop table catalogue_models, catalogue_providers, catalogue');
  }
}
