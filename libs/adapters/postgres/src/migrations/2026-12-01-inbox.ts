import { OnlineMigration } from './online-migration.ts';

/** Entries of inboxes, and the mails about them. */
export class Inbox extends OnlineMigration {
  protected override readonly statements = [
    `create table inbox_entries (
      id bigint generated always as identity primary key,
      workspace_id bigint not null,
      user_id bigint not null,
      event_seq bigint not null references events on delete cascade,
      kind text not null,
      comment_id bigint,
      decision_id bigint,
      mail_series text,
      read_at timestamptz
    )`,
    'create unique index inbox_entries_event on inbox_entries (event_seq, user_id)',
    'create index inbox_entries_reader on inbox_entries (user_id, workspace_id, id)',
    'create index inbox_entries_unread on inbox_entries (user_id, workspace_id, id) where read_at is null',
    `create unique index inbox_entries_comment on inbox_entries (comment_id, user_id, kind)
      where comment_id is not null`,
    'create index inbox_entries_decision on inbox_entries (decision_id) where decision_id is not null',
    `create index inbox_entries_to_mail on inbox_entries (user_id, workspace_id, mail_series, id)
      where mail_series is not null`,
    `create table inbox_mails (
      workspace_id bigint not null,
      user_id bigint not null,
      series text not null,
      sent_at timestamptz,
      is_announced boolean not null,
      primary key (workspace_id, user_id, series)
    )`,
    'create index inbox_mails_user on inbox_mails (user_id)',
    `create index inbox_mails_over on inbox_mails
      ((case when not is_announced then coalesce(sent_at, '-infinity'::timestamptz) end))`,
    `create table inbox_settings (
      user_id bigint not null,
      kind text not null,
      mail text not null,
      primary key (user_id, kind)
    )`,
    // People who had turned mails about boards off.
    `insert into inbox_settings (user_id, kind, mail)
      select users.id, kinds.kind, 'off' from users, (values ('mention'), ('decision')) kinds (kind)
      where not users.review_mails and not users.is_service`,
  ];

  override down(): void {
    this.addSql('drop table inbox_settings, inbox_mails, inbox_entries');
  }
}

const REFERENCES = {
  comments: [['inbox_entries', 'comment_id', 'on delete cascade']],
  decisions: [['inbox_entries', 'decision_id', 'on delete cascade']],
  users: [
    ['inbox_entries', 'user_id', ''],
    ['inbox_mails', 'user_id', ''],
    ['inbox_settings', 'user_id', ''],
  ],
  workspaces: [['inbox_mails', 'workspace_id', 'on delete cascade']],
} as const;

type Reference = (typeof REFERENCES)[keyof typeof REFERENCES][number];
type MigrationClass = new (...args: ConstructorParameters<typeof OnlineMigration>) => OnlineMigration;

const referringTo = (to: string, references: readonly Reference[]): MigrationClass =>
  class extends OnlineMigration {
    protected override readonly statements = references.flatMap(([table, column, deletion]) => {
      const name = `${table}_${column}_fkey`;
      const key = `foreign key (${column}) references ${to} ${deletion}`;
      return [
        `alter table ${table} add constraint ${name} ${key} not valid`,
        `alter table ${table} validate constraint ${name}`,
      ];
    });

    override down(): void {
      for (const [table, column] of references) {
        this.addSql(`alter table ${table} drop constraint ${table}_${column}_fkey`);
      }
    }
  };

/**
 * Requests lock several of these tables, in orders of their own: each migration locks one, so that they never wait for
 * each other in a circle.
 */
export const inboxReferences = Object.entries(REFERENCES).map(([to, references]) => ({
  name: `2026-12-01-inbox-of-${to}`,
  class: referringTo(to, references),
}));
