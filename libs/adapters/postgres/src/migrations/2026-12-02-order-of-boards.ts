import { OnlineMigration } from './online-migration.ts';

/** Places that people give to media items. Without one an item stands by its id, as those do that 0.2 adds. */
export class PlacesOfMedia extends OnlineMigration {
  protected override readonly statements = ['alter table media add column place bigint'];

  override down(): void {
    this.addSql('alter table media drop column place');
  }
}

export class Notes extends OnlineMigration {
  protected override readonly statements = [
    `create table notes (
      id bigint generated always as identity primary key,
      board_id bigint not null,
      folder_id bigint,
      created_by bigint not null,
      text text not null,
      place bigint not null,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`,
    'create index notes_board on notes (board_id, folder_id)',
    'create index notes_creator on notes (created_by)',
  ];

  override down(): void {
    this.addSql('drop table notes');
  }
}

/** Notes end with their board and folder, also where 0.2 deletes these. */
const REFERENCES = {
  boards: 'foreign key (board_id) references boards on delete cascade',
  folders: 'foreign key (board_id, folder_id) references folders (board_id, id) on delete cascade',
  users: 'foreign key (created_by) references users',
};

/** A migration for each table that notes refer to: each locks one table that is in use. */
export const noteReferences = Object.entries(REFERENCES).map(([to, key]) => ({
  name: `2026-12-02-notes-of-${to}`,
  class: class extends OnlineMigration {
    protected override readonly statements = [
      `alter table notes add constraint notes_${to} ${key} not valid`,
      `alter table notes validate constraint notes_${to}`,
    ];

    override down(): void {
      this.addSql(`alter table notes drop constraint notes_${to}`);
    }
  },
}));
