import { sql } from 'kysely';
import type { Note, NoteStore, Placed, PlaceStore } from '#board';
import type { Database } from '../database.ts';
import { anyOf, build, prepared } from '../prepared.ts';
import { Note as NoteTable } from '../schema.ts';
import { fieldsOf } from '../shapes.ts';
import { NEWEST, PLACE } from './postgres-media.ts';

/** Notes of a board that is not deleted. They are deleted and restored with their folder. */
export const notesThere = () =>
  build
    .selectFrom('notes')
    .leftJoin('folders as home', 'home.id', 'notes.folder_id')
    .where('home.deletion_id', 'is', null);

const FIELDS = ['id', 'boardId', 'folderId', 'text', 'place', 'createdBy', 'createdAt', 'updatedAt'] as const;
export const NOTE = fieldsOf('notes', FIELDS);

type OnBoard = { readonly boardId: number; readonly id: number };

const findNote = prepared<OnBoard>()((param) =>
  notesThere()
    .select(NOTE)
    .where((eb) => eb.and({ 'notes.id': param('id'), 'notes.board_id': param('boardId') })),
);

export class PostgresNotes implements NoteStore {
  constructor(private readonly database: Database) {}

  async add(note: Omit<Note, 'id'>): Promise<Note> {
    return { id: await this.database.em.insert(NoteTable, note), ...note };
  }

  find(boardId: number, id: number): Promise<Note | null> {
    return this.database.one(findNote, { boardId, id });
  }

  async save({ id, ...note }: Note): Promise<void> {
    await this.database.em.nativeUpdate(NoteTable, { id }, note);
  }

  async remove(boardId: number, id: number): Promise<boolean> {
    if (!(await this.find(boardId, id))) return false;
    return (await this.database.em.nativeDelete(NoteTable, { id })) === 1;
  }
}

const selectFolders = prepared<{ readonly boardId: number; readonly ids: readonly number[] }>()((param) =>
  build
    .selectFrom('media')
    .select(['id', 'folder_id as folderId'])
    .where('id', '=', anyOf(param('ids')))
    .where((eb) => eb.and({ ...NEWEST, 'media.board_id': param('boardId') })),
);

type InFolder = { readonly boardId: number; readonly folderId: number | null };

const selectOrder = prepared<InFolder>()((param) => {
  const folderId = sql<number>`${param('folderId')}`;
  return build
    .selectFrom('media')
    .select([sql<Placed['kind']>`'media'`.as('kind'), 'media.id', PLACE.as('place')])
    .where((eb) => eb.and({ ...NEWEST, 'media.board_id': param('boardId') }))
    .where('media.folder_id', 'is not distinct from', folderId)
    .unionAll(
      build
        .selectFrom('notes')
        .select([sql<Placed['kind']>`'note'`.as('kind'), 'notes.id', 'notes.place'])
        .where('notes.board_id', '=', param('boardId'))
        .where('notes.folder_id', 'is not distinct from', folderId),
    )
    .orderBy('place')
    .orderBy('kind')
    .orderBy('id', 'desc');
});

const savePlaces = (table: 'media' | 'notes') =>
  prepared<{ readonly ids: readonly number[]; readonly places: readonly number[] }>()((param) =>
    build
      .updateTable(table)
      .from(
        sql<{ id: number; place: number }>`unnest(${param('ids')}::bigint[], ${param('places')}::bigint[])`.as<'given'>(
          sql`given (id, place)`,
        ),
      )
      .set({ place: sql<number>`given.place` })
      .where(sql<boolean>`${sql.ref(`${table}.id`)} = given.id`),
  );

const saved = { media: savePlaces('media'), note: savePlaces('notes') };

export class PostgresPlaces implements PlaceStore {
  constructor(private readonly database: Database) {}

  async foldersOf(boardId: number, ids: readonly number[]): Promise<ReadonlyMap<number, number | null>> {
    const rows = await this.database.run(selectFolders, { boardId, ids });
    return new Map(rows.map(({ id, folderId }) => [id, folderId]));
  }

  order(boardId: number, folderId: number | null): Promise<readonly Placed[]> {
    return this.database.run(selectOrder, { boardId, folderId });
  }

  async save(places: readonly Placed[]): Promise<void> {
    for (const kind of ['media', 'note'] as const) {
      const given = places.filter((each) => each.kind === kind);
      const [ids, values] = [given.map(({ id }) => id), given.map(({ place }) => place)];
      if (ids.length > 0) await this.database.run(saved[kind], { ids, places: values });
    }
  }
}
