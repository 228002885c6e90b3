import { IndexMigration, OnlineMigration } from './online-migration.ts';

/**
 * What is made with a token ends with it. Tokens of before have no such token: of a session nobody knows any more
 * whether a password or a token opened it.
 */
export class DerivedTokens extends OnlineMigration {
  override readonly changesFewRows = 'users have few log-ins that have not expired, and only their rows are locked';
  override readonly statements = [
    `alter table api_tokens add column kind text not null default 'api', add column parent_id bigint`,
    `alter table api_tokens
       add constraint api_tokens_kind_check check (kind in ('api', 'log_in', 'session')) not valid,
       add constraint api_tokens_parent_id_fkey
         foreign key (parent_id) references api_tokens on delete cascade not valid`,
    `alter table api_tokens validate constraint api_tokens_kind_check`,
    `alter table api_tokens validate constraint api_tokens_parent_id_fkey`,
    `update api_tokens set kind = 'log_in' where name in ('log-in', 'sign-up')`,
  ];

  override down(): void {
    this.addSql(`alter table api_tokens drop column parent_id, drop column kind`);
  }
}

export class DerivedTokensIndex extends IndexMigration {
  override readonly indexes = [{ name: 'api_tokens_parent', on: 'api_tokens (parent_id) where parent_id is not null' }];
}
