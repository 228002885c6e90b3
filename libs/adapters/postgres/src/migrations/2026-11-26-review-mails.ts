import { OnlineMigration } from './online-migration.ts';

/** Mails of mentions and decisions, and whether a user wants them. */
export class ReviewMails extends OnlineMigration {
  protected override readonly statements = [
    'alter table users add column review_mails boolean not null default true',
    `create table review_notices (
      id bigint generated always as identity primary key,
      board_id bigint not null references boards on delete cascade,
      user_id bigint not null references users,
      comment_id bigint references comments on delete cascade,
      decision_id bigint references decisions on delete cascade,
      is_told boolean not null default false,
      constraint review_notices_of_one check ((comment_id is null) <> (decision_id is null))
    )`,
    'create unique index review_notices_of_comment on review_notices (comment_id, user_id)',
    'create unique index review_notices_of_decision on review_notices (decision_id, user_id)',
    'create index review_notices_to_tell on review_notices (board_id, user_id) where not is_told',
    'create index review_notices_of_user on review_notices (user_id)',
    `create table review_mails (
      board_id bigint not null references boards on delete cascade,
      user_id bigint not null references users,
      sent_at timestamptz,
      is_announced boolean not null,
      primary key (board_id, user_id)
    )`,
    'create index review_mails_of_user on review_mails (user_id)',
  ];

  override down(): void {
    this.addSql('drop table review_mails, review_notices');
    this.addSql('alter table users drop column review_mails');
  }
}
