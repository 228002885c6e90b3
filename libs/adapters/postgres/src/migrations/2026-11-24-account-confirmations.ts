import { IndexMigration, OnlineMigration } from './online-migration.ts';

/** Profiles, mailed tokens, and where sessions were opened. */
export class AccountConfirmations extends OnlineMigration {
  override readonly statements = [
    'alter table users add column avatar_file_id bigint, add column email_verified_at timestamptz',
    `alter table users add constraint users_avatar_file_id_fkey
       foreign key (avatar_file_id) references files on delete set null not valid`,
    'alter table users validate constraint users_avatar_file_id_fkey',
    'alter table api_tokens add column address text, add column user_agent text',
    `create table account_confirmations (
      id bigint generated always as identity primary key,
      user_id bigint not null references users on delete cascade,
      purpose text not null check (purpose in ('password_reset', 'email')),
      email text not null,
      token_hashes bytea[] not null default '{}',
      created_at timestamptz not null,
      expires_at timestamptz not null,
      constraint account_confirmations_one_of_each_purpose unique (user_id, purpose)
    )`,
    'create index account_confirmations_tokens on account_confirmations using gin (token_hashes)',
  ];

  override down(): void {
    this.addSql('drop table account_confirmations');
    this.addSql('alter table api_tokens drop column address, drop column user_agent');
    this.addSql('alter table users drop column avatar_file_id, drop column email_verified_at');
  }
}

export class AvatarIndex extends IndexMigration {
  override readonly indexes = [
    { name: 'users_avatar_file', on: 'users (avatar_file_id) where avatar_file_id is not null' },
  ];
}
