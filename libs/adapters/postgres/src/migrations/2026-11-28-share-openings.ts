import { OnlineMigration } from './online-migration.ts';

/** Openings of links beside their rows, which guests lock for share: each connection counts in a row of its own. */
export class ShareOpenings extends OnlineMigration {
  protected override readonly statements = [
    `create table share_openings (
      share_id bigint not null references shares on delete cascade,
      connection integer not null,
      opened_count integer not null,
      last_opened_at timestamptz not null,
      primary key (share_id, connection)
    )`,
  ];

  override down(): void {
    this.addSql(`update shares set
      opened_count = shares.opened_count + openings.opened_count,
      last_opened_at = greatest(shares.last_opened_at, openings.last_opened_at)
      from (
        select share_id, sum(opened_count) as opened_count, max(last_opened_at) as last_opened_at
        from share_openings group by share_id
      ) as openings where openings.share_id = shares.id`);
    this.addSql('drop table share_openings');
  }
}
