import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Actor } from '#identity';
import { systemClock, type DomainError } from '#kernel';
import {
  PostgresBoards,
  PostgresBoardViews,
  PostgresFolders,
  PostgresMediaItems,
  PostgresUnitOfWork,
} from '#adapters/postgres';
import {
  CreateBoard,
  CreateFolder,
  DeleteBoard,
  DeleteFolder,
  DeleteMedia,
  MoveMedia,
  PurgeBoard,
  RetryFailedMedia,
  UpdateFolder,
  type PreparedMedia,
} from '#board';
import { RecordedJobs } from '#testing/kernel';
import { createDatabase, type TestDatabase } from '../support/database.ts';

const PREPARED: PreparedMedia = {
  url: 'https://files.example/a.png',
  controlImage: null,
  contentType: 'image/png',
  width: 3,
  height: 4,
  duration: null,
  placeholder: 'AAAA',
  thumbnails: [{ url: 'https://files.example/a-320.webp', width: 3, height: 4 }],
  fileIds: [],
};
const running = { attempt: 1, signal: new AbortController().signal };

describe('boards on PostgreSQL', () => {
  let db: TestDatabase;
  let actor: Actor;
  let stranger: Actor;
  let boards: PostgresBoards;
  let folders: PostgresFolders;
  let media: PostgresMediaItems;
  let views: PostgresBoardViews;
  let jobs: RecordedJobs;
  let unitOfWork: PostgresUnitOfWork;

  beforeAll(async () => {
    db = await createDatabase({ poolSize: 20 });
    unitOfWork = new PostgresUnitOfWork(db.database);
    boards = new PostgresBoards(db.database);
    folders = new PostgresFolders(db.database);
    media = new PostgresMediaItems(db.database);
    views = new PostgresBoardViews(db.database);
    actor = await newcomer('owner@example.com');
    stranger = await newcomer('stranger@example.com');
  });
  beforeEach(() => {
    jobs = new RecordedJobs();
  });
  afterAll(() => db.drop());

  async function newcomer(email: string): Promise<Actor> {
    const row = await db.database.one<{ user_id: number; workspace_id: number }>(
      `with u as (insert into users (email, created_at) values ($1, now()) returning id),
            w as (insert into workspaces (kind, plan, created_at) values ('personal', 'free', now()) returning id)
       select u.id as user_id, w.id as workspace_id from u, w`,
      [email],
    );
    return {
      userId: row!.user_id,
      workspaceId: row!.workspace_id,
      role: 'owner',
      plan: 'free',
      isTeam: false,
      tokenId: 1,
    };
  }

  const newBoard = (name = 'Board') => new CreateBoard(boards, systemClock).run(actor, name);
  const newFolder = (boardId: number, parentId: number | null = null, name = 'Folder') =>
    new CreateFolder(folders, unitOfWork, systemClock).run(actor, boardId, { name, parentId });
  const moveFolder = (boardId: number, folderId: number, parentId: number | null) =>
    new UpdateFolder(folders, unitOfWork).run(actor, boardId, folderId, { parentId });
  const deleteFolder = (boardId: number, folderId: number) =>
    new DeleteFolder(folders, jobs, unitOfWork).run(actor, boardId, folderId);
  const deleteMedia = (boardId: number, ids: number[]) =>
    new DeleteMedia(media, jobs, unitOfWork).run(actor, boardId, ids);
  const moveMedia = (boardId: number, ids: number[], folderId: number | null) =>
    new MoveMedia(media).run(actor, boardId, ids, folderId);
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
  async function newFile(): Promise<number> {
    const row = await db.database.one<{ id: number }>(
      `insert into files (workspace_id, origin, key, filename, size, content_type, created_at)
       values ($1, 'import', gen_random_uuid(), 'a.png', 1, 'image/png', now()) returning id`,
      [actor.workspaceId],
    );
    return row!.id;
  }
  /* eslint-disable-next-line @typescript-eslint/no-explicit-any -- an answer as clients get it */
  const shown = async (boardId: number): Promise<any> =>
    JSON.parse((await views.board(actor.workspaceId, boardId, null))!.json!).board;
  const codeOf = (call: Promise<unknown>): Promise<string> =>
    call.then(
      () => 'ok',
      (error: DomainError) => error.code,
    );
  /** Kept counts against counted rows, and folders that are not reachable from a root. */
  async function contradictions(): Promise<unknown[]> {
    return db.database.query(
      `with recursive reachable as (
         select board_id, id from folders where parent_id is null
         union all
         select f.board_id, f.id from folders f join reachable r on f.parent_id = r.id)
       select 'counts of ' || id as what from boards b
        where folders_count <> (select count(*) from folders where board_id = b.id)
           or media_count <> (select count(*) from media where board_id = b.id)
       union all
       select 'cycle at ' || id from folders where id not in (select id from reachable)`,
    );
  }

  it('show a board with its folders and media as the contract has them', async () => {
    const board = await newBoard('Summer "26"\\');
    const folder = await newFolder(board.id, null, 'Näh\n"e"');
    const inFolder = await newMedia(board.id, folder.id);
    const atRoot = await newMedia(board.id);
    await media.finish(inFolder, 1, PREPARED);
    expect(await shown(board.id)).toEqual({
      id: board.id,
      name: 'Summer "26"\\',
      folders_count: 1,
      media_count: 2,
      created_at: board.createdAt.toISOString(),
      folders: [{ id: folder.id, name: 'Näh\n"e"', parent_id: null }],
      media: [
        {
          id: atRoot,
          url: null,
          control_image: null,
          folder_id: null,
          extras: '{"a": 1}',
          state: 'created',
          error: null,
          width: null,
          height: null,
          duration: null,
          content_type: null,
          placeholder: null,
          thumbnails: [],
          created_at: '2026-11-21T10:00:00.123Z',
        },
        expect.objectContaining({
          id: inFolder,
          folder_id: folder.id,
          url: PREPARED.url,
          state: 'processed',
          width: 3,
          thumbnails: PREPARED.thumbnails,
        }),
      ],
    });
  });

  it('answer only the version to a reader who knows the board as it is', async () => {
    const board = await newBoard();
    const { version } = (await views.board(actor.workspaceId, board.id, null))!;
    expect(await views.board(actor.workspaceId, board.id, version)).toEqual({ version, json: null });
    await newMedia(board.id);
    const changed = (await views.board(actor.workspaceId, board.id, version))!;
    expect(changed.version).toBeGreaterThan(version);
    expect(JSON.parse(changed.json!).board.media_count).toBe(1);
  });

  it('give their lists whole, or page by page without gaps and repetitions', async () => {
    const lister = await newcomer('lister@example.com');
    for (let index = 0; index < 7; index++) {
      await new CreateBoard(boards, systemClock).run(lister, `Board ${index}`);
    }
    const read = async (limit: number | null, after: number | null) => {
      const { json, next } = await views.boards(lister.workspaceId, { limit, after });
      return { names: (JSON.parse(json).boards as { name: string }[]).map(({ name }) => name), next };
    };
    const whole = await read(null, null);
    expect(whole).toEqual({ names: [6, 5, 4, 3, 2, 1, 0].map((index) => `Board ${index}`), next: null });
    const paged: string[] = [];
    for (let after: number | null = null, last = false; !last;) {
      const page = await read(3, after);
      expect(page.names.length).toBeLessThanOrEqual(3);
      paged.push(...page.names);
      after = page.next;
      last = after === null;
    }
    expect(paged).toEqual(whole.names);
    expect((await read(7, null)).next).toBeNull();
    expect((await read(6, null)).next).not.toBeNull();
  });

  it('list folders with their media, and one folder with its own', async () => {
    const board = await newBoard();
    const first = await newFolder(board.id, null, 'first');
    const second = await newFolder(board.id, first.id, 'second');
    await newFolder(board.id, second.id, 'third');
    const items = [
      await newMedia(board.id, second.id),
      await newMedia(board.id, second.id),
      await newMedia(board.id),
    ];

    const list = (await views.folders(actor.workspaceId, board.id, { limit: 2, after: null }))!;
    const { folders: page } = JSON.parse(list.json);
    expect(page.map((folder: { name: string }) => folder.name)).toEqual(['third', 'second']);
    expect(page[1].media.map(({ id }: { id: number }) => id)).toEqual([items[1], items[0]]);
    expect(list.next).toBe(second.id);

    const own = (await views.folder(actor.workspaceId, board.id, second.id, { limit: 1, after: null }))!;
    expect(JSON.parse(own.json)).toMatchObject({
      folder: { id: second.id, parent_id: first.id },
      folders: [{ name: 'third', folders_count: 0, media_count: 0 }],
      media: [{ id: items[1] }],
    });
    expect(own.next).toBe(items[1]);
    const ofRoot = (await views.media(
      actor.workspaceId,
      board.id,
      { folderId: null },
      { limit: null, after: null },
    ))!;
    expect(JSON.parse(ofRoot.json).media).toHaveLength(1);
    const ofAll = (await views.media(actor.workspaceId, board.id, {}, { limit: null, after: null }))!;
    expect(JSON.parse(ofAll.json).media).toHaveLength(3);
  });

  it('are nowhere for another workspace', async () => {
    const board = await newBoard();
    const folder = await newFolder(board.id);
    const item = await newMedia(board.id);
    const own = await new CreateBoard(boards, systemClock).run(stranger, 'own');
    const theirs = stranger.workspaceId;
    expect(await views.board(theirs, board.id, null)).toBeNull();
    expect(await views.folders(theirs, board.id, { limit: null, after: null })).toBeNull();
    expect(await views.folder(theirs, board.id, folder.id, { limit: null, after: null })).toBeNull();
    expect(await views.media(theirs, board.id, {}, { limit: null, after: null })).toBeNull();
    expect(await boards.update(theirs, board.id, { name: 'mine' })).toBeNull();
    expect(await boards.remove(theirs, board.id, new Date())).toBeNull();
    expect(await folders.lock(theirs, board.id)).toBe(false);
    expect(await media.move(theirs, board.id, [item], null)).toEqual({ missing: 'board' });
    expect(await media.remove(theirs, board.id, [item])).toBeNull();
    expect(await media.retry(theirs, board.id, item)).toBe('not_found');
    // Someone else's folder and media can't be reached through one's own board either.
    expect(await media.move(theirs, own.id, [item], null)).toEqual([]);
    expect(await media.move(theirs, own.id, [], folder.id)).toEqual({ missing: 'folder' });
    expect(
      await codeOf(new UpdateFolder(folders, unitOfWork).run(stranger, own.id, folder.id, { name: 'x' })),
    ).toBe('not_found');
    const under = new CreateFolder(folders, unitOfWork, systemClock);
    expect(await codeOf(under.run(stranger, own.id, { name: 'x', parentId: folder.id }))).toBe('not_found');
  });

  it('take a folder, all below it and their media away together, and offer the files for reclaiming', async () => {
    const board = await newBoard();
    const top = await newFolder(board.id);
    const below = await newFolder(board.id, top.id);
    const beside = await newFolder(board.id);
    const file = await newFile();
    await addMedia(board.id, below.id, [file]);
    const kept = await newMedia(board.id, beside.id);
    expect(await deleteFolder(board.id, top.id)).toEqual({ folders: 2, media: 1 });
    expect(jobs.announced).toMatchObject([{ name: 'files.reclaim', payload: { fileIds: [file] } }]);
    expect(await shown(board.id)).toMatchObject({ folders_count: 1, media_count: 1, media: [{ id: kept }] });
    expect(await codeOf(deleteFolder(board.id, top.id))).toBe('not_found');
  });

  it('are gone at once when they are deleted, and purged to the last file afterwards', async () => {
    const board = await newBoard();
    const folder = await newFolder(board.id, (await newFolder(board.id)).id);
    const files = [await newFile(), await newFile()];
    await addMedia(board.id, folder.id, [files[0]!]);
    await addMedia(board.id, null, [files[1]!]);
    const deleted = await new DeleteBoard(boards, jobs, unitOfWork, systemClock).run(actor, board.id);
    expect(deleted).toEqual({ folders: 2, media: 2 });
    expect(await views.board(actor.workspaceId, board.id, null)).toBeNull();
    expect(await codeOf(newFolder(board.id))).toBe('not_found');
    expect(await addMedia(board.id)).toEqual({ missing: 'board' });

    await new PurgeBoard(boards, jobs, unitOfWork).run(board.id, running);
    await new PurgeBoard(boards, jobs, unitOfWork).run(board.id, running);
    const reclaimed = jobs.announced.flatMap((job) =>
      job.name === 'files.reclaim' ? job.payload.fileIds : [],
    );
    expect(reclaimed.sort()).toEqual(files.sort());
    expect(await db.database.query('select from boards where id = $1', [board.id])).toHaveLength(0);
  });

  it('leave a board alone that is not deleted, whoever asks to purge it', async () => {
    const board = await newBoard();
    await newMedia(board.id, (await newFolder(board.id)).id);
    await new PurgeBoard(boards, jobs, unitOfWork).run(board.id, running);
    expect(await shown(board.id)).toMatchObject({ folders_count: 1, media_count: 1 });
  });

  it('end the processing of a media once, and only in the revision that waits for it', async () => {
    const board = await newBoard();
    const id = await newMedia(board.id);
    expect(await media.fail(id, 1, 'url_timeout')).toBe(true);
    expect(await media.finish(id, 1, PREPARED)).toBe(false);
    const retried = await media.retry(actor.workspaceId, board.id, id);
    expect(retried).toMatchObject({ revision: 2 });
    expect(await media.retry(actor.workspaceId, board.id, id)).toBe('conflict');
    expect(await media.fail(id, 1, 'late')).toBe(false);
    const file = await newFile();
    const ends = await Promise.all(
      Array.from({ length: 8 }, () => media.finish(id, 2, { ...PREPARED, fileIds: [file] })),
    );
    expect(ends.filter(Boolean)).toHaveLength(1);
    expect((await shown(board.id)).media[0]).toMatchObject({ state: 'processed', error: null });
  });

  it('try all failed media again, or those that failed for one reason, and no other', async () => {
    const [board, other, gone] = [await newBoard(), await newBoard(), await newBoard()];
    const [dead, slow, fine, deleted] = [
      await newMedia(board.id),
      await newMedia(other.id),
      await newMedia(other.id),
      await newMedia(gone.id),
    ];
    for (const id of [dead, deleted]) await media.fail(id, 1, 'url_unreachable');
    await media.fail(slow, 1, 'url_timeout');
    await media.finish(fine, 1, PREPARED);
    await new DeleteBoard(boards, jobs, unitOfWork, systemClock).run(actor, gone.id);
    const retry = async (error: string | null) => {
      jobs = new RecordedJobs();
      const count = await new RetryFailedMedia(media, jobs, unitOfWork).run(error);
      expect(jobs.announced).toHaveLength(count);
      return jobs.announced.map(({ name, payload, bulk }) => ({ name, bulk, ...payload }));
    };
    const again = { name: 'media.process', bulk: true, revision: 2 };
    expect(await retry('url_timeout')).toEqual([{ ...again, mediaId: slow }]);
    expect(await retry('url_timeout')).toEqual([]);
    expect(await retry(null)).toEqual([{ ...again, mediaId: dead }]);
    expect((await shown(other.id)).media.map(({ state }: { state: string }) => state)).toEqual([
      'processed',
      'created',
    ]);
  });

  const ROUNDS = 200;

  it('never form a cycle of two folders, however the moves race', async () => {
    const board = await newBoard();
    for (let round = 0; round < ROUNDS; round++) {
      const [a, b] = [await newFolder(board.id), await newFolder(board.id)];
      const codes = await Promise.all([
        codeOf(moveFolder(board.id, a.id, b.id)),
        codeOf(moveFolder(board.id, b.id, a.id)),
      ]);
      expect(codes.sort()).toEqual(['folder_cycle', 'ok']);
    }
    expect(await contradictions()).toEqual([]);
  });

  it('never form a cycle of three folders, however the moves race', async () => {
    const board = await newBoard();
    for (let round = 0; round < ROUNDS; round++) {
      const [a, b, c] = [await newFolder(board.id), await newFolder(board.id), await newFolder(board.id)];
      const codes = await Promise.all([
        codeOf(moveFolder(board.id, a.id, b.id)),
        codeOf(moveFolder(board.id, b.id, c.id)),
        codeOf(moveFolder(board.id, c.id, a.id)),
      ]);
      expect(codes.sort()).toEqual(['folder_cycle', 'ok', 'ok']);
    }
    expect(await contradictions()).toEqual([]);
  });

  it('never keep a media or a folder in a folder that is being deleted', async () => {
    const board = await newBoard();
    for (let round = 0; round < ROUNDS; round++) {
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
    for (let round = 0; round < ROUNDS / 4; round++) {
      const target = seeds[round % seeds.length]!;
      const item = await newMedia(board.id, target.id);
      await Promise.all([
        newMedia(board.id, target.id),
        newMedia(board.id),
        deleteMedia(board.id, [item]),
        deleteMedia(board.id, [item]),
        moveMedia(board.id, [item], null),
        newFolder(board.id, target.id).then((folder) => deleteFolder(board.id, folder.id)),
        newFolder(board.id),
        media.finish(item, 1, PREPARED),
      ]);
    }
    expect(await contradictions()).toEqual([]);
    expect(await shown(board.id)).toMatchObject({ media_count: ROUNDS / 2, folders_count: 4 + ROUNDS / 4 });
  });
});
