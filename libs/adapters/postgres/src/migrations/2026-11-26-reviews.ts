import { OnlineMigration } from './online-migration.ts';

/** Comments and decisions of media items. They end with the row of the item: in the trash they stay. */
export class Reviews extends OnlineMigration {
  protected override readonly statements = [
    `create table comments (
      id bigint generated always as identity primary key,
      media_id bigint not null references media on delete cascade,
      parent_id bigint references comments on delete cascade,
      created_by bigint not null references users,
      text text not null,
      x double precision check (x between 0 and 1),
      y double precision check (y between 0 and 1),
      seconds double precision check (seconds >= 0),
      mentions bigint[] not null default '{}',
      created_at timestamptz not null,
      edited_at timestamptz,
      resolved_at timestamptz,
      resolved_by bigint references users,
      constraint comments_one_pin check ((x is null) = (y is null) and (x is null or seconds is null)),
      constraint comments_resolved check ((resolved_at is null) = (resolved_by is null))
    )`,
    'create index comments_of_media on comments (media_id, id)',
    'create index comments_of_thread on comments (parent_id) where parent_id is not null',
    `create table decisions (
      id bigint generated always as identity primary key,
      media_id bigint not null references media on delete cascade,
      user_id bigint not null references users,
      verdict text not null check (verdict in ('approved', 'changes_requested', 'none')),
      text text,
      created_at timestamptz not null
    )`,
    'create index decisions_of_media on decisions (media_id, id)',
    `create table media_reviews (
      media_id bigint primary key references media on delete cascade,
      decision text not null default 'none' check (decision in ('approved', 'changes_requested', 'none')),
      comments_count integer not null default 0
    )`,
  ];

  override down(): void {
    this.addSql(`delete from audit_log where action in ('comment.delete', 'media.decide')`);
    this.addSql('drop table media_reviews, decisions, comments');
  }
}
