import { OnlineMigration } from './online-migration.ts';

/** Grants of users to applications. Each belongs to a token, and its access tokens are made with that token. */
export class Grants extends OnlineMigration {
  protected override readonly statements = [
    `create table oauth_grants (
      token_id bigint primary key references api_tokens on delete cascade,
      client_id text not null,
      redirect_uri text not null,
      code_hash bytea not null unique,
      code_challenge text not null,
      code_expires_at timestamptz not null,
      redeemed_at timestamptz,
      refresh_hash bytea,
      former_hashes bytea[] not null default '{}'
    )`,
    'alter table api_tokens drop constraint api_tokens_kind_check',
    `alter table api_tokens add constraint api_tokens_kind_check
      check (kind in ('api', 'log_in', 'session', 'grant', 'access')) not valid`,
  ];

  override down(): void {
    this.addSql('drop table oauth_grants');
    this.addSql(`delete from api_tokens where kind in ('grant', 'access')`);
    this.addSql('alter table api_tokens drop constraint api_tokens_kind_check');
    this.addSql(
      `alter table api_tokens add constraint api_tokens_kind_check check (kind in ('api', 'log_in', 'session'))`,
    );
  }
}

export class ValidTokenKinds extends OnlineMigration {
  protected override readonly statements = ['alter table api_tokens validate constraint api_tokens_kind_check'];

  override down(): void {}
}
