/** @tier test */
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PostgresMedia, PostgresSignals } from '#adapters/postgres';
import { Boards, failed, MediaItems, processed } from '#board';
import type { Actor } from '#identity';
import { systemClock, WHOLE_LIST } from '#kernel';
import { Comments, Decisions, type CommentRequest } from '#review';
import { anActor } from '#testing/identity';
import { boardViews, reviewViews } from '#wiring';
import { codeOf } from '../support/code-of.ts';
import { newColleagues, newPicture, newWorkspace } from '../support/database.ts';
import { suiteDatabase } from '../support/suite-database.ts';
import { eventually } from '../support/eventually.ts';
import { Product } from '../support/product.ts';
import { itInRounds } from '../support/rounds.ts';

/** The owner of a workspace with one board and one item on it, a member of it, and the owner of another workspace. */
let [owner, member, outsider] = [] as unknown as [Actor, Actor, Actor];
let place: { readonly boardId: number; readonly mediaId: number };

const db = await suiteDatabase({ poolSize: 20 });
const product = new Product(db, { clock: systemClock });
const { auditLog } = product;
const views = product.get(reviewViews);
const boards = product.get(Boards);
const media = product.get(MediaItems);
const comments = product.get(Comments);
const decisions = product.get(Decisions);
beforeEach(async () => {
  [owner, member] = await newColleagues(db);
  outsider = anActor({ ...(await newWorkspace(db.database)), role: 'owner' });
  const board = await boards.create(owner, 'Summer');
  place = { boardId: board.id, mediaId: await newItem(board.id) };
});

async function newItem(boardId: number): Promise<number> {
  const source = { url: 'https://example.com/a.mp4', controlImage: null, folderId: null, extras: null };
  const { id } = await media.add(owner, boardId, source);
  const store = product.get(PostgresMedia);
  const { key: fileKey } = await newPicture(db.database, owner.workspaceId, { contentType: 'video/mp4', duration: 8 });
  const files = { fileKey, controlImageKey: null };
  expect(await store.end(processed((await store.waiting(id, 1))!, files), [])).toBe(true);
  return id;
}

const request = (text: string, more: Partial<CommentRequest> = {}): CommentRequest => ({
  ...{ text, x: null, y: null, time: null, parentId: null },
  ...more,
});
const comment = (text = 'warmer', more: Partial<CommentRequest> = {}, by = owner) =>
  comments.add(by, place, request(text, more));
const listed = async (by = owner) =>
  (await views.comments({ workspaceId: by.workspaceId, ...place }, WHOLE_LIST))?.items ?? null;
const summary = async (mediaId = place.mediaId) => (await views.summaries([mediaId])).get(mediaId);
const version = () => product.get(boardViews).version(owner.workspaceId, place.boardId);

describe('comments of a media item', () => {
  it('are listed oldest first, with their authors, pins and threads', async () => {
    const first = await comment('warmer here', { x: 0.25, y: 1 });
    const second = await comment('too long', { time: 8 }, member);
    const reply = await comment('done', { parentId: second });
    const repliedTo = await comment('thanks', { parentId: reply }, member);
    expect(await listed()).toMatchObject([
      { id: first, parentId: null, author: { userId: owner.userId }, pin: { kind: 'point', x: 0.25, y: 1 } },
      { id: second, parentId: null, author: { userId: member.userId }, pin: { kind: 'moment', seconds: 8 } },
      { id: reply, parentId: second, text: 'done', pin: { kind: 'none' }, editedAt: null, resolved: null },
      { id: repliedTo, parentId: second },
    ]);
    expect(await views.comment({ workspaceId: owner.workspaceId, ...place }, reply)).toEqual((await listed())![2]);
    expect(await views.comment({ workspaceId: outsider.workspaceId, ...place }, reply)).toBeNull();
    expect(await summary()).toMatchObject({ decision: 'none', commentsCount: 4 });
  });

  it('name the members whom they mention, but not their author', async () => {
    await db.query(`update users set name = 'Ada Lovelace' where id = $1`, [owner.userId]);
    await db.query(`update users set name = 'Grace' where id = $1`, [member.userId]);
    await db.query(`update users set name = 'Ada Lovelace' where id = $1`, [outsider.userId]);
    const id = await comment('@Grace and @ada lovelace', {}, member);
    expect(await listed()).toMatchObject([{ id, mentions: [owner.userId] }]);
    await comments.update(member, place, id, '@grace');
    expect(await listed()).toMatchObject([{ mentions: [], text: '@grace', editedAt: expect.any(Date) }]);
  });

  it('change the board, so that its readers see the new count', async () => {
    const before = (await version())!;
    const id = await comment();
    expect(await version()).toBe(before + 1);
    await comments.delete(owner, place, id);
    expect(await version()).toBe(before + 2);
    expect(await summary()).toMatchObject({ decision: 'none', commentsCount: 0 });
  });

  it('are deleted with the replies to them', async () => {
    const first = await comment();
    const reply = await comment('x', { parentId: first }, member);
    await comment('y', { parentId: reply });
    const other = await comment('z');
    await comments.delete(owner, place, first);
    expect(await listed()).toMatchObject([{ id: other }]);
    expect(await summary()).toMatchObject({ commentsCount: 1 });
  });

  it('are resolved as a thread by any member, and opened again', async () => {
    const first = await comment();
    const reply = await comment('x', { parentId: first });
    await comments.resolve(member, place, first, true);
    expect(await listed()).toMatchObject([{ resolved: { by: { userId: member.userId } } }, { resolved: null }]);
    expect(await codeOf(comments.resolve(member, place, reply, true))).toBe('conflict');
    await comments.resolve(owner, place, first, false);
    expect(await listed()).toMatchObject([{ resolved: null }, { resolved: null }]);
  });

  it('are not found from another workspace, board or item', async () => {
    const id = await comment();
    const elsewhere = { ...place, mediaId: await newItem(place.boardId) };
    const otherBoard = { ...place, boardId: (await boards.create(owner, 'Autumn')).id };
    for (const [by, at] of [
      [outsider, place],
      [owner, otherBoard],
      [owner, elsewhere],
    ] as const) {
      expect(await codeOf(comments.update(by, at, id, 'x'))).toBe('not_found');
      expect(await codeOf(comments.delete(by, at, id))).toBe('not_found');
      expect(await codeOf(comments.resolve(by, at, id, true))).toBe('not_found');
      expect(await codeOf(comments.add(by, at, request('x', { parentId: id })))).toBe('not_found');
    }
    expect(await listed(outsider)).toBeNull();
    expect(await views.comments({ workspaceId: owner.workspaceId, ...otherBoard }, WHOLE_LIST)).toBeNull();
    expect(await codeOf(comments.add(outsider, place, request('x')))).toBe('not_found');
    expect(await summary()).toMatchObject({ commentsCount: 1 });
  });

  it('end with their item, and stay for its restoration', async () => {
    await comment();
    await media.delete(owner, place.boardId, [place.mediaId]);
    expect(await listed()).toBeNull();
    expect(await codeOf(comment())).toBe('not_found');
    await db.query('update media set deletion_id = null where id = $1', [place.mediaId]);
    expect(await listed()).toHaveLength(1);
    await db.query('delete from media where id = $1', [place.mediaId]);
    for (const table of ['comments', 'decisions', 'media_reviews']) {
      expect(await db.query(`select from ${table} where media_id = $1`, [place.mediaId])).toEqual([]);
    }
  });

  itInRounds('are counted exactly, however many are written and deleted at once', async () => {
    const first = await comment();
    const calls = Array.from({ length: 8 }, (_, index) =>
      index === 4
        ? comments.delete(owner, place, first)
        : comment(`${index}`, index % 2 === 0 ? { parentId: first } : {}, index % 3 === 0 ? member : owner),
    );
    expect((await Promise.all(calls.map(codeOf))).filter((code) => code !== 'ok' && code !== 'not_found')).toEqual([]);
    const left = (await listed())!;
    const ids = left.map(({ id }) => id);
    expect(left.every(({ parentId }) => parentId === null || ids.includes(parentId))).toBe(true);
    expect(await summary()).toMatchObject({ commentsCount: left.length });
  });

  it('are at most 1,000, also when two are written at once', async () => {
    await db.query(
      `insert into comments (media_id, created_by, text, created_at)
       select $1, $2, 'x', now() from generate_series(1, 998)`,
      [place.mediaId, owner.userId],
    );
    await comment();
    expect((await Promise.all([codeOf(comment()), codeOf(comment())])).sort()).toEqual(['conflict', 'ok']);
    expect(await summary()).toMatchObject({ commentsCount: 1_000 });
  });
});

describe('decisions about a media item', () => {
  const all = async () => (await views.decisions({ workspaceId: owner.workspaceId, ...place }, WHOLE_LIST))?.items;

  it('are kept with who and when; the latest one counts', async () => {
    await comment();
    await decisions.decide(member, place, 'changes_requested', 'warmer');
    await decisions.decide(owner, place, 'approved', null);
    expect(await all()).toMatchObject([
      { verdict: 'approved', text: null, author: { userId: owner.userId } },
      { verdict: 'changes_requested', text: 'warmer', author: { userId: member.userId }, createdAt: expect.any(Date) },
    ]);
    expect(await summary()).toMatchObject({ decision: 'approved', commentsCount: 1 });
    await decisions.decide(owner, place, 'none', null);
    expect(await summary()).toMatchObject({ decision: 'none' });
    expect(await all()).toHaveLength(3);
    expect(auditLog.entries.at(-1)).toMatchObject({
      action: 'media.decide',
      target: place.mediaId,
      details: { decision: 'none' },
    });
  });

  it('are not made from another workspace or board', async () => {
    const otherBoard = { ...place, boardId: (await boards.create(owner, 'Autumn')).id };
    expect(await codeOf(decisions.decide(outsider, place, 'approved', null))).toBe('not_found');
    expect(await codeOf(decisions.decide(owner, otherBoard, 'approved', null))).toBe('not_found');
    expect(await views.decisions({ workspaceId: outsider.workspaceId, ...place }, WHOLE_LIST)).toBeNull();
    expect(await all()).toEqual([]);
  });

  itInRounds('are all kept when two are made at once, and the newest is shown', async (round) => {
    const verdicts = ['approved', 'changes_requested'] as const;
    await Promise.all(verdicts.map((verdict) => decisions.decide(owner, place, verdict, `${round}`)));
    const [newest, other] = (await all())!;
    expect([newest!.text, other!.text]).toEqual([`${round}`, `${round}`]);
    expect(await summary()).toMatchObject({ decision: newest!.verdict });
  });

  it('are made of items that failed, as of all others', async () => {
    const source = { url: 'https://example.com/b.png', controlImage: null, folderId: null, extras: null };
    const { id } = await media.add(owner, place.boardId, source);
    const store = product.get(PostgresMedia);
    await store.end(failed((await store.waiting(id, 1))!, new Error('x')), []);
    await decisions.decide(owner, { ...place, mediaId: id }, 'changes_requested', null);
    expect(await summary(id)).toMatchObject({ decision: 'changes_requested', commentsCount: 0 });
  });
});

describe('signals of a board', () => {
  const signals = product.get(PostgresSignals);
  afterAll(() => signals.close());

  it('report each change by its version, in order, and which item was reviewed', async () => {
    const { boardId, mediaId } = place;
    const before = (await version())!;
    const heard: unknown[] = [];
    // The notices of the versions before may come late.
    await signals.watchBoard(boardId, (signal) => {
      if (typeof signal === 'string' || (signal.version ?? Infinity) > before) heard.push(signal);
    });
    await boards.update(owner, boardId, { name: 'Autumn' });
    const id = await comment();
    await comments.update(owner, place, id, 'colder');
    await comments.resolve(owner, place, id, true);
    await comments.delete(owner, place, id);
    await decisions.decide(owner, place, 'approved', null);
    // Added, and processed.
    await newItem(boardId);
    await boards.delete(owner, boardId);
    const reviewed = [null, 'comment', 'comment', 'comment', 'comment', 'decision', null, null];
    await eventually(() => heard.length > reviewed.length, { everyMs: 5 });
    expect(heard).toEqual([
      ...reviewed.map((kind, index) => ({ version: before + 1 + index, review: kind && { kind, mediaId } })),
      { version: null, review: null },
    ]);
  });
});
