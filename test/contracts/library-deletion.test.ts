/** @tier test */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  PostgresAudit,
  PostgresFileRecords,
  PostgresGenerationViews,
  PostgresLibraryWork,
  PostgresTrash,
} from '#adapters/postgres';
import { Boards, MediaItems } from '#board';
import { FileDeletion, keptKey, NOTHING_SEEN, type StoredFile } from '#files';
import { Library, LibraryDeletion } from '#library';
import { Personas } from '#persona';
import { storedKeys, uploadRoom, type UploadRoom } from '#testing/files';
import { Deletions, Trash } from '#trash';
import { graceDays, libraryViews } from '#wiring';
import { codeOf } from '../support/code-of.ts';
import { suiteDatabase } from '../support/suite-database.ts';
import { deleteAllFiles, fileStoreOn, LASTING } from '../support/file-store.ts';
import { Product } from '../support/product.ts';
import { inRounds, rounds } from '../support/rounds.ts';

const DAYS = 7;
const DAY = 86_400;
const ALL = { limit: null, after: null };
const { signal } = new AbortController();
const TABLES = ['files', 'library_items', 'generation_outputs', 'media', 'uploads'];

const db = await suiteDatabase({ poolSize: 20 });
const product = new Product(db).with(graceDays, DAYS);
const { auditLog } = product;
const views = product.get(libraryViews);
const store = product.get(PostgresTrash);
const library = product.get(Library);
const deletion = product.get(LibraryDeletion);
const trash = product.get(Trash);
const deletions = product.get(Deletions);
const files = product.get(FileDeletion);
const boards = product.get(Boards);
const media = product.get(MediaItems);
const personas = product.get(Personas);
let room: UploadRoom;
beforeEach(async () => {
  await deleteAllFiles(db);
  await product.clear();
  room = await uploadRoom({ clock: product.clock, storage: product.storage, store: fileStoreOn(db.database) });
});

afterEach(async () => expect(await faults()).toEqual([]));

/** Runs the announced jobs of deletions, also those that a lock postpones. */
async function runJobs(): Promise<void> {
  for (let job; (job = product.jobs.announced.shift());) {
    if (job.name === 'deletion.carry_out') await deletions.carryOut(job.payload.entryIds, signal);
    else if (job.name === 'files.reclaim') await files.deleteUnneeded(job.payload.fileIds, signal);
    else if (job.name === 'files.restore') await files.bringBack(job.payload.keys);
  }
}

async function rows() {
  const all: Record<string, unknown> = {};
  for (const table of TABLES) {
    const ignored = `'{review_at,clean_up_at}'::text[]`;
    all[table] = await db.query(`select to_jsonb(t) - ${ignored} as row from ${table} t order by to_jsonb(t)::text`);
  }
  return all;
}

const found = async () => {
  const { items } = await views.search(room.actor.workspaceId, {}, { limit: 100, after: null });
  return items.map(({ fileId }) => fileId).sort((a, b) => a - b);
};
const entries = async () => (await store.list(room.actor.workspaceId, room.clock.now(), ALL)).items;
const isPublic = ({ key }: StoredFile) => room.store.files.isPublic(key);
const restore = (entryId: number | null) => trash.restore(room.actor, entryId!);
const upload = async (filename = 'photo.png') => (await room.save(filename, 'image/png')).file;
const faults = async () =>
  (await new PostgresAudit(db.database).findings()).filter(({ rule }) => /file|library|output|bytes/.test(rule));

/** An output with a thumbnail. */
async function output(personaId: number | null = room.personaId) {
  const { workspaceId, userId } = room.actor;
  const file = await room.keep({ origin: 'output', personaId });
  const thumbnail = await room.keep({ origin: 'output', personaId: null });
  await see(file, [thumbnail]);
  const made = await db.one<{ id: number }>(
    `with g as (
       insert into generations (workspace_id, user_id, persona_id, model, kind, state, prompt, parameters, cost, created_at)
       values ($1, $2, $3, 'm', 'image', 'succeeded', 'a red fox', '{}', 4, now()) returning id)
     insert into generation_outputs (generation_id, position, file_id) select id, 1, $4 from g
     returning generation_id as id`,
    [workspaceId, userId, personaId, file.id],
  );
  await fill();
  return { file, thumbnail, generationId: made!.id };
}

/** An upload with two thumbnails. */
async function photoWithThumbnails() {
  const photo = await upload();
  const thumbnails = [
    await room.keep({ origin: 'output', personaId: null }),
    await room.keep({ origin: 'output', personaId: null }),
  ];
  await see(photo, thumbnails);
  return { photo, thumbnails, all: [photo, ...thumbnails] };
}

async function see(picture: StoredFile, small: readonly StoredFile[]): Promise<void> {
  const thumbnails = small.map(({ key }, at) => ({ key, width: [320, 1024][at]!, height: 240 }));
  const look = { colors: [1], shape: '10'.repeat(32) };
  const seen = { ...NOTHING_SEEN, look, placeholder: 'AAAA', width: 4, height: 3, thumbnails };
  expect(await new PostgresFileRecords(db.database).saveSeen(picture.id, seen)).toBe(true);
}

/** Adds what is missing in the library. */
async function fill(): Promise<void> {
  const now = new Date();
  await db.query('update library_filling set passes_left = 2, starts_at = $1, before_id = 1000000000', [now]);
  while ((await new PostgresLibraryWork(db.database).addOlder(now, 1_000)) > 0);
}

const outputsOf = async (id: number) =>
  (await new PostgresGenerationViews(db.database).get(room.actor.workspaceId, id)).outputs.map(({ key }) => key);

describe('deleted items', () => {
  it('disappear at once, and come back with tags, rating and output', async () => {
    const [photo, picture] = [await upload(), await output()];
    await library.update(room.actor, picture.file.id, { tags: ['fox'], rating: 4 });
    await see(photo, []);
    const before = { rows: await rows(), keys: await storedKeys(room.storage), bytes: await storedBytes() };
    const ids = [picture.file.id, photo.id].sort((a, b) => a - b);
    const deleted = await deletion.deleteMany(room.actor, [...ids, ...ids, 999_999]);
    expect(deleted).toEqual({ fileIds: ids, entryId: expect.any(Number) });
    const expectGone = async () => {
      expect(await found()).toEqual([]);
      expect(await views.tags(room.actor.workspaceId, '', 10, null)).toEqual([]);
      expect(await outputsOf(picture.generationId)).toEqual([]);
      for (const file of [photo, picture.file, picture.thumbnail]) expect(await isPublic(file)).toBe(false);
      const listed = await room.store.files.list(room.actor.workspaceId, room.personaId, ALL, room.clock.now());
      expect(listed!.items).toEqual([]);
    };
    await expectGone();
    await runJobs();
    await expectGone();
    expect(await storedKeys(room.storage)).toEqual(before.keys.map((key) => keptKey(key)).sort());
    expect(await storedBytes()).toBe(0);
    expect(await entries()).toMatchObject([
      { kind: 'item', itemId: ids[0], boardId: null, name: 'photo.png', count: 2, placeholder: 'AAAA' },
    ]);
    expect(auditLog.entries).toMatchObject([{ action: 'item.delete', target: ids[0], details: { items: ids } }]);
    expect(await faults()).toEqual([]);
    room.clock.advance(DAYS * DAY - 1);
    await files.sweep();
    await restore(deleted.entryId);
    await runJobs();
    expect(await rows()).toEqual(before.rows);
    expect(await storedKeys(room.storage)).toEqual(before.keys);
    expect(await storedBytes()).toBe(before.bytes);
    expect(await outputsOf(picture.generationId)).toEqual([picture.file.key]);
    expect(auditLog.entries.at(-1)).toMatchObject({ action: 'item.restore', target: ids[0] });
  });

  it('are deleted for good, with their bytes, when their time has ended or they are erased', async () => {
    for (const end of ['expired', 'erased'] as const) {
      const [photo, picture] = [await upload(), await output()];
      const { entryId } = await deletion.deleteMany(room.actor, [photo.id, picture.file.id]);
      if (end === 'erased') await trash.erase(room.actor, entryId!);
      await runJobs();
      if (end === 'expired') {
        room.clock.advance(DAYS * DAY);
        expect(await deletions.sweep(signal)).toBe(1);
        await runJobs();
      }
      expect(await storedKeys(room.storage)).toEqual([]);
      for (const table of ['files', 'library_items', 'generation_outputs', 'trash']) {
        expect([table, await db.query(`select from ${table}`)]).toEqual([table, []]);
      }
      expect(await outputsOf(picture.generationId)).toEqual([]);
      expect(await faults()).toEqual([]);
    }
  });

  it('are deleted for good at once without a grace period', async () => {
    const photo = await upload();
    const withoutGrace = new Product(db, product).with(graceDays, 0).get(LibraryDeletion);
    const { entryId } = await withoutGrace.delete(room.actor, photo.id);
    expect(await codeOf(restore(entryId))).toBe('not_found');
    await runJobs();
    expect(await storedKeys(room.storage)).toEqual([]);
  });

  it.each(LASTING)('leave the file to what uses it, also when they are gone for good: a %s', async (kind) => {
    const { file, generationId } = await output();
    await library.update(room.actor, file.id, { tags: ['fox'] });
    await room.store.refer(kind, file.id);
    await deletion.delete(room.actor, file.id);
    await runJobs();
    const expectOnlyUsed = async () => {
      expect(await isPublic(file)).toBe(true);
      expect(await storedKeys(room.storage)).toContain(file.key);
      expect(await outputsOf(generationId)).toEqual([]);
      expect(await found()).toEqual([]);
      expect(await faults()).toEqual([]);
    };
    await expectOnlyUsed();
    room.clock.advance(DAYS * DAY);
    await deletions.sweep(signal);
    await runJobs();
    await fill();
    await expectOnlyUsed();
    expect(await db.query('select from library_items')).toEqual([]);
    expect(await db.query('select from trash')).toEqual([]);
    await room.store.unrefer(file.id);
    await files.deleteUnneeded([file.id], signal);
    expect(await db.query('select from files')).toEqual([]);
  });

  it('come back to a library whose file was used, deleted there and restored meanwhile', async () => {
    const photo = await upload();
    const board = await boards.create(room.actor, 'Moods');
    const item = await media.add(room.actor, board.id, aRequest(photo));
    const { entryId } = await deletion.delete(room.actor, photo.id);
    await media.delete(room.actor, board.id, [item.id]);
    await runJobs();
    expect(await isPublic(photo)).toBe(false);
    const ofMedia = (await entries()).find(({ kind }) => kind === 'media')!;
    await restore(ofMedia.id);
    await runJobs();
    expect([await isPublic(photo), await found()]).toEqual([true, []]);
    await media.delete(room.actor, board.id, [item.id]);
    await runJobs();
    await restore(entryId);
    await runJobs();
    expect([await isPublic(photo), await found()]).toEqual([true, [photo.id]]);
    expect(await storedKeys(room.storage)).toEqual([photo.key]);
  });

  it('stay deleted when their persona is restored, and wait for it when it is deleted', async () => {
    const [photo, other] = [await upload(), await upload('other.png')];
    const { entryId } = await deletion.delete(room.actor, photo.id);
    await personas.delete(room.actor, room.personaId);
    await runJobs();
    const ofPersona = async () => (await entries()).find(({ kind }) => kind === 'persona')!.id;
    await restore(await ofPersona());
    await runJobs();
    expect([await isPublic(photo), await isPublic(other), await found()]).toEqual([false, true, [other.id]]);
    expect((await storedKeys(room.storage)).sort()).toEqual([other.key, keptKey(photo.key)].sort());
    await personas.delete(room.actor, room.personaId);
    await runJobs();
    await restore(entryId);
    await runJobs();
    expect([await isPublic(photo), await found()]).toEqual([false, []]);
    await restore(await ofPersona());
    await runJobs();
    expect(await found()).toEqual([photo.id, other.id]);
    expect(await storedKeys(room.storage)).toEqual([photo.key, other.key].sort());
  });
});

describe('the thumbnails of an upload', () => {
  const keysOf = (all: readonly StoredFile[], form = (key: string) => key) => all.map(({ key }) => form(key)).sort();
  const arePublic = async (all: readonly StoredFile[]) => Promise.all(all.map(isPublic));

  it('go with it into the trash and out of it, at once for callers', async () => {
    const { photo, all } = await photoWithThumbnails();
    await files.sweep();
    room.clock.advance(7_200);
    await files.sweep();
    expect(await storedKeys(room.storage)).toEqual(keysOf(all));
    const before = await rows();
    const { entryId } = await deletion.delete(room.actor, photo.id);
    expect(await arePublic(all)).toEqual([false, false, false]);
    await runJobs();
    await files.sweep();
    expect(await storedKeys(room.storage)).toEqual(keysOf(all, keptKey));
    await restore(entryId);
    await runJobs();
    expect([await storedKeys(room.storage), await arePublic(all)]).toEqual([keysOf(all), [true, true, true]]);
    expect(await rows()).toEqual(before);
  });

  it('are deleted for good with it', async () => {
    const { photo } = await photoWithThumbnails();
    await trash.erase(room.actor, (await deletion.delete(room.actor, photo.id)).entryId!);
    await runJobs();
    expect([await storedKeys(room.storage), await db.query('select from files')]).toEqual([[], []]);
  });

  it('are deleted by the sweep when its record goes alone', async () => {
    const { photo, thumbnails } = await photoWithThumbnails();
    await files.sweep();
    await db.query('update files set review_at = null');
    await db.query('delete from files where id = $1', [photo.id]);
    // The sweep goes by the clock of the test.
    await db.query('update files set review_at = to_timestamp(0) where review_at is not null');
    await files.sweep();
    for (const { key } of thumbnails) expect(await storedKeys(room.storage)).not.toContain(key);
    expect(await db.query('select from files')).toEqual([]);
  });

  it('go with its persona, and stay with a slot that uses it', async () => {
    const { photo, all } = await photoWithThumbnails();
    await room.store.refer('training', photo.id);
    await personas.delete(room.actor, room.personaId);
    await runJobs();
    expect(await arePublic(all)).toEqual([true, true, true]);
    await room.store.unrefer(photo.id);
    expect(await arePublic(all)).toEqual([false, false, false]);
    await files.deleteUnneeded([photo.id], signal);
    expect(await storedKeys(room.storage)).toEqual(keysOf(all, keptKey));
    room.clock.advance(DAYS * DAY);
    await deletions.sweep(signal);
    await runJobs();
    expect([await storedKeys(room.storage), await db.query('select from files')]).toEqual([[], []]);
  });

  it('stay when a slot uses one of them itself', async () => {
    const { photo, thumbnails } = await photoWithThumbnails();
    await room.store.refer('training', thumbnails[1]!.id);
    await trash.erase(room.actor, (await deletion.delete(room.actor, photo.id)).entryId!);
    await runJobs();
    expect(await arePublic(thumbnails)).toEqual([false, true]);
  });

  it('are decided with it, whatever a race decides', async () => {
    const board = await boards.create(room.actor, 'Moods');
    await inRounds(async () => {
      const { photo, thumbnails, all } = await photoWithThumbnails();
      const [, put] = await Promise.all([
        deletion.delete(room.actor, photo.id).then(runJobs),
        codeOf(media.add(room.actor, board.id, aRequest(thumbnails[0]!))),
        codeOf(media.add(room.actor, board.id, aRequest(photo))),
      ]);
      await runJobs();
      const isThere = await isPublic(photo);
      expect(await arePublic(all)).toEqual([isThere, isThere || put === 'ok', isThere]);
    });
  });
});

describe('who deletes', () => {
  it('is for members what they made, for admins everything', async () => {
    const [mine, theirs] = [await upload(), await upload()];
    await db.query('update library_items set user_id = $2 where file_id = $1', [theirs.id, room.actor.userId + 1]);
    const member = { ...room.actor, role: 'member' as const };
    expect(await codeOf(deletion.delete(member, theirs.id))).toBe('forbidden');
    expect(await deletion.deleteMany(member, [theirs.id, mine.id])).toMatchObject({ fileIds: [mine.id] });
    expect(await deletion.deleteMany(member, [theirs.id])).toEqual({ fileIds: [], entryId: null });
    expect(auditLog.entries).toHaveLength(1);
    expect(await codeOf(deletion.delete({ ...member, role: 'admin' }, theirs.id))).toBe('ok');
  });

  it('is nobody of another workspace', async () => {
    const photo = await upload();
    const stranger = { ...room.actor, ...(await room.store.newWorkspace()) };
    expect(await codeOf(deletion.delete(stranger, photo.id))).toBe('not_found');
    expect(await deletion.deleteMany(stranger, [photo.id])).toEqual({ fileIds: [], entryId: null });
    expect(await found()).toEqual([photo.id]);
  });
});

describe('a deletion at the same time as', () => {
  it('another deletion deletes each item once', async () => {
    await inRounds(async () => {
      const ids = [(await upload()).id, (await upload()).id, (await upload()).id];
      const results = await Promise.all([
        deletion.deleteMany(room.actor, ids),
        deletion.deleteMany(room.actor, ids.toReversed()),
        deletion.deleteMany(room.actor, ids.slice(1)),
      ]);
      expect(results.flatMap(({ fileIds }) => fileIds).sort((a, b) => a - b)).toEqual(ids);
    });
    await runJobs();
  });

  it('a tag loses no tag that was confirmed', async () => {
    await inRounds(async () => {
      const photo = await upload();
      const [{ entryId }, marked] = await Promise.all([
        deletion.delete(room.actor, photo.id),
        library.tag(room.actor, [photo.id], { add: ['fox'], rating: 3 }),
      ]);
      await runJobs();
      await restore(entryId);
      await runJobs();
      const item = await views.item(room.actor.workspaceId, photo.id);
      expect(item).toMatchObject(marked.length > 0 ? { tags: ['fox'], rating: 3 } : { tags: [], rating: 0 });
    });
  });

  it('its use on a board keeps the bytes of what was put there', async () => {
    const board = await boards.create(room.actor, 'Moods');
    let used = 0;
    await inRounds(async () => {
      const photo = await upload();
      const [, put] = await Promise.all([
        deletion.delete(room.actor, photo.id).then(runJobs),
        codeOf(media.add(room.actor, board.id, aRequest(photo))),
      ]);
      await runJobs();
      expect(['ok', 'not_found']).toContain(put);
      if (put === 'ok') used++;
      expect(await isPublic(photo)).toBe(put === 'ok');
      expect((await storedKeys(room.storage)).includes(photo.key)).toBe(put === 'ok');
    });
    expect(used).toBeGreaterThan(0);
    expect(await found()).toEqual([]);
  });

  it('another call of finalize for the upload has one file, which can be restored', async () => {
    await inRounds(async () => {
      const ticket = await room.send('photo.png', 'image/png');
      const { file } = await room.finalize(ticket.finalUrl);
      const [{ entryId }] = await Promise.all([
        deletion.delete(room.actor, file.id).then(async (deleted) => {
          await runJobs();
          return deleted;
        }),
        codeOf(room.finalize(ticket.finalUrl)),
      ]);
      await runJobs();
      expect(await isPublic(file)).toBe(false);
      await restore(entryId);
      await runJobs();
      expect(await storedKeys(room.storage)).toContain(file.key);
    });
    expect(await found()).toHaveLength(rounds());
  });

  it('a restoration and the jobs of both ends with what was said last', async () => {
    await inRounds(async () => {
      const [one, two] = [await upload(), await upload()];
      const { entryId } = await deletion.deleteMany(room.actor, [one.id, two.id]);
      const [restored, again] = await Promise.all([
        codeOf(restore(entryId)),
        deletion.deleteMany(room.actor, [two.id, one.id]),
        runJobs(),
      ]);
      await runJobs();
      expect(restored).toBe('ok');
      const expected = [one, two].filter(({ id }) => !again.fileIds.includes(id));
      expect(await found()).toEqual(expected.map(({ id }) => id));
      for (const file of [one, two]) expect(await isPublic(file)).toBe(expected.includes(file));
      expect((await storedKeys(room.storage)).filter((key) => key.startsWith('files/'))).toEqual(
        expected.map(({ key }) => key).sort(),
      );
      if (again.entryId !== null) await restore(again.entryId);
      await runJobs();
      expect(await found()).toEqual([one.id, two.id]);
      await deletion.deleteMany(room.actor, [one.id, two.id]);
      await runJobs();
    });
  });
});

function aRequest({ key }: StoredFile) {
  return { url: room.urls.plainUrlOf(key), controlImage: null, folderId: null, extras: null };
}

async function storedBytes(): Promise<number> {
  const row = await db.one<{ bytes: number }>('select bytes::int from storage_use where workspace_id = $1', [
    room.actor.workspaceId,
  ]);
  return row!.bytes;
}
