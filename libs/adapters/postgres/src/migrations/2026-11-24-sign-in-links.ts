import { OnlineMigration } from './online-migration.ts';

/** Links by which users sign in once. The table stays small: each new link deletes those that have expired. */
export class SignInLinks extends OnlineMigration {
  override readonly statements = [
    `create table sign_in_links (
      id bigint generated always as identity primary key,
      user_id bigint not null references users on delete cascade,
      hash bytea not null,
      is_local boolean not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      used_at timestamptz,
      constraint sign_in_links_hash unique (hash)
    )`,
    'create index sign_in_links_user on sign_in_links (user_id)',
  ];

  override down(): void {
    this.addSql('drop table sign_in_links');
  }
}
