/** @tier test */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { PostgresAudit, PostgresMedia, PostgresSharedContents, PostgresShares } from '#adapters/postgres';
import { BoardOrder, Boards, Folders, MediaItems, processed, type MediaFilter } from '#board';
import type { Actor } from '#identity';
import { systemClock } from '#kernel';
import { Comments, Decisions } from '#review';
import { GuestReviews, Guests, Shares, type SharedItems } from '#sharing';
import { anActor } from '#testing/identity';
import { Deletions, Trash } from '#trash';
import { boardViews, graceDays, reviewViews } from '#wiring';
import { codeOf } from '../support/code-of.ts';
import { newPicture, newWorkspace } from '../support/database.ts';
import { suiteDatabase } from '../support/suite-database.ts';
import { Product } from '../support/product.ts';
import { itInRounds } from '../support/rounds.ts';

const ALL = { limit: null, after: null };

const db = await suiteDatabase({ poolSize: 20 });
const product = new Product(db, { clock: systemClock }).with(graceDays, 7);
const store = product.get(PostgresMedia);
const views = product.get(boardViews);
const reviews = product.get(reviewViews);
const media = product.get(MediaItems);
const folders = product.get(Folders);
const decisions = product.get(Decisions);
const contents = product.get(PostgresSharedContents);
const guestReviews = product.get(GuestReviews);
let actor: Actor;
let boardId: number;
beforeEach(async () => {
  await product.clear();
  actor = anActor({ ...(await newWorkspace(db.database)), role: 'owner' });
  boardId = (await product.get(Boards).create(actor, 'Board')).id;
});

/** An item with a picture; `replaces` makes it the next version of another. */
async function newItem(request: { folderId?: number; replaces?: number } = {}): Promise<number> {
  const { folderId = null, replaces = null } = request;
  const source = { url: 'https://example.com/a.png', controlImage: null, extras: null };
  const { id } = await media.add(actor, boardId, { ...source, folderId, replaces });
  const { key: fileKey } = await newPicture(db.database, actor.workspaceId);
  await store.end(processed((await store.waiting(id, 1))!, { fileKey, controlImageKey: null }), []);
  return id;
}
const newFolder = async () => (await folders.create(actor, boardId, { name: 'Folder', parentId: null })).id;
const board = async () => (await views.board(actor.workspaceId, boardId))!;
const listed = async (filter: MediaFilter = {}) =>
  (await views.media(actor.workspaceId, boardId, filter, ALL))!.items.map(({ id }) => id);
const versionsOf = async (id: number) =>
  (await views.versionsOf(actor.workspaceId, boardId, id)).map((each) => each.id);
const summary = async (id: number) => (await reviews.summaries([id])).get(id);
const decide = (mediaId: number, verdict: 'approved' | 'changes_requested' | 'none') =>
  decisions.decide(actor, { boardId, mediaId }, verdict, null);
const faults = () => new PostgresAudit(db.database).findings();
const entry = async () =>
  (await db.query<{ id: number }>(`select id from trash where kind = 'media' order by id desc limit 1`))[0]!.id;

async function visit(items: SharedItems) {
  const request = { allow: ['comment', 'decide'] } as const;
  const { id, secret } = await product.get(Shares).create(actor, items, request);
  const guests = product.get(Guests);
  const share = await guests.share(secret);
  const { guest } = await guests.enter(share, null, { password: null, name: 'Grace' });
  return { id, visit: { share, guest } };
}

describe('a new version of a media item', () => {
  it('takes its place in the order by hand, in its folder, and is counted as the same item', async () => {
    const folderId = await newFolder();
    const [first, second, third] = [
      await newItem({ folderId }),
      await newItem({ folderId }),
      await newItem({ folderId }),
    ];
    await product.get(BoardOrder).put(actor, boardId, { ids: [first], after: third });
    const next = await newItem({ replaces: first });
    const last = await newItem({ replaces: next });
    expect(await listed({ sort: 'manual', folderId })).toEqual([third, last, second]);
    expect(await listed()).toEqual([last, third, second]);
    expect(await board()).toMatchObject({
      mediaCount: 3,
      media: [{ id: last, folderId }, { id: third }, { id: second }],
    });
    expect((await views.folders(actor.workspaceId, boardId, ALL))!.items[0]!.media).toHaveLength(3);
    expect(await Promise.all([first, next, last].map(versionsOf))).toEqual(Array(3).fill([last, next, first]));
    expect(await summary(last)).toMatchObject({ earlier: [first, next], decision: 'none' });
    expect(await faults()).toEqual([]);
  });

  itInRounds('is one of two that are added at once', async () => {
    const first = await newItem();
    const codes = await Promise.all([first, first].map((replaces) => codeOf(newItem({ replaces }))));
    expect(codes.toSorted()).toEqual(['conflict', 'ok']);
    expect(await listed()).toHaveLength(1);
    expect(await faults()).toEqual([]);
    boardId = (await product.get(Boards).create(actor, 'Another')).id;
  });

  it('replaces only the newest version of an item of the board, and names no folder', async () => {
    const [first, folderId] = [await newItem(), await newFolder()];
    expect(await codeOf(newItem({ replaces: first, folderId }))).toBe('validation_failed');
    await newItem({ replaces: first });
    expect(await codeOf(newItem({ replaces: first }))).toBe('conflict');
    boardId = (await product.get(Boards).create(actor, 'Another')).id;
    expect(await codeOf(newItem({ replaces: first }))).toBe('not_found');
    expect(await listed()).toEqual([]);
  });

  it('moves, is deleted and comes back with the earlier ones', async () => {
    const [first, folderId] = [await newItem(), await newFolder()];
    const next = await newItem({ replaces: first });
    expect([...(await media.move(actor, boardId, [first, next], folderId)).keys()]).toEqual([next]);
    expect([...(await media.delete(actor, boardId, [first, next]))]).toEqual([next]);
    expect(await board()).toMatchObject({ mediaCount: 0, media: [] });
    expect([await versionsOf(first), await versionsOf(next)]).toEqual([[], []]);
    await product.get(Trash).restore(actor, await entry());
    expect(await board()).toMatchObject({ mediaCount: 1, media: [{ id: next, folderId }] });
    expect(await versionsOf(next)).toEqual([next, first]);
    expect(await folders.delete(actor, boardId, folderId)).toEqual({ folders: 1, media: 1 });
    expect(await board()).toMatchObject({ mediaCount: 0 });
    expect(await faults()).toEqual([]);
  });

  it('leaves no file of the earlier ones when it is deleted for good', async () => {
    const next = await newItem({ replaces: await newItem() });
    await media.delete(actor, boardId, [next]);
    await product.get(Trash).erase(actor, await entry());
    for (let job; (job = product.jobs.announced.shift());) {
      const { signal } = new AbortController();
      if (job.name === 'deletion.carry_out') await product.get(Deletions).carryOut(job.payload.entryIds, signal);
    }
    const count = 'select count(*)::int as count from media where board_id = $1';
    expect(await db.query(count, [boardId])).toEqual([{ count: 0 }]);
    expect(await faults()).toEqual([]);
  });
});

describe('a round of review', () => {
  it('has comments and decisions of its own; those of earlier versions stay readable', async () => {
    const first = await newItem();
    const words = { text: 'warmer', x: 0.5, y: 0.5, time: null, parentId: null };
    await product.get(Comments).add(actor, { boardId, mediaId: first }, words);
    await decide(first, 'changes_requested');
    const next = await newItem({ replaces: first });
    expect(await summary(next)).toMatchObject({ decision: 'none', isOpen: false, commentsCount: 0 });
    expect(await summary(first)).toMatchObject({ decision: 'changes_requested', commentsCount: 1 });
    const item = { workspaceId: actor.workspaceId, boardId, mediaId: first };
    expect((await reviews.comments(item, ALL))!.items).toMatchObject([{ text: 'warmer' }]);
    expect((await reviews.decisions(item, ALL))!.items).toMatchObject([{ verdict: 'changes_requested' }]);
    expect(await codeOf(decide(first, 'approved'))).toBe('conflict');
    expect(await codeOf(decide(next, 'approved'))).toBe('ok');
  });

  it('is open from a request for changes until a newer version is there, or somebody closes it', async () => {
    const [answered, closed, approved] = [await newItem(), await newItem(), await newItem()];
    const isOpen = async (id: number) => (await summary(id))!.isOpen;
    for (const id of [answered, closed]) await decide(id, 'changes_requested');
    await decide(approved, 'approved');
    expect(await listed({ decision: 'open' })).toEqual([closed, answered]);
    await newItem({ replaces: answered });
    await decisions.close(actor, { boardId, mediaId: closed });
    expect([await isOpen(answered), await isOpen(closed)]).toEqual([false, false]);
    expect(await listed({ decision: 'open' })).toEqual([]);
    expect(await listed({ decision: 'changes_requested' })).toEqual([closed]);
    for (const mediaId of [closed, approved, answered]) {
      expect(await codeOf(decisions.close(actor, { boardId, mediaId }))).toBe('conflict');
    }
    await decide(closed, 'changes_requested');
    expect(await listed({ decision: 'open' })).toEqual([closed]);
  });

  itInRounds('ends with its version: a decision that is made at the same moment is about it, or refused', async () => {
    const first = await newItem();
    const [decided] = await Promise.all([codeOf(decide(first, 'approved')), newItem({ replaces: first })]);
    expect(await summary(first)).toEqual(
      decided === 'ok' ? expect.objectContaining({ decision: 'approved' }) : undefined,
    );
    expect(['ok', 'conflict']).toContain(decided);
  });

  it('goes on for guests of the same link, who read the earlier versions and decide about the newest', async () => {
    const [first, other] = [await newItem(), await newItem()];
    const { id, visit: guest } = await visit({ of: 'media', mediaIds: [first] });
    const whole = await visit({ of: 'board', boardId });
    const next = await newItem({ replaces: first });
    const { share } = guest;
    expect((await contents.items(share, {}, ALL)).items).toMatchObject([{ id: next, earlier: [first] }]);
    expect((await contents.items(whole.visit.share, {}, ALL)).items.map((each) => each.id)).toEqual([other, next]);
    const afterOther = await contents.items(whole.visit.share, {}, { limit: 1, after: other });
    expect(afterOther.items.map((each) => each.id)).toEqual([next]);
    expect((await product.get(Guests).versions(guest, next)).map((each) => each.id)).toEqual([next, first]);
    expect(await codeOf(product.get(Guests).versions(guest, other))).toBe('not_found');
    expect(await product.get(PostgresShares).find(actor.workspaceId, id)).toMatchObject({ mediaCount: 1 });
    expect(await codeOf(guestReviews.decide(guest, first, 'approved', null))).toBe('conflict');
    expect(await codeOf(guestReviews.decide(guest, next, 'approved', null))).toBe('ok');
    expect(await faults()).toEqual([]);
  });
});
