import { OnlineMigration } from './online-migration.ts';

/** Who looks at a board, by process. */
export class BoardLooks extends OnlineMigration {
  protected override readonly statements = [
    `create table board_looks (
      board_id bigint not null,
      user_id bigint not null,
      process text not null,
      confirmed_at timestamptz not null,
      primary key (board_id, user_id, process)
    )`,
  ];

  override down(): void {
    this.addSql('drop table board_looks');
  }
}
