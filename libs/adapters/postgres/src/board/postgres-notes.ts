import { sql } from 'kysely';
import type { Note, NoteStore, Placed, PlaceStore } from '#board';
import type { Database } from '../database.ts';
import { anyOf, build, prepared } from '../prepared.ts';
import { Note as NoteTable } from '../schema.ts';
import { fieldsOf } from '../shapes.ts';
import { PLACE } from './postgres-media.ts';

/** Notes of a board that is not deleted. They are deleted and restored with their folder. */
export const notesThere = () =>
  build
    .selectFrom('notes')
    .leftJoin('folders as home', 'home.id', 'notes.folder_id')
    .where('home.deletion_id', 'is', null);

export const NOTE = [
  ...fieldsOf('notes', ['id', 'boardId', 'folderId', 'text', 'place', 'createdBy', 'createdAt', 'updatedAt']),
] as const;

type OnBoard = { readonly boardId: number; readonly id: number };

const insertNote = prepared<Omit<Note, 'id'>>()((param) =>
  build
    .insertInto('notes')
    .values(param.columns('boardId', 'folderId', 'text', 'place', 'createdBy', 'createdAt', 'updatedAt'))
    .returning(NOTE),
);

const findNote = prepared<OnBoard>()((param) =>
  notesThere()
    .select(NOTE)
    .where((eb) => eb.and({ 'notes.id': param('id'), 'notes.board_id': param('boardId') })),
);

const updateNote = prepared<Note>()((param) =>
  build
    .updateTable('notes')
    .set(param.columns('folderId', 'text', 'place', 'updatedAt'))
    .where('id', '=', param('id')),
);

export class PostgresNotes implements NoteStore {
  constructor(private readonly database: Database) {}

  async add(note: Omit<Note, 'id'>): Promise<Note> {
    return (await this.database.one(insertNote, note))!;
  }

  find(boardId: number, id: number): Promise<Note | null> {
    return this.database.one(findNote, { boardId, id });
  }

  async save(note: Note): Promise<void> {
    await this.database.run(updateNote, note);
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
    .where((eb) => eb.and({ board_id: param('boardId'), deletion_id: null })),
);

/** The items of a folder; of the root where there is none. Two statements, so that each is found by an index. */
const ordered = (inFolder: boolean) =>
  prepared<{ readonly boardId: number; readonly folderId: number | null }>()((param) => {
    const media = build
      .selectFrom('media')
      .select([sql<Placed['kind']>`'media'`.as('kind'), 'media.id', PLACE.as('place')])
      .where((eb) => eb.and({ 'media.board_id': param('boardId'), 'media.deletion_id': null }));
    const notes = build
      .selectFrom('notes')
      .select([sql<Placed['kind']>`'note'`.as('kind'), 'notes.id', 'notes.place'])
      .where('notes.board_id', '=', param('boardId'));
    const both = inFolder
      ? media
          .where('media.folder_id', '=', sql<number>`${param('folderId')}`)
          .unionAll(notes.where('notes.folder_id', '=', sql<number>`${param('folderId')}`))
      : media.where('media.folder_id', 'is', null).unionAll(notes.where('notes.folder_id', 'is', null));
    return both.orderBy('place').orderBy('kind').orderBy('id', 'desc');
  });

const [orderedInFolder, orderedAtRoot] = [ordered(true), ordered(false)];

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
    return this.database.run(folderId === null ? orderedAtRoot : orderedInFolder, { boardId, folderId });
  }

  async save(places: readonly Placed[]): Promise<void> {
    for (const kind of ['media', 'note'] as const) {
      const given = places.filter((each) => each.kind === kind);
      const [ids, values] = [given.map(({ id }) => id), given.map(({ place }) => place)];
      if (ids.length > 0) await this.database.run(saved[kind], { ids, places: values });
    }
  }
}
