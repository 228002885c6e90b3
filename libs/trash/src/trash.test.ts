import { setTimeout } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { PostgresAudit, PostgresDeletions, PostgresTrash } from '#adapters/postgres';
import { Boards, Folders, MediaItems } from '#board';
import { FileDeletion, keptKey, NOTHING_SEEN, StoredUrls } from '#files';
import type { Job } from '#kernel';
import { Personas } from '#persona';
import { storedKeys, uploadRoom, type UploadRoom } from '#testing/files';
import { graceDays } from '#wiring';
import { deleteAllFiles, fileStoreOn } from '../../../test/support/file-store.ts';
import { Product } from '../../../test/support/product.ts';
import { rounds } from '../../../test/support/rounds.ts';
import { suiteDatabase } from '../../../test/support/suite-database.ts';
import { Deletions, Trash, type TrashEntry } from './index.ts';

const DAYS = 7;
const DAY = 86_400;
const ALL = { limit: null, after: null };
const { signal } = new AbortController();
const TABLES = ['boards', 'folders', 'media', 'media_files', 'personas', 'trainings', 'files', 'generations'];
const STYLES = ['styles', 'style_pictures'];
const OUTPUTS = ['generation_outputs'];
/** The ThumbHash of a media item. */
const COLOURS = '3OcRJYB4d3h/iIeHeEh3eIhw+j2w';
/** Columns that a deletion and a restoration may change. */
const CHANGED = `'{version,review_at}'::text[]`;

const db = await suiteDatabase();
const product = new Product(db).with(graceDays, DAYS);
const { jobs, clock, storage } = product;
const store = product.get(PostgresTrash);
const trash = product.get(Trash);
const deletions = product.get(Deletions);
const boards = product.get(Boards);
const folders = product.get(Folders);
const media = product.get(MediaItems);
const personas = product.get(Personas);
const fileDeletion = product.get(FileDeletion);
let room: UploadRoom;
beforeEach(async () => {
  await deleteAllFiles(db);
  await product.clear();
  room = await uploadRoom({ clock, storage, store: fileStoreOn(db.database) });
});

/** Every row of the tables that can be in the trash. */
async function rows() {
  const all: Record<string, unknown> = {};
  for (const table of [...TABLES, ...STYLES, ...OUTPUTS]) {
    all[table] = await db.query(`select to_jsonb(t) - ${CHANGED} as row from ${table} t order by to_jsonb(t)::text`);
  }
  return all;
}

/** Runs the announced jobs of deletions, and returns the others. */
async function runJobs(): Promise<Job[]> {
  const others: Job[] = [];
  for (let job; (job = jobs.announced.shift());) {
    if (job.name === 'deletion.carry_out') await deletions.carryOut(job.payload.entryIds, signal);
    else if (job.name === 'files.reclaim') await fileDeletion.deleteUnneeded(job.payload.fileIds, signal);
    else if (job.name === 'files.erase') await fileDeletion.erase(job.payload.fileIds, signal);
    else if (job.name === 'files.restore') await fileDeletion.bringBack(job.payload.keys);
    else others.push(job);
  }
  return others;
}

const entries = async () => (await store.list(room.actor.workspaceId, clock.now(), ALL)).items;
const entry = async (): Promise<TrashEntry> => (await entries())[0]!;
const restore = async () => trash.restore(room.actor, (await entry()).id);

async function aBoard() {
  const board = await boards.create(room.actor, 'Moods');
  const outer = await folders.create(room.actor, board.id, { name: 'Outer', parentId: null });
  const inner = await folders.create(room.actor, board.id, { name: 'Inner', parentId: outer.id });
  const [shown, loose] = [await aMedia(board.id, inner.id), await aMedia(board.id, null)];
  return { board: board.id, outer: outer.id, inner: inner.id, shown, loose };
}

/** A processed media item with a file. */
async function aMedia(boardId: number, folderId: number | null): Promise<number> {
  const request = { url: null, controlImage: null, folderId, extras: '{"a":1}' };
  const { id } = await media.add(room.actor, boardId, request);
  const file = await room.keep();
  await db.query('insert into media_files (media_id, file_id) values ($1, $2)', [id, file.id]);
  await db.query('update media set file_key = $2 where id = $1', [id, file.key]);
  await db.query('update files set placeholder = $2 where id = $1', [file.id, COLOURS]);
  return id;
}

/** A persona with a saved upload, a training, and an output of a generation with a thumbnail. */
async function aPersona(): Promise<number> {
  const { actor, personaId } = room;
  await room.save('picture.png', 'image/png');
  const files = [
    await room.keep(),
    await room.keep({ origin: 'output', personaId }),
    await room.keep({ origin: 'output', personaId }),
  ];
  await db.query(
    `with g as (
       insert into generations (workspace_id, user_id, persona_id, model, kind, state, parameters, cost, created_at)
       values ($1, $2, $3, 'm', 'image', 'succeeded', '{}', 4, now()) returning id),
     o as (insert into generation_outputs (generation_id, position, file_id) select id, 0, $5 from g),
     t as (update files set picture_id = $5 where id = $6)
     insert into trainings (workspace_id, persona_id, slot, source_url, file_id, state, created_at, picture_version)
     values ($1, $3, 2, 'https://example.com', $4, 'processed', now(), 1)`,
    [actor.workspaceId, actor.userId, personaId, ...files.map(({ id }) => id)],
  );
  return personaId;
}

/** Trains a style of the persona on a picture that no slot has any more; with `null`, its training has failed. */
async function aStyle(personaId: number, weights: number | null): Promise<void> {
  const picture = await room.keep();
  await db.query(
    `with style as (
       insert into styles (workspace_id, persona_id, name, model, trigger, slots, file_id, created_at)
       values ($1, $2, 'Oils', 'm', 'x12abcdefgh', '', $3, now()) returning id)
     insert into style_pictures (style_id, position, training_id, key, file_id) select id, 1, 1, $4, $5 from style`,
    [room.actor.workspaceId, personaId, weights, picture.key, picture.id],
  );
}

/** A persona with a trained style, and one whose training has failed. */
async function aStyledPersona(): Promise<number> {
  const personaId = await aPersona();
  await aStyle(personaId, (await room.keep({ origin: 'output', personaId })).id);
  await aStyle(personaId, null);
  return personaId;
}

describe('a deleted item', () => {
  const DELETIONS: Readonly<Record<string, (on: Awaited<ReturnType<typeof aBoard>>) => Promise<unknown>>> = {
    board: ({ board }) => boards.delete(room.actor, board),
    folder: ({ board, outer }) => folders.delete(room.actor, board, outer),
    media: ({ board, shown }) => media.delete(room.actor, board, [shown]),
    persona: () => personas.delete(room.actor, room.personaId),
  };

  it.each(Object.keys(DELETIONS))('disappears at once, and can be restored completely: a %s', async (kind) => {
    const board = await aBoard();
    await aStyledPersona();
    jobs.announced.splice(0);
    const before = { rows: await rows(), keys: await storedKeys(storage) };
    await DELETIONS[kind]!(board);
    await runJobs();
    const placeholder = kind === 'media' ? COLOURS : null;
    const deleted = { kind, placeholder, deletedBy: room.actor.userId, deletedAt: clock.now() };
    expect(await entries()).toMatchObject([deleted]);
    expect(await rows()).not.toEqual(before.rows);
    const keys = await storedKeys(storage);
    expect(keys.map((key) => key.replace(/^kept/, 'files')).sort()).toEqual(before.keys);
    expect(keys.some((key) => key.startsWith('kept/'))).toBe(true);
    if (kind === 'persona') expect(keys.filter((key) => key.startsWith('files/'))).toHaveLength(2);
    clock.advance(DAYS * DAY - 1);
    await fileDeletion.sweep();
    await restore();
    expect(await runJobs()).toEqual([]);
    expect(await rows()).toEqual(before.rows);
    expect(await storedKeys(storage)).toEqual(before.keys);
    expect(await entries()).toEqual([]);
    const odd = (await new PostgresAudit(db.database).findings()).filter(({ rule }) => /board|trash|folder/.test(rule));
    expect(odd).toEqual([]);
  });

  it('can be restored after other items were created and deleted', async () => {
    const { board, shown, loose } = await aBoard();
    await media.delete(room.actor, board, [shown, loose]);
    await aMedia(board, null);
    expect((await entries()).map(({ itemId }) => itemId).sort()).toEqual([shown, loose].sort());
    await runJobs();
    await restore();
    await restore();
    expect(await db.query('select folders_count, media_count from boards where id = $1', [board])).toEqual([
      { folders_count: 2, media_count: 3 },
    ]);
  });

  it('announces its unfinished jobs again when it is restored', async () => {
    const { board } = await aBoard();
    const request = { url: 'https://example.com/a.png', controlImage: null, folderId: null, extras: null };
    const { id } = await media.add(room.actor, board, request);
    await media.delete(room.actor, board, [id]);
    await runJobs();
    await restore();
    expect(await runJobs()).toMatchObject([{ name: 'media.process', payload: { mediaId: id, revision: 1 } }]);
  });

  it('can be restored while its deletion is carried out', async () => {
    await aStyledPersona();
    for (let round = 0; round < rounds(); round++) {
      await personas.delete(room.actor, room.personaId);
      const restoring = setTimeout(round % 10).then(restore);
      await Promise.all([deletions.carryOut([(await entry()).id], signal), restoring]);
      await runJobs();
      expect(await entries()).toEqual([]);
    }
  });

  it('cannot be restored before its deleted board or folder', async () => {
    const { board, outer, inner, shown } = await aBoard();
    await media.delete(room.actor, board, [shown]);
    await folders.delete(room.actor, board, inner);
    await boards.delete(room.actor, board);
    const [ofBoard, ofFolder, ofMedia] = await entries();
    const back = ({ id }: TrashEntry) => trash.restore(room.actor, id);
    await expect(back(ofFolder!)).rejects.toMatchObject({ code: 'conflict', message: /its board/ });
    await back(ofBoard!);
    await expect(back(ofMedia!)).rejects.toMatchObject({ code: 'conflict', message: /its folder/ });
    await back(ofFolder!);
    await back(ofMedia!);
    expect(await db.query('select id, parent_id from folders where id = $1', [inner])).toEqual([
      { id: inner, parent_id: outer },
    ]);
  });

  it('cannot be restored if folders would nest too deep', async () => {
    const { board, outer, inner } = await aBoard();
    await folders.delete(room.actor, board, inner);
    let parentId: number | null = null;
    for (let depth = 1; depth < 50; depth++) {
      parentId = (await folders.create(room.actor, board, { name: 'Deep', parentId })).id;
    }
    await folders.update(room.actor, board, outer, { parentId });
    await expect(restore()).rejects.toMatchObject({ code: 'conflict', message: /50 deep/ });
    await folders.update(room.actor, board, outer, { parentId: null });
    await restore();
  });

  it('is invisible to other workspaces, and can be restored once before it expires', async () => {
    const { board, shown } = await aBoard();
    await media.delete(room.actor, board, [shown]);
    await runJobs();
    const { id } = await entry();
    const elsewhere = { workspaceId: (await room.store.newWorkspace()).workspaceId };
    await expect(trash.restore(elsewhere, id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(trash.erase(elsewhere, id)).rejects.toMatchObject({ code: 'not_found' });
    const results = await Promise.allSettled([1, 2, 3].map(() => trash.restore(room.actor, id)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await runJobs();
    await media.delete(room.actor, board, [shown]);
    const second = await entry();
    clock.advance(DAYS * DAY);
    await expect(trash.restore(room.actor, second.id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await entries()).toEqual([]);
    expect(await deletions.sweep(signal)).toBe(1);
    await runJobs();
    expect(await db.query('select from media where id = $1', [shown])).toEqual([]);
    expect(await db.query('select from trash')).toEqual([]);
  });

  it('is purged even if the purge of an older entry fails', async () => {
    class Failing extends PostgresDeletions {
      override async deleteSome(...given: Parameters<PostgresDeletions['deleteSome']>): Promise<boolean> {
        if (given[0].itemId === failing) throw new Error('this one fails');
        return super.deleteSome(...given);
      }
    }
    const { board, shown: failing, loose } = await aBoard();
    await media.delete(room.actor, board, [failing]);
    await media.delete(room.actor, board, [loose]);
    clock.advance(DAYS * DAY);
    const sweeping = new Product(db, product).with(PostgresDeletions, new Failing(db.database)).get(Deletions);
    await expect(sweeping.sweep(signal)).rejects.toThrow('this one fails');
    expect(await db.query('select id from media where board_id = $1', [board])).toEqual([{ id: failing }]);
    expect(await deletions.sweep(signal)).toBe(1);
    expect(await db.query('select id from media where board_id = $1', [board])).toEqual([]);
  });

  it('is purged with its bytes, except bytes that other entries need', async () => {
    const { board, shown, loose } = await aBoard();
    const [shared] = await db.query<{ file_id: number; key: string }>(
      'select file_id, key from media_files join files on files.id = file_id where media_id = $1',
      [shown],
    );
    await db.query('insert into media_files (media_id, file_id) values ($1, $2)', [loose, shared!.file_id]);
    await media.delete(room.actor, board, [shown, loose]);
    await runJobs();
    const kept = await storedKeys(storage);
    expect(kept).toHaveLength(2);
    await trash.erase(room.actor, (await entries()).find(({ itemId }) => itemId === loose)!.id);
    await runJobs();
    expect(await storedKeys(storage)).toEqual([keptKey(shared!.key)]);
    await trash.erase(room.actor, (await entry()).id);
    await runJobs();
    expect(await storedKeys(storage)).toEqual([]);
    expect(await entries()).toEqual([]);
  });

  it('takes its picture along only from the last of twenty boards that show it', async () => {
    const picture = await room.keep();
    const thumbnail = await room.keep({ origin: 'output' });
    const thumbnails = [{ key: thumbnail.key, width: 320, height: 200 }];
    await room.store.files.saveSeen(picture.id, { ...NOTHING_SEEN, width: 640, height: 400, thumbnails });
    const source = {
      url: product.get(StoredUrls).plainUrlOf(picture.key),
      controlImage: null,
      folderId: null,
      extras: null,
    };
    const places: { board: number; item: number }[] = [];
    for (let count = 0; count < 20; count++) {
      const board = await boards.create(room.actor, 'Moods');
      const item = await media.add(room.actor, board.id, source);
      expect(item).toMatchObject({ state: 'processed', fileKey: picture.key, width: 640, thumbnails });
      places.push({ board: board.id, item: item.id });
    }
    // It was looked at: nothing is to be done, and nothing was stored.
    expect([jobs.announced, await storedKeys(storage)]).toEqual([[], [picture.key, thumbnail.key].toSorted()]);
    const remove = async ({ board, item }: (typeof places)[number]) => {
      await media.delete(room.actor, board, [item]);
      await trash.erase(room.actor, (await entry()).id);
      await runJobs();
      await fileDeletion.sweep();
    };
    for (const place of places.slice(1)) await remove(place);
    expect(await storedKeys(storage)).toEqual([picture.key, thumbnail.key].toSorted());
    for (const { key } of [picture, thumbnail]) expect(await room.store.files.isPublic(key)).toBe(true);
    await remove(places[0]!);
    expect(await storedKeys(storage)).toEqual([]);
    expect(await db.query('select from files')).toEqual([]);
  });

  it.each([
    ['by people', async () => trash.erase(room.actor, (await entry()).id)],
    ['as it has expired', async () => void clock.advance(DAYS * DAY)],
  ])('is purged with its styles, their weights and their pictures: a persona, %s', async (_, purge) => {
    const personaId = await aStyledPersona();
    jobs.announced.splice(0);
    await personas.delete(room.actor, personaId);
    await runJobs();
    await purge();
    const entryIds = async () =>
      (await db.query<{ id: number }>('select id from trash where workspace_id = $1', [room.actor.workspaceId])).map(
        ({ id }) => id,
      );
    await deletions.carryOut(await entryIds(), signal);
    expect(await entryIds()).toEqual([]);
    for (const table of ['personas', 'trainings', 'files', 'styles']) {
      const left = await db.query(`select id from ${table} where workspace_id = $1`, [room.actor.workspaceId]);
      expect([table, left]).toEqual([table, []]);
    }
    expect(await storedKeys(storage)).toEqual([]);
  });
});
