import { sql } from 'kysely';
import type { DownloadedFile, DownloadedFiles, FileFacts, SelectedItems, Selection } from '#download';
import { outputSourceUri } from '#files';
import type { Database } from '../database.ts';
import { hasPicturesOf, isShownOutput, NAME } from '../files/file-rows.ts';
import { isVisible } from '../library/library-rows.ts';
import { anyOf } from '../prepared.ts';

const FILE = [
  ...(['files.id', 'files.key', 'files.filename'] as const),
  NAME,
  ...(['files.size', 'files.origin', 'files.content_type as contentType', 'files.created_at as createdAt'] as const),
] as const;

/** A folder; its name is of the board where the id is null. */
interface Folder {
  readonly id: number | null;
  readonly parentId: number | null;
  readonly boardId: number;
  readonly name: string;
}

export class PostgresDownloadedFiles implements DownloadedFiles {
  constructor(private readonly database: Database) {}

  async list(workspaceId: number, selection: Selection, limit: number): Promise<readonly DownloadedFile[] | null> {
    switch (selection.of) {
      case 'board':
      case 'folder':
        return this.#ofBoard(workspaceId, selection, limit);
      case 'media':
        return this.#ofMedia(workspaceId, selection.ids, limit);
      case 'generations':
        return this.#ofGenerations(workspaceId, selection.ids, limit);
      case 'library':
        return this.#ofLibrary(workspaceId, selection.ids, limit);
    }
  }

  async readiness(workspaceId: number, { of, ids }: SelectedItems): Promise<ReadonlyMap<number, boolean>> {
    const { kysely } = this.database;
    const given = anyOf(sql.val(ids));
    const media = kysely
      .selectFrom('media')
      .innerJoin('boards', 'boards.id', 'media.board_id')
      .where((eb) => eb.and({ 'boards.deletion_id': null, 'media.deletion_id': null }))
      .where('boards.workspace_id', '=', workspaceId)
      .where('media.id', '=', given)
      .select((eb) => ['media.id', eb('media.state', '<>', 'created').$castTo<boolean>().as('isReady')]);
    const generations = kysely
      .selectFrom('generations')
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', given)
      .select((eb) => ['id', eb('state', 'not in', ['queued', 'running']).$castTo<boolean>().as('isReady')]);
    const library = kysely
      .selectFrom('library_items')
      .innerJoin('files', 'files.id', 'library_items.file_id')
      .where('library_items.workspace_id', '=', workspaceId)
      .where('library_items.file_id', '=', given)
      .where((eb) => isVisible(eb as never, sql.val(workspaceId)))
      .select(['files.id', sql<boolean>`true`.as('isReady')]);
    const rows = await { media, generations, library }[of].execute();
    return new Map(rows.map(({ id, isReady }) => [id, isReady]));
  }

  async facts(fileIds: readonly number[]): Promise<ReadonlyMap<number, FileFacts>> {
    const rows = await this.database.kysely
      .selectFrom('files')
      .leftJoin('generation_outputs as output', 'output.file_id', 'files.id')
      .leftJoin('generations', 'generations.id', 'output.generation_id')
      .where('files.id', '=', anyOf(sql.val(fileIds)))
      .select(['files.id', 'generations.prompt', 'generations.model', 'generations.cost'])
      .select(['files.customer', 'files.metadata', 'files.origin', hasPicturesOf('files.id')])
      .select(sql<string | null>`generations.parameters ->> 'seed'`.as('seed'))
      .execute();
    return new Map(
      rows.map(({ id, hasPictures, ...facts }) => [id, { ...facts, digitalSource: outputSourceUri(hasPictures) }]),
    );
  }

  async #ofBoard(
    workspaceId: number,
    { of, id }: Extract<Selection, { readonly id: number }>,
    limit: number,
  ): Promise<readonly DownloadedFile[] | null> {
    const ofFolder = this.database.kysely
      .selectFrom('folders')
      .select('board_id')
      .where((eb) => eb.and({ id, deletion_id: null }));
    const boardId = of === 'board' ? id : (await ofFolder.executeTakeFirst())?.board_id;
    if (boardId === undefined) return null;
    const folders = await this.#foldersOf(workspaceId, [boardId]);
    if (folders.length === 0) return null;
    const places = placesIn(folders, of === 'board' ? null : id);
    const onBoard = this.#media(workspaceId)
      .where('media.board_id', '=', boardId)
      .where('media.replaced_by', 'is', null);
    const within = anyOf(sql.val([...places.keys()].filter((place) => place !== null)));
    const rows = await onBoard
      .$if(of === 'folder', (media) => media.where('media.folder_id', '=', within))
      .limit(limit)
      .execute();
    return rows.map(({ folderId, boardId: _, ...file }) => ({ ...file, folders: places.get(folderId) ?? [] }));
  }

  async #ofMedia(workspaceId: number, ids: readonly number[], limit: number): Promise<readonly DownloadedFile[]> {
    const rows = await this.#media(workspaceId)
      .where('media.id', '=', anyOf(sql.val(ids)))
      .limit(limit)
      .execute();
    const boardIds = [...new Set(rows.map(({ boardId }) => boardId))];
    const folders = await this.#foldersOf(workspaceId, boardIds);
    const placesOf = new Map(
      boardIds.map((boardId) => [
        boardId,
        placesIn(
          folders.filter((folder) => folder.boardId === boardId),
          null,
        ),
      ]),
    );
    return rows.map(({ folderId, boardId, ...file }) => {
      return { ...file, folders: placesOf.get(boardId)!.get(folderId) ?? [] };
    });
  }

  async #ofGenerations(workspaceId: number, ids: readonly number[], limit: number): Promise<readonly DownloadedFile[]> {
    const rows = await this.database.kysely
      .selectFrom('generations')
      .innerJoin('generation_outputs as output', 'output.generation_id', 'generations.id')
      .innerJoin('files', 'files.id', 'output.file_id')
      .where('generations.workspace_id', '=', workspaceId)
      .where('generations.id', '=', anyOf(sql.val(ids)))
      .where((eb) => isShownOutput(eb as never))
      .select([...FILE, 'generations.id as generationId'])
      .orderBy('generations.id')
      .orderBy('output.position')
      .limit(limit)
      .execute();
    return rows.map(({ generationId, ...file }) => ({ ...file, folders: [`generation ${generationId}`] }));
  }

  async #ofLibrary(workspaceId: number, ids: readonly number[], limit: number): Promise<readonly DownloadedFile[]> {
    const rows = await this.database.kysely
      .selectFrom('library_items')
      .innerJoin('files', 'files.id', 'library_items.file_id')
      .where('library_items.workspace_id', '=', workspaceId)
      .where('library_items.file_id', '=', anyOf(sql.val(ids)))
      .where((eb) => isVisible(eb as never, sql.val(workspaceId)))
      .select(FILE)
      .orderBy('files.id')
      .limit(limit)
      .execute();
    return rows.map((file) => ({ ...file, folders: [] }));
  }

  /** The files that the existing media items of a workspace show. */
  #media(workspaceId: number) {
    return this.database.kysely
      .selectFrom('media')
      .innerJoin('boards', 'boards.id', 'media.board_id')
      .innerJoin('files', 'files.key', 'media.file_key')
      .where('boards.workspace_id', '=', workspaceId)
      .where('files.workspace_id', '=', workspaceId)
      .where((eb) => eb.and({ 'boards.deletion_id': null, 'media.deletion_id': null, 'files.deletion_id': null }))
      .select([...FILE, 'media.board_id as boardId', 'media.folder_id as folderId'])
      .orderBy('media.id');
  }

  /** The existing folders of boards, and the boards. */
  async #foldersOf(workspaceId: number, boardIds: readonly number[]): Promise<readonly Folder[]> {
    const boards = this.database.kysely
      .selectFrom('boards')
      .where((eb) => eb.and({ 'boards.workspace_id': workspaceId, 'boards.deletion_id': null }))
      .where('boards.id', '=', anyOf(sql.val(boardIds)));
    const folders = boards
      .innerJoin('folders', 'folders.board_id', 'boards.id')
      .where('folders.deletion_id', 'is', null)
      .select(['folders.id', 'folders.parent_id as parentId', 'folders.board_id as boardId', 'folders.name']);
    const outer = (await boards.select(['boards.id', 'boards.name']).execute()).map(({ id: boardId, name }) => {
      return { id: null, parentId: null, boardId, name };
    });
    return [...outer, ...(await folders.execute())];
  }
}

/** The names from the folder `outer` to each folder in it; from the board for null. */
function placesIn(folders: readonly Folder[], outer: number | null): ReadonlyMap<number | null, readonly string[]> {
  const byId = new Map(folders.map((folder) => [folder.id, folder]));
  const places = new Map<number | null, readonly string[]>();
  for (const { id } of folders) {
    const names: string[] = [];
    let place = byId.get(id);
    while (place) {
      names.unshift(place.name);
      if (place.id === outer) break;
      place = place.id === null ? undefined : byId.get(place.parentId);
    }
    if (place) places.set(id, names);
  }
  return places;
}
