/** @tier test */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { PostgresMedia } from '#adapters/postgres';
import { BoardOrder, Boards, Folders, MediaItems, Notes, PLACE_GAP, processed, type MediaFilter } from '#board';
import { Library, LibraryDeletion } from '#library';
import { Decisions } from '#review';
import { anActor } from '#testing/identity';
import { Deletions, Trash } from '#trash';
import { boardViews, graceDays } from '#wiring';
import { codeOf } from '../support/code-of.ts';
import { newPicture, newWorkspace } from '../support/database.ts';
import { suiteDatabase } from '../support/suite-database.ts';
import { Product } from '../support/product.ts';
import { inRounds } from '../support/rounds.ts';

const ALL = { limit: null, after: null };
const { signal } = new AbortController();

const db = await suiteDatabase({ poolSize: 20 });
const product = new Product(db).with(graceDays, 7);
const views = product.get(boardViews);
const store = product.get(PostgresMedia);
const boards = product.get(Boards);
const folders = product.get(Folders);
const media = product.get(MediaItems);
const order = product.get(BoardOrder);
const notes = product.get(Notes);
const library = product.get(Library);
const newcomer = async () => anActor({ ...(await newWorkspace(db.database)), role: 'owner' });
const [actor, outsider] = [await newcomer(), await newcomer()];
const { workspaceId } = actor;
let boardId: number;
beforeEach(async () => {
  await product.clear();
  boardId = (await boards.create(actor, 'Board')).id;
});

const newMedia = async (folderId: number | null = null) =>
  (await media.add(actor, boardId, { url: null, controlImage: null, extras: null, folderId })).id;
/** Media items, the newest first. */
async function newItems(count: number, folderId: number | null = null): Promise<number[]> {
  const ids: number[] = [];
  for (let index = 0; index < count; index++) ids.unshift(await newMedia(folderId));
  return ids;
}
/** A media item with a picture of this name. */
async function newPictured(name: string, onBoard = boardId): Promise<{ readonly id: number; readonly fileId: number }> {
  const file = await newPicture(db.database, workspaceId);
  const request = { url: 'https://example.com/a.png', controlImage: null, extras: null, folderId: null };
  const { id } = await media.add(actor, onBoard, request);
  await store.end(processed((await store.waiting(id, 1))!, { fileKey: file.key, controlImageKey: null }), [file.id]);
  await media.rename(actor, onBoard, id, name);
  return { id, fileId: file.id };
}
const newFolder = async () => (await folders.create(actor, boardId, { name: 'Folder', parentId: null })).id;
const put = (ids: readonly number[], after: number | null = null) => order.put(actor, boardId, { ids, after });
const shown = async (id = boardId) => (await views.board(workspaceId, id))!;
const listed = async (filter: MediaFilter = {}) =>
  (await views.media(workspaceId, boardId, filter, ALL))!.items.map(({ id }) => id);
const byHand = (folderId: number | null = null) => listed({ sort: 'manual', folderId });

/** Runs the announced jobs of deletions. */
async function carryOut(): Promise<void> {
  const deletions = product.get(Deletions);
  for (let job; (job = product.jobs.announced.shift());) {
    if (job.name === 'deletion.carry_out') await deletions.carryOut(job.payload.entryIds, signal);
  }
}

describe('the order by hand', () => {
  it('is newest first, then as people put the items, and is a change of the board', async () => {
    const [d, c, b, a] = (await newItems(4)) as [number, number, number, number];
    expect(await byHand()).toEqual([d, c, b, a]);
    const { version } = await shown();
    expect(await put([a, b], d)).toMatchObject([{ id: a }, { id: b }]);
    expect(await byHand()).toEqual([d, a, b, c]);
    await put([c]);
    const e = await newMedia();
    expect(await byHand()).toEqual([e, c, d, a, b]);
    const board = await shown();
    expect(board.version).toBeGreaterThan(version);
    expect(board.media.map(({ id }) => id)).toEqual([e, d, c, b, a]);
    expect(board.media.toSorted((one, other) => one.place - other.place).map(({ id }) => id)).toEqual([e, c, d, a, b]);
  });

  it('stays in a folder, and ends for an item that moves to another one', async () => {
    const [home, other] = [await newFolder(), await newFolder()];
    const [b, a] = (await newItems(2, home)) as [number, number];
    const c = await newMedia(other);
    await put([a], null);
    await media.move(actor, boardId, [a], home);
    expect(await byHand(home)).toEqual([a, b]);
    await media.move(actor, boardId, [a, b], other);
    expect(await byHand(other)).toEqual([c, b, a]);
  });

  it('refuses items that are not there, or not in one folder', async () => {
    const home = await newFolder();
    const [b, a] = (await newItems(2)) as [number, number];
    const c = await newMedia(home);
    const gone = await newMedia();
    await media.delete(actor, boardId, [gone]);
    for (const ids of [[a, gone], [999_999]]) expect(await codeOf(put(ids))).toBe('not_found');
    expect(await codeOf(put([a, c]))).toBe('validation_failed');
    for (const after of [c, gone, a]) expect(await codeOf(put([a], after))).toBe('validation_failed');
    expect(await codeOf(order.put(outsider, boardId, { ids: [a] }))).toBe('not_found');
    const elsewhere = (await boards.create(actor, 'Other')).id;
    expect(await codeOf(order.put(actor, elsewhere, { ids: [a] }))).toBe('not_found');
    expect(await byHand()).toEqual([b, a]);
  });

  it('has each item once, however many people order at once', async () => {
    const ids = await newItems(8);
    await inRounds(async () => {
      const [a, b, c, d, e, f] = ids as [number, number, number, number, number, number];
      const moves = [
        put([a, b], c),
        put([c, d], a),
        put([e, f]),
        put([a, f], d),
        newMedia(),
        media.move(actor, boardId, [b], null),
      ];
      const codes = await Promise.all(moves.map((move) => codeOf(move)));
      expect(codes).toEqual(codes.map(() => 'ok'));
      const { media: all } = await shown();
      expect(new Set(all.map(({ place }) => place)).size).toBe(all.length);
      expect((await byHand()).toSorted()).toEqual(all.map(({ id }) => id).toSorted());
    });
  });
});

describe('the media of a board', () => {
  it('are listed in each order, page by page', async () => {
    const names = ['cove', 'Alps', 'Brook', 'alps'];
    const items = [];
    for (const name of names) items.push(await newPictured(name));
    const [cove, alps, brook, alps2] = items as [
      (typeof items)[0],
      (typeof items)[0],
      (typeof items)[0],
      (typeof items)[0],
    ];
    const bare = await newMedia();
    await library.tag(actor, [brook.fileId], { rating: 2 });
    await library.tag(actor, [cove.fileId], { rating: 5 });
    const decisions = product.get(Decisions);
    await decisions.decide(actor, { boardId, mediaId: alps.id }, 'changes_requested', null);
    await decisions.decide(actor, { boardId, mediaId: brook.id }, 'approved', null);
    await put([alps.id, bare], null);
    const orders = {
      newest: [bare, alps2.id, brook.id, alps.id, cove.id],
      oldest: [cove.id, alps.id, brook.id, alps2.id, bare],
      manual: [alps.id, bare, alps2.id, brook.id, cove.id],
      name: [alps2.id, alps.id, brook.id, cove.id, bare],
      rating: [cove.id, brook.id, bare, alps2.id, alps.id],
      decision: [brook.id, alps.id, bare, alps2.id, cove.id],
    } as const;
    for (const [sort, expected] of Object.entries(orders)) {
      const filter = { sort: sort as keyof typeof orders };
      expect([sort, await listed(filter)]).toEqual([sort, expected]);
      const read = async (after: number | null): Promise<number[]> => {
        const { items, next } = (await views.media(workspaceId, boardId, filter, { limit: 2, after }))!;
        return [...items.map(({ id }) => id), ...(next === null ? [] : await read(next))];
      };
      const paged = await read(null);
      expect([sort, paged]).toEqual([sort, expected]);
    }
  });

  it('go on after an item that is in the trash, and not after one that is no more', async () => {
    const [c, b, a] = (await newItems(3)) as [number, number, number];
    const after = async () =>
      (await views.media(workspaceId, boardId, { sort: 'manual' }, { limit: 2, after: b }))!.items;
    await media.delete(actor, boardId, [b]);
    expect(await after()).toMatchObject([{ id: a }]);
    await db.query('delete from media where id = any ($1)', [[a, b]]);
    expect(await codeOf(after())).toBe('validation_failed');
    expect(await byHand()).toEqual([c]);
  });

  it('are found by the words and tags of their pictures, on this board alone', async () => {
    const [fox, owl] = [await newPictured('Red fox at dawn'), await newPictured('Owl')];
    await newPictured('Fox', (await boards.create(actor, 'Other')).id);
    await newMedia();
    await library.tag(actor, [fox.fileId, owl.fileId], { add: ['dawn'] });
    await library.tag(actor, [owl.fileId], { add: ['night'] });
    for (const text of ['fox', 'dawn red', 'dawm fox']) expect(await listed({ text })).toEqual([fox.id]);
    expect(await listed({ text: '…' })).toEqual([]);
    expect(await listed({ tags: ['dawn'], sort: 'oldest' })).toEqual([fox.id, owl.id]);
    expect(await listed({ tags: ['dawn', 'night'] })).toEqual([owl.id]);
    expect(await listed({ tags: ['night'], text: 'fox' })).toEqual([]);
    expect(await views.media(outsider.workspaceId, boardId, { text: 'fox' }, ALL)).toBeNull();
  });

  it('show rating and tags of their pictures, in a new version of each board', async () => {
    const { id: other } = await boards.create(actor, 'Other');
    const { id: third } = await boards.create(actor, 'Third');
    const { fileId } = await newPictured('Fox');
    const { fileId: second } = await newPictured('Owl', other);
    const versions = async () => [await shown(), await shown(other), await shown(third)].map(({ version }) => version);
    const before = await versions();
    await library.tag(actor, [fileId, second], { add: ['dawn'], rating: 4 });
    const after = await versions();
    expect([after[0]! > before[0]!, after[1]! > before[1]!, after[2]! > before[2]!]).toEqual([true, true, false]);
    expect((await shown(other)).media).toMatchObject([{ rating: 4, tags: ['dawn'] }]);

    await product.get(LibraryDeletion).delete(actor, second);
    const [{ id: entry }] = (await db.query<{ id: number }>(`select id from trash where kind = 'item'`)) as [
      { id: number },
    ];
    expect((await shown(other)).media).toMatchObject([{ rating: 4 }]);
    await product.get(Trash).erase(actor, entry);
    await carryOut();
    expect((await shown(other)).media).toMatchObject([{ rating: 0, tags: [] }]);
    expect((await versions())[1]!).toBeGreaterThan(after[1]!);
  });
});

describe('notes', () => {
  const write = (text: string, place: Parameters<Notes['create']>[2] | object = {}) =>
    notes.create(actor, boardId, { text, ...place });

  it('stand among the media items of their folder', async () => {
    const [b, a] = (await newItems(2)) as [number, number];
    const { version } = await shown();
    const second = await write(' Colder ', { after: b });
    const first = await write('Sky');
    await put([a], null);
    await order.put(actor, boardId, { ids: [a], afterNote: second.id });
    const board = await shown();
    const all = [...board.media, ...board.notes].toSorted((one, other) => one.place - other.place);
    expect(all.map(({ id, ...each }) => ('text' in each ? each.text : id))).toEqual(['Sky', b, 'Colder', a]);
    expect(board.version).toBeGreaterThan(version);
    expect(board.notes).toEqual([
      { ...second, boardId, folderId: null, text: 'Colder', createdBy: actor.userId },
      { ...first, text: 'Sky' },
    ]);
  });

  it('are changed, moved and deleted', async () => {
    const home = await newFolder();
    const item = await newMedia(home);
    const note = await write('Sky');
    product.clock.advance(1);
    const renamed = await notes.update(actor, boardId, note.id, { text: 'Sea', folderId: null });
    expect(renamed).toEqual({ ...note, text: 'Sea', updatedAt: product.clock.now() });
    const moved = await notes.update(actor, boardId, note.id, { folderId: home });
    expect(moved.place).toBeLessThan(-item * PLACE_GAP);
    const last = await notes.update(actor, boardId, note.id, { after: item });
    expect(last.place).toBeGreaterThan(-item * PLACE_GAP);
    expect((await shown()).notes).toEqual([last]);
    await notes.delete(actor, boardId, note.id);
    expect((await shown()).notes).toEqual([]);
  });

  it('are nowhere for another workspace, board or folder', async () => {
    const other = (await boards.create(actor, 'Other')).id;
    const foreign = await newFolder();
    const note = await write('Sky');
    const item = await newMedia(foreign);
    expect(await codeOf(notes.create(outsider, boardId, { text: 'x' }))).toBe('not_found');
    expect(await codeOf(notes.create(actor, other, { text: 'x', folderId: foreign }))).toBe('not_found');
    expect(await codeOf(notes.update(actor, boardId, note.id, { folderId: 999_999 }))).toBe('not_found');
    expect(await codeOf(notes.update(outsider, boardId, note.id, { text: 'x' }))).toBe('not_found');
    expect(await codeOf(notes.update(actor, other, note.id, { text: 'x' }))).toBe('not_found');
    expect(await codeOf(notes.update(actor, boardId, note.id, { after: item }))).toBe('validation_failed');
    expect(await codeOf(notes.delete(actor, other, note.id))).toBe('not_found');
    expect(await views.exists('note', workspaceId, note.id)).toBe(true);
    expect(await views.exists('note', outsider.workspaceId, note.id)).toBe(false);
    expect((await shown()).notes).toEqual([note]);
  });

  it('are deleted with their folder or board, restored with it, and end with it', async () => {
    const top = await newFolder();
    const below = (await folders.create(actor, boardId, { name: 'Below', parentId: top })).id;
    const note = await write('Sky', { folderId: below });
    const trash = product.get(Trash);
    const entry = async (kind: string) =>
      (await db.query<{ id: number }>('select id from trash where kind = $1 order by id desc limit 1', [kind]))[0]!.id;
    await folders.delete(actor, boardId, top);
    expect((await shown()).notes).toEqual([]);
    expect(await codeOf(notes.update(actor, boardId, note.id, { text: 'x' }))).toBe('not_found');
    expect(await codeOf(notes.delete(actor, boardId, note.id))).toBe('not_found');
    expect(await views.exists('note', workspaceId, note.id)).toBe(false);
    await trash.restore(actor, await entry('folder'));
    expect((await shown()).notes).toEqual([note]);
    await boards.delete(actor, boardId);
    expect(await views.exists('note', workspaceId, note.id)).toBe(false);
    await trash.restore(actor, await entry('board'));
    expect((await shown()).notes).toEqual([note]);

    const left = await write('Sea');
    await folders.delete(actor, boardId, top);
    await trash.erase(actor, await entry('folder'));
    await carryOut();
    const stored = () => db.query<{ id: number }>('select id from notes where board_id = $1', [boardId]);
    expect(await stored()).toEqual([{ id: left.id }]);
    await boards.delete(actor, boardId);
    await trash.erase(actor, await entry('board'));
    await carryOut();
    expect(await stored()).toEqual([]);
  });
});
