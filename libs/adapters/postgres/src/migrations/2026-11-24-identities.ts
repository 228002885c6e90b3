import { OnlineMigration } from './online-migration.ts';

/** Identities at issuers of OpenID Connect, by which users sign in. */
export class Identities extends OnlineMigration {
  override readonly statements = [
    `create table identities (
      id bigint generated always as identity primary key,
      user_id bigint not null references users on delete cascade,
      issuer text not null,
      subject text not null,
      email text,
      created_at timestamptz not null,
      constraint identities_one_user unique (issuer, subject)
    )`,
    'create index identities_user on identities (user_id)',
  ];

  override down(): void {
    this.addSql('drop table identities');
  }
}
