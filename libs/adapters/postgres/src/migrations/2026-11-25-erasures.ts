import { IndexMigration, OnlineMigration } from './online-migration.ts';

/** Erased persons keep their row in `users`, without an address, for what they left to teams. */
export class Erasures extends OnlineMigration {
  override readonly statements = [
    'alter table users alter column email drop not null',
    'alter table users add column erasure_requested_at timestamptz, add column erased_at timestamptz',
    `alter table users add constraint users_erased
       check ((email is null) = (erasure_requested_at is not null)) not valid`,
    'alter table users validate constraint users_erased',
    'alter table workspaces add column erasure_requested_at timestamptz',
    'alter table discarded_objects add column workspace_id bigint',
  ];

  override down(): void {
    this.addSql('alter table discarded_objects drop column workspace_id');
    this.addSql('alter table workspaces drop column erasure_requested_at');
    this.addSql('alter table users drop column erased_at, drop column erasure_requested_at');
  }
}

export class DiscardedObjectsOfWorkspace extends IndexMigration {
  override readonly indexes = [
    { name: 'discarded_objects_workspace', on: 'discarded_objects (workspace_id) where workspace_id is not null' },
  ];
}
