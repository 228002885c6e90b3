/** @tier test */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { deletionBy } from '#files';
import { systemClock } from '#kernel';
import { PostgresAudit, PostgresBoards, PostgresFolders, PostgresMedia } from '#adapters/postgres';
import { Boards, failed, Folders, MediaItems, PLACE_GAP, processed, type WholeBoard } from '#board';
import { SourceFailure, type SourceFailureCode } from '#sources';
import { anActor } from '#testing/identity';
import { boardViews } from '#wiring';
import { codeOf } from '../support/code-of.ts';
import { newFile as addFile, newPicture, newWorkspace } from '../support/database.ts';
import { suiteDatabase } from '../support/suite-database.ts';
import { Product } from '../support/product.ts';
import { rounds } from '../support/rounds.ts';

const ALL = { limit: null, after: null };

const db = await suiteDatabase({ poolSize: 20 });
const product = new Product(db, { clock: systemClock });
const { jobs } = product;
const boards = product.get(PostgresBoards);
const folders = product.get(PostgresFolders);
const media = product.get(PostgresMedia);
const views = product.get(boardViews);
const useBoards = product.get(Boards);
const useFolders = product.get(Folders);
const useMedia = product.get(MediaItems);
const newcomer = async () => anActor({ ...(await newWorkspace(db.database)), role: 'owner' });
const [actor, outsider] = [await newcomer(), await newcomer()];
const { key: fileKey, picture } = await newPicture(db.database, actor.workspaceId, {
  duration: 0.1,
  thumbnails: [{ key: 'files/token/a-320.webp', width: 3, height: 4 }],
});
const FILES = { fileKey, controlImageKey: null };
const { key: _, ...facts } = picture;
const CONTENT = { ...FILES, ...facts };
beforeEach(() => product.clear());

describe('boards on PostgreSQL', () => {
  const newBoard = (name = 'Board') => useBoards.create(actor, name);
  const newFolder = (boardId: number, parentId: number | null = null, name = 'Folder') =>
    useFolders.create(actor, boardId, { name, parentId });
  const moveFolder = (boardId: number, folderId: number, parentId: number) =>
    useFolders.update(actor, boardId, folderId, { parentId });
  const deleteFolder = (boardId: number, folderId: number) => useFolders.delete(actor, boardId, folderId);
  const moveMedia = (boardId: number, ids: number[], folderId: number | null) =>
    useMedia.move(actor, boardId, ids, folderId);
  const addMedia = (boardId: number, folderId: number | null = null, fileIds: number[] = []) =>
    media.add({
      workspaceId: actor.workspaceId,
      boardId,
      folderId,
      createdBy: actor.userId,
      url: 'https://example.com/a.png',
      controlImage: null,
      extras: '{"a": 1}',
      state: 'created',
      createdAt: new Date('2026-11-21T10:00:00.123Z'),
      fileIds,
    });
  async function newMedia(boardId: number, folderId: number | null = null): Promise<number> {
    const added = await addMedia(boardId, folderId);
    if ('missing' in added) throw new Error(added.missing);
    return added.id;
  }
  const newFile = async () => (await addFile(db.database, actor.workspaceId, null)).id;
  const shown = async (boardId: number, workspaceId = actor.workspaceId): Promise<WholeBoard> =>
    (await views.board(workspaceId, boardId))!;
  async function finish(id: number): Promise<void> {
    const waiting = await media.waiting(id, 1);
    if (waiting) await media.end(processed(waiting, FILES), []);
  }
  async function contradictions(): Promise<unknown[]> {
    const rules = ['folder or media count of a board is wrong', 'folder not reachable from its board'];
    return (await new PostgresAudit(db.database).findings()).filter(({ rule }) => rules.includes(rule));
  }

  it('are read with their folders and media, newest first', async () => {
    const board = await newBoard('Summer "26"\\');
    const folder = await newFolder(board.id, null, 'Näh\n"e"');
    const inFolder = await newMedia(board.id, folder.id);
    const atRoot = await newMedia(board.id);
    await finish(inFolder);
    const source = 'https://example.com/a.png';
    const created = { extras: '{"a": 1}', error: null, source, createdAt: new Date('2026-11-21T10:00:00.123Z') };
    const nothing = Object.fromEntries(Object.keys(CONTENT).map((name) => [name, null]));
    const unmarked = (id: number) => ({ id, place: -id * PLACE_GAP, rating: 0, tags: [] });
    expect(await shown(board.id)).toEqual({
      ...board,
      version: await views.version(actor.workspaceId, board.id),
      foldersCount: 1,
      mediaCount: 2,
      folders: [{ id: folder.id, name: 'Näh\n"e"', parentId: null }],
      notes: [],
      media: [
        { ...created, ...nothing, thumbnails: [], ...unmarked(atRoot), folderId: null, state: 'created' },
        { ...created, ...CONTENT, ...unmarked(inFolder), folderId: folder.id, state: 'processed' },
      ],
    });
  });

  it('show the new name of a picture on each board that has it, and have changed', async () => {
    const file = await newPicture(db.database, actor.workspaceId);
    const placed = await Promise.all([newBoard('A'), newBoard('B')]);
    for (const { id } of placed) {
      const item = await newMedia(id);
      const waiting = (await media.waiting(item, 1))!;
      await media.end(processed(waiting, { fileKey: file.key, controlImageKey: null }), [file.id]);
    }
    const [first, second] = placed.map(({ id }) => id) as [number, number];
    const before = await shown(second);
    expect(before.media[0]).toMatchObject({ name: 'picture.png' });
    await useMedia.rename(actor, first, (await shown(first)).media[0]!.id, '  Lake at dawn ');
    const after = await shown(second);
    expect(after.media[0]).toMatchObject({ name: 'Lake at dawn' });
    expect(after.version).toBeGreaterThan(before.version);
  });

  it('rename no picture of an item that has none, or is on another board', async () => {
    const { id: boardId } = await newBoard();
    const item = await newMedia(boardId);
    expect(await codeOf(useMedia.rename(actor, boardId, item, 'Mine'))).toBe('conflict');
    const other = await newBoard();
    await finish(item);
    expect(await codeOf(useMedia.rename(actor, other.id, item, 'Mine'))).toBe('not_found');
    expect(await codeOf(useMedia.rename(outsider, boardId, item, 'Mine'))).toBe('not_found');
  });

  it('are read as they are in one version, however they change meanwhile', async () => {
    const board = await newBoard();
    const home = await newFolder(board.id);
    const readOf = new Map<number, WholeBoard>();
    const read = async (): Promise<void> => {
      const whole = await shown(board.id);
      const { version, folders, media, foldersCount, mediaCount } = whole;
      expect([folders.length, media.length]).toEqual([foldersCount, mediaCount]);
      expect(whole).toEqual(readOf.get(version) ?? whole);
      readOf.set(version, whole);
    };
    for (let round = 0; round < rounds(); round++) {
      const doomed = await newFolder(board.id);
      const item = await newMedia(board.id, doomed.id);
      const reads = Array.from({ length: 6 }, read);
      const changes = [
        moveMedia(board.id, [item], home.id),
        newMedia(board.id, home.id),
        deleteFolder(board.id, doomed.id),
      ];
      // A media that is deleted before it is moved is not found.
      await Promise.all([...reads, ...changes.map((change) => change.then(read, read))]);
    }
    expect(await views.version(actor.workspaceId, board.id)).toBe((await shown(board.id)).version);
  });

  it('give their lists whole, or page by page without gaps and repetitions', async () => {
    const lister = await newcomer();
    for (let index = 0; index < 7; index++) await useBoards.create(lister, `Board ${index}`);
    const read = async (limit: number | null, after: number | null) => {
      const { items, next } = await views.boards(lister.workspaceId, { limit, after });
      return { names: items.map(({ name }) => name), next };
    };
    const all = [6, 5, 4, 3, 2, 1, 0].map((index) => `Board ${index}`);
    expect(await read(null, null)).toEqual({ names: all, next: null });
    const first = await read(3, null);
    const second = await read(3, first.next);
    expect([first.names, second.names]).toEqual([all.slice(0, 3), all.slice(3, 6)]);
    expect(await read(3, second.next)).toEqual({ names: all.slice(6), next: null });
    expect((await read(7, null)).next).toBeNull();
    expect((await read(6, null)).next).not.toBeNull();
  });

  it('list folders with their media, and one folder with its own', async () => {
    const board = await newBoard();
    const first = await newFolder(board.id, null, 'first');
    const second = await newFolder(board.id, first.id, 'second');
    await newFolder(board.id, second.id, 'third');
    const items: number[] = [];
    for (const folderId of [second.id, second.id, null]) items.push(await newMedia(board.id, folderId));
    const inWorkspace = [actor.workspaceId, board.id] as const;
    const list = (await views.folders(...inWorkspace, { limit: 2, after: null }))!;
    expect(list.items.map(({ name }) => name)).toEqual(['third', 'second']);
    expect(list.items[1]!.media.map(({ id }) => id)).toEqual([items[1], items[0]]);
    expect(list.next).toBe(second.id);

    const own = (await views.folder(...inWorkspace, second.id, { limit: 1, after: null }))!;
    expect(own).toMatchObject({
      folder: { id: second.id, parentId: first.id },
      folders: [{ name: 'third', foldersCount: 0, mediaCount: 0 }],
      media: { items: [{ id: items[1] }], next: items[1] },
    });
    const above = (await views.folder(...inWorkspace, first.id, ALL))!;
    expect(above.folders).toMatchObject([{ name: 'second', foldersCount: 1, mediaCount: 2 }]);
    const idsOf = async (filter: { folderId?: number | null }) =>
      (await views.media(...inWorkspace, filter, ALL))!.items.map(({ id }) => id);
    expect(await idsOf({ folderId: null })).toEqual([items[2]]);
    expect(await idsOf({ folderId: second.id })).toEqual([items[1], items[0]]);
    expect(await idsOf({})).toEqual([items[2], items[1], items[0]]);
  });

  it('are nowhere for another workspace', async () => {
    const board = await newBoard();
    const folder = await newFolder(board.id);
    const item = await newMedia(board.id);
    const own = await useBoards.create(outsider, 'own');
    const theirs = outsider.workspaceId;
    expect(await views.board(theirs, board.id)).toBeNull();
    expect(await views.version(theirs, board.id)).toBeNull();
    expect(await views.folders(theirs, board.id, ALL)).toBeNull();
    expect(await views.folder(theirs, board.id, folder.id, ALL)).toBeNull();
    expect(await views.media(theirs, board.id, {}, ALL)).toBeNull();
    expect(await boards.update(theirs, board.id, { name: 'mine' })).toBeNull();
    expect(await boards.delete(theirs, board.id, deletionBy(1, new Date(), 0))).toBeNull();
    expect(await folders.lock(theirs, board.id)).toBe(false);
    expect(await media.move(theirs, board.id, [item], null)).toEqual({ missing: 'board' });
    expect(await media.delete(theirs, board.id, [item], deletionBy(1, new Date(), 0))).toBeNull();
    expect(await media.find(theirs, board.id, item)).toBeNull();
    // Someone else's folder and media can't be reached through one's own board either.
    expect(await media.move(theirs, own.id, [item], null)).toEqual([]);
    expect(await media.move(theirs, own.id, [], folder.id)).toEqual({ missing: 'folder' });
    expect(await codeOf(useFolders.update(outsider, own.id, folder.id, { name: 'x' }))).toBe('not_found');
    const inForeign = { name: 'x', parentId: folder.id };
    expect(await codeOf(useFolders.create(outsider, own.id, inForeign))).toBe('not_found');
    // Nor can a folder through another board of the same workspace.
    const other = await newBoard();
    expect(await addMedia(other.id, folder.id)).toEqual({ missing: 'folder' });
    expect(await codeOf(moveMedia(other.id, [], folder.id))).toBe('not_found');
    expect(await codeOf(newFolder(other.id, folder.id))).toBe('not_found');
  });

  it('take a folder, all below it and their media away together', async () => {
    const board = await newBoard();
    const top = await newFolder(board.id);
    const below = await newFolder(board.id, top.id);
    const beside = await newFolder(board.id);
    await addMedia(board.id, below.id);
    const kept = await newMedia(board.id, beside.id);
    expect(await deleteFolder(board.id, top.id)).toEqual({ folders: 2, media: 1 });
    expect(jobs.announced).toMatchObject([{ name: 'deletion.carry_out' }]);
    expect(await shown(board.id)).toMatchObject({ foldersCount: 1, mediaCount: 1, media: [{ id: kept }] });
    expect(await codeOf(deleteFolder(board.id, top.id))).toBe('not_found');
  });

  it('are gone at once when they are deleted', async () => {
    const board = await newBoard();
    const folder = await newFolder(board.id, (await newFolder(board.id)).id);
    await addMedia(board.id, folder.id);
    await addMedia(board.id, null);
    expect(await useBoards.delete(actor, board.id)).toEqual({ folders: 2, media: 2 });
    expect(await views.board(actor.workspaceId, board.id)).toBeNull();
    expect(await codeOf(newFolder(board.id))).toBe('not_found');
    expect(await addMedia(board.id)).toEqual({ missing: 'board' });
    expect(await codeOf(useBoards.delete(actor, board.id))).toBe('not_found');
  });

  it('end the processing of a media once, and only in the revision that waits for it', async () => {
    const board = await newBoard();
    const id = await newMedia(board.id);
    const first = (await media.waiting(id, 1))!;
    await useMedia.fail(id, 1, new SourceFailure('url_timeout', { retryable: true }));
    expect((await shown(board.id)).media[0]).toMatchObject({ state: 'failed', error: 'url_timeout' });
    expect(await media.end(processed(first, CONTENT), [])).toBe(false);
    const retry = () => codeOf(useMedia.retry(actor, board.id, id));
    expect((await Promise.all([retry(), retry(), retry()])).sort()).toEqual(['conflict', 'conflict', 'ok']);
    expect(jobs.announced).toMatchObject([{ name: 'media.process', payload: { mediaId: id, revision: 2 } }]);
    expect(await media.end(failed(first, new Error('late')), [])).toBe(false);
    const second = (await media.waiting(id, 2))!;
    const file = await newFile();
    const ends = await Promise.all(Array.from({ length: 8 }, () => media.end(processed(second, CONTENT), [file])));
    expect(ends.filter(Boolean)).toHaveLength(1);
    expect((await shown(board.id)).media[0]).toMatchObject({
      fileKey: CONTENT.fileKey,
      state: 'processed',
      error: null,
    });
    expect(await retry()).toBe('conflict');
  });

  it('retries all failed items, or the items that failed for one reason', async () => {
    const [board, other, gone] = [await newBoard(), await newBoard(), await newBoard()];
    const [dead, deleted] = [await newMedia(board.id), await newMedia(gone.id)];
    const [slow, fine] = [await newMedia(other.id), await newMedia(other.id)];
    const fail = (id: number, code: SourceFailureCode) =>
      useMedia.fail(id, 1, new SourceFailure(code, { retryable: true }));
    for (const id of [dead, deleted]) await fail(id, 'url_unreachable');
    await fail(slow, 'url_timeout');
    await finish(fine);
    await useBoards.delete(actor, gone.id);
    const retry = async (error: string | null) => {
      jobs.announced.splice(0);
      expect(await useMedia.retryFailed(error)).toBe(jobs.announced.length);
      return jobs.announced.map(({ name, payload, bulk }) => ({ name, bulk, ...payload }));
    };
    const again = { name: 'media.process', bulk: true, revision: 2 };
    expect(await retry('url_timeout')).toEqual([{ ...again, mediaId: slow }]);
    expect(await retry('url_timeout')).toEqual([]);
    expect(await retry(null)).toEqual([{ ...again, mediaId: dead }]);
    expect((await shown(other.id)).media.map(({ state }) => state)).toEqual(['processed', 'created']);
  });

  it.each([2, 3])('never form a cycle of %i folders, however the moves race', async (count) => {
    const board = await newBoard();
    for (let round = 0; round < rounds(); round++) {
      const ring = await Promise.all(Array.from({ length: count }, () => newFolder(board.id)));
      const codes = await Promise.all(
        ring.map(({ id }, at) => codeOf(moveFolder(board.id, id, ring[(at + 1) % count]!.id))),
      );
      expect(codes.sort()).toEqual(['folder_cycle', ...Array<string>(count - 1).fill('ok')]);
    }
    expect(await contradictions()).toEqual([]);
  });

  it('never keep a media or a folder in a folder that is being deleted', async () => {
    const board = await newBoard();
    for (let round = 0; round < rounds(); round++) {
      const [doomed, mover] = [await newFolder(board.id), await newFolder(board.id)];
      const item = await newMedia(board.id);
      const codes = await Promise.all([
        codeOf(moveMedia(board.id, [item], doomed.id)),
        codeOf(deleteFolder(board.id, doomed.id)),
        codeOf(moveFolder(board.id, mover.id, doomed.id)),
        addMedia(board.id, doomed.id).then((added) => ('missing' in added ? 'not_found' : 'ok')),
      ]);
      expect(codes[1]).toBe('ok');
      for (const code of codes) expect(['ok', 'not_found']).toContain(code);
    }
    expect(await contradictions()).toEqual([]);
  });

  it('count right after any mixture of adds, moves and deletes at once', async () => {
    const board = await newBoard();
    const seeds = await Promise.all(Array.from({ length: 4 }, () => newFolder(board.id)));
    for (let round = 0; round < rounds(); round++) {
      const target = seeds[round % seeds.length]!;
      const item = await newMedia(board.id, target.id);
      await Promise.all([
        newMedia(board.id, target.id),
        newMedia(board.id),
        useMedia.delete(actor, board.id, [item]),
        useMedia.delete(actor, board.id, [item]),
        moveMedia(board.id, [item], null),
        newFolder(board.id, target.id).then((folder) => deleteFolder(board.id, folder.id)),
        newFolder(board.id),
        finish(item),
      ]);
    }
    expect(await contradictions()).toEqual([]);
    expect(await shown(board.id)).toMatchObject({ mediaCount: 2 * rounds(), foldersCount: 4 + rounds() });
  });
});
