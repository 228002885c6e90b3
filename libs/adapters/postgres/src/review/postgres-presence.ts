import { sql } from 'kysely';
import type { Look, Onlooker, PresenceStore } from '#review';
import type { Database } from '../database.ts';
import { anyOf, build, prepared } from '../prepared.ts';
import { excluded } from '../shapes.ts';
import { presenceNotice } from '../signals.ts';

/** Times are those of the database: clocks of hosts differ. */
export class PostgresPresence implements PresenceStore {
  constructor(private readonly database: Database) {}

  async replace(process: string, boardIds: readonly number[], looks: readonly Look[]): Promise<void> {
    await this.database.run(replaceLooks, {
      process,
      boardIds,
      lookedAt: looks.map(({ boardId }) => boardId),
      userIds: looks.map(({ userId }) => userId),
    });
  }

  async forget(): Promise<void> {
    await this.database.run(forgetLooks, {});
  }

  async people(boardIds: readonly number[]): Promise<ReadonlyMap<number, readonly Onlooker[]>> {
    const rows = await this.database.run(selectPeople, { boardIds });
    const people = new Map<number, Onlooker[]>();
    for (const { boardId, userId, name } of rows) {
      people.set(boardId, [...(people.get(boardId) ?? []), { userId, name }]);
    }
    return people;
  }
}

interface Replacement {
  readonly process: string;
  readonly boardIds: readonly number[];
  /** The board and the user of each look. */
  readonly lookedAt: readonly number[];
  readonly userIds: readonly number[];
}

const replaceLooks = prepared<Replacement>()((param) =>
  build
    .with('looks', (db) =>
      db
        .selectFrom(
          sql<{ board_id: number; user_id: number }>`unnest(
            ${param('lookedAt')}::bigint[], ${param('userIds')}::bigint[])`.as<'look'>(sql`look (board_id, user_id)`),
        )
        .selectAll(),
    )
    .with('ended', (db) =>
      db
        .deleteFrom('board_looks')
        .where('process', '=', param('process'))
        .where('board_id', '=', anyOf(param('boardIds')))
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('looks')
                .whereRef('looks.board_id', '=', 'board_looks.board_id')
                .whereRef('looks.user_id', '=', 'board_looks.user_id'),
            ),
          ),
        )
        .returning('board_id'),
    )
    .with('confirmed', (db) =>
      db
        .insertInto('board_looks')
        .columns(['board_id', 'user_id', 'process', 'confirmed_at'])
        .expression((eb) =>
          eb
            .selectFrom('looks')
            .select(['board_id', 'user_id', param('process').as('process'), sql<Date>`now()`.as('confirmed_at')]),
        )
        .onConflict((conflict) =>
          conflict.columns(['board_id', 'user_id', 'process']).doUpdateSet(excluded('board_looks', 'confirmed_at')),
        )
        // A row that was there before has been changed by this transaction.
        .returning(['board_id', sql<boolean>`xmax = 0`.as('is_new')]),
    )
    .with('changed', (db) =>
      db
        .selectFrom('ended')
        .select('board_id')
        .union(db.selectFrom('confirmed').select('board_id').where('is_new', '=', true)),
    )
    .selectFrom('changed')
    .select(presenceNotice(sql.ref('changed.board_id'))),
);

const forgetLooks = prepared<object>()(() =>
  build.deleteFrom('board_looks').where('confirmed_at', '<', sql<Date>`now() - interval '1 minute'`),
);

const selectPeople = prepared<{ boardIds: readonly number[] }>()((param) =>
  build
    .selectFrom('board_looks')
    .innerJoin('boards', 'boards.id', 'board_looks.board_id')
    .innerJoin('memberships', (join) =>
      join
        .onRef('memberships.workspace_id', '=', 'boards.workspace_id')
        .onRef('memberships.user_id', '=', 'board_looks.user_id'),
    )
    .innerJoin('users', 'users.id', 'board_looks.user_id')
    .where('board_looks.board_id', '=', anyOf(param('boardIds')))
    .where('boards.deletion_id', 'is', null)
    .where('board_looks.confirmed_at', '>', sql<Date>`now() - interval '25 seconds'`)
    .select(['board_looks.board_id as boardId', 'users.id as userId', 'users.name'])
    .distinct()
    .orderBy('users.name')
    .orderBy('users.id'),
);
