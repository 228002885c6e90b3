import { OnlineMigration } from './online-migration.ts';

/** Two-factor of users, their recovery codes, and the challenges of log-ins that need a code. */
export class TwoFactor extends OnlineMigration {
  override readonly statements = [
    `create table two_factors (
      user_id bigint primary key references users on delete cascade,
      secret text not null,
      created_at timestamptz not null,
      confirmed_at timestamptz,
      last_step bigint not null default 0,
      failures integer not null default 0,
      failed_at timestamptz
    )`,
    `create table recovery_codes (
      user_id bigint not null references two_factors on delete cascade,
      hash bytea not null,
      primary key (user_id, hash)
    )`,
    `create table log_in_challenges (
      id bigint generated always as identity primary key,
      user_id bigint not null references users on delete cascade,
      hash bytea not null,
      tries integer not null default 0,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      constraint log_in_challenges_hash unique (hash)
    )`,
    'create index log_in_challenges_user on log_in_challenges (user_id)',
  ];

  override down(): void {
    this.addSql('drop table log_in_challenges, recovery_codes, two_factors');
  }
}
