/** @tier test */
import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  PostgresAudit,
  PostgresBoards,
  PostgresDiscardedFiles,
  PostgresDownloadedFiles,
  PostgresFileRecords,
  PostgresFolders,
  PostgresMarkedPictures,
  PostgresMedia,
  PostgresRetention,
  PostgresReviewViews,
  PostgresSharedContents,
  PostgresShares,
} from '#adapters/postgres';
import { processed } from '#board';
import { TakeOvers, type Actor, type TokenSecret } from '#identity';
import { NO_CUSTOM_DATA, systemClock, WHOLE_LIST, type JobPayloads } from '#kernel';
import {
  GuestReviews,
  Guests,
  MarkPictures,
  Shares,
  RequestedPictures,
  type ShareRequest,
  type SharedItems,
} from '#sharing';
import { accountStore, temporaryFolders, unitOfWork } from '#wiring';
import { codeOf } from '../support/code-of.ts';
import { newColleagues, newPicture } from '../support/database.ts';
import { suiteDatabase } from '../support/suite-database.ts';
import { Product } from '../support/product.ts';
import { inRounds, itInRounds } from '../support/rounds.ts';
import { untilWaiting } from '../support/until-waiting.ts';

const NOW = new Date('2026-03-14T09:26:53.589Z');
const inDays = (days: number) => new Date(NOW.getTime() + days * 86_400_000);

let [owner, member] = [] as unknown as [Actor, Actor];
let [boardId, mediaId] = [0, 0];

const db = await suiteDatabase({ poolSize: 20 });
const product = new Product(db, { clock: systemClock });
const { jobs } = product;
const work = product.get(unitOfWork);
const pictures = product.get(PostgresMarkedPictures);
const shares = product.get(Shares);
const guests = product.get(Guests);
const reviews = product.get(GuestReviews);
beforeEach(async () => {
  [owner, member] = await newColleagues(db);
  const { workspaceId, userId: createdBy } = owner;
  const board = { ...NO_CUSTOM_DATA, workspaceId, createdBy, name: 'Summer', createdAt: NOW };
  boardId = (await product.get(PostgresBoards).add(board)).id;
  mediaId = await newItem();
});

async function newItem(folderId: number | null = null): Promise<number> {
  const media = product.get(PostgresMedia);
  const place = { workspaceId: owner.workspaceId, boardId, folderId, createdBy: owner.userId };
  const source = { url: 'https://example.com/a.png', controlImage: null, extras: null, fileIds: [] };
  const added = await media.add({ ...place, ...source, state: 'created', createdAt: NOW });
  const { id } = added as { id: number };
  const { key: fileKey } = await newPicture(db.database, owner.workspaceId, {
    thumbnails: [{ key: `files/small-${id}/a.webp`, width: 3, height: 2 }],
  });
  const files = { fileKey, controlImageKey: null };
  await media.end(processed((await media.waiting(id, 1))!, files), []);
  return id;
}

const create = (request: ShareRequest = {}, items: SharedItems = { of: 'board', boardId }) =>
  shares.create(owner, items, { allow: ['comment', 'decide', 'download'], ...request });
async function namedVisit(secret: TokenSecret, password: string | null = null) {
  const share = await guests.share(secret);
  return { share, guest: (await guests.enter(share, null, { password, name: 'Grace' })).guest };
}
const comment = { text: 'warmer', x: null, y: null, time: null, parentId: null };
const count = async (table: string) =>
  (await db.query<{ count: number }>(`select count(*)::int as count from ${table}`))[0]!.count;

describe('a share link', () => {
  it('is changed by who made it in any role, and by others only as admin or owner', async () => {
    const { id } = await create();
    for (const call of [
      () => shares.get(member, id),
      () => shares.update(member, id, { name: 'mine' }),
      () => shares.delete(member, id),
    ]) {
      expect(await codeOf(call())).toBe('forbidden');
    }
    expect((await shares.list(member, null, { limit: 10, after: null })).items).toEqual([]);
    await db.query('update shares set created_by = $1 where id = $2', [member.userId, id]);
    expect((await shares.list(member, boardId, { limit: 10, after: null })).items).toMatchObject([{ id }]);
    await shares.update(member, id, { name: 'mine' });
    expect(await shares.get({ ...owner, role: 'admin' }, id)).toMatchObject({ name: 'mine' });
    expect(await codeOf(shares.delete(member, id))).toBe('ok');
  });

  it('ends when the account of who made it is taken over; those of others stay', async () => {
    const [taken, other] = [await create(), await create({ password: 'a lake at dawn' })];
    await namedVisit(taken.secret);
    await db.query('update shares set created_by = $1 where id = $2', [member.userId, taken.id]);
    await work.run(async () => {
      await product.get(TakeOvers).run((await product.get(accountStore).lock(member.userId))!);
    });
    expect(await codeOf(guests.share(taken.secret))).toBe('not_found');
    expect(await codeOf(guests.share(other.secret))).toBe('ok');
    const ended = product.auditLog.entries.filter(({ action }) => action === 'share.delete');
    expect(ended.at(-1)).toMatchObject({ target: taken.id, userId: member.userId, workspaceId: member.workspaceId });
  });

  it('is forgotten thirty days after its end, with its guests; comments stay', async () => {
    const { id, secret } = await create();
    await reviews.comment(await namedVisit(secret), mediaId, comment);
    const forget = () => new PostgresRetention(db.database, 400).forget(NOW);
    await db.query('update shares set expires_at = $1 where id = $2', [inDays(-29), id]);
    await forget();
    expect(await codeOf(shares.get(owner, id))).toBe('ok');
    await db.query('update shares set expires_at = $1 where id = $2', [inDays(-30), id]);
    await forget();
    expect(await codeOf(shares.get(owner, id))).toBe('not_found');
    const views = new PostgresReviewViews(db.database);
    const left = await views.comments({ workspaceId: owner.workspaceId, boardId, mediaId }, WHOLE_LIST);
    expect(left?.items).toMatchObject([{ author: { userId: null, name: 'Grace', guest: null } }]);
  });

  it('ends when its workspace is being erased', async () => {
    const { secret } = await create();
    await db.query('update workspaces set erasure_requested_at = now() where id = $1', [owner.workspaceId]);
    expect(await codeOf(guests.share(secret))).toBe('not_found');
  });

  it('counts the guests that it knows, a thousand at most: the first is forgotten', async () => {
    const { id, secret } = await create();
    const first = await guests.enter(await guests.share(secret), null, { password: null, name: 'First' });
    await db.query(
      `insert into share_guests (share_id, hash, name, password_version, last_opened_at)
       select $1, sha256(n::text::bytea), 'Guest ' || n, 1, now() + interval '1 s' from generate_series(1, 999) n`,
      [id],
    );
    const of = `share_guests where share_id = ${id}`;
    expect(await count(of)).toBe(1000);
    await guests.enter(await guests.share(secret), null, { password: null, name: 'Last' });
    expect([await count(of), await count(`${of} and id = ${first.guest.id}`)]).toEqual([1000, 0]);
  });
});

describe('the digital source of an item', () => {
  /** Makes the file of the item an output. Returns the generation. */
  async function madeWith(imageUrl: string | null = null, styleKey: string | null = null): Promise<number> {
    const [made] = await db.query<{ id: number }>(
      `with file as (
         update files set origin = 'output' from media where media.id = $1 and files.key = media.file_key returning files.id),
       made as (
         insert into generations (workspace_id, user_id, model, kind, state, prompt, parameters, cost, created_at,
           image_url, style_key)
         values ($2, $3, 'secret-model', 'image', 'succeeded', 'secret prompt', '{}', 0, now(), $4, $5) returning id),
       output as (
         insert into generation_outputs (generation_id, position, file_id) select made.id, 0, file.id from made, file)
       select id from made`,
      [mediaId, owner.workspaceId, owner.userId, imageUrl, styleKey],
    );
    return made!.id;
  }

  /** As guests see it, and as both lists in zips have it. */
  async function sourcesNow(request: ShareRequest = {}): Promise<readonly (string | undefined)[]> {
    const share = await guests.share((await create(request)).secret);
    const { items } = await guests.items({ share, guest: null }, {}, WHOLE_LIST);
    expect(JSON.stringify(items)).not.toContain('secret');
    const files = await product.get(PostgresSharedContents).files(share, null, 10);
    const facts = await product.get(PostgresDownloadedFiles).facts(files.map(({ id }) => id));
    return [...items, ...files, ...facts.values()].map(({ digitalSource }) => digitalSource?.split('/').at(-1));
  }
  const all = (source: string | undefined) => [source, source, source];
  const [words, composite] = [all('trainedAlgorithmicMedia'), all('compositeWithTrainedAlgorithmicMedia')];

  it('is that of the generation that made it, of which guests learn nothing else; also with a watermark', async () => {
    expect(await sourcesNow()).toEqual(all(undefined));
    await madeWith();
    expect(await sourcesNow()).toEqual(words);
    expect(await sourcesNow({ watermark: 'Draft' })).toEqual(words);
  });

  it('is composite if an image or a style went in', async () => {
    await madeWith('https://example.com/a.png');
    expect(await sourcesNow()).toEqual(composite);
    mediaId = await newItem();
    await madeWith(null, 'files/a/b.png');
    expect(await sourcesNow()).toEqual([...composite, ...composite]);
  });

  it('is composite with a reference, a mask or a control image, but not with a trained style', async () => {
    const id = await madeWith();
    const values = `generation_inputs (generation_id, input, position, key) values ($1, $2, 1, 'files/a/b.png')`;
    await db.query(`insert into ${values}`, [id, 'style_weights']);
    expect(await sourcesNow()).toEqual(words);
    for (const input of ['references', 'mask', 'control']) {
      await db.query(`insert into ${values}`, [id, input]);
      expect(await sourcesNow()).toEqual(composite);
      await db.query('delete from generation_inputs where input = $1', [input]);
    }
  });
});

describe('fifty guests at the same moment', () => {
  itInRounds('enter with the password, open and comment, each counted', async () => {
    const { id, secret } = await create({ password: 'secret' });
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        codeOf(
          (async () => {
            const share = await guests.share(secret);
            const entered = await guests.enter(share, null, { password: 'secret', name: `Guest ${index}` });
            const visit = await guests.visit(share, entered.secret);
            await Promise.all([guests.open(visit), reviews.comment(visit, mediaId, comment)]);
          })(),
        ),
      ),
    );
    expect(outcomes).toEqual(Array(50).fill('ok'));
    const { openedCount, lastOpenedAt, openedBy } = await shares.get(owner, id);
    expect([openedCount, openedBy.length, lastOpenedAt]).toEqual([100, 50, expect.any(Date)]);
    expect(new Set(openedBy.map((each) => each.openedCount))).toEqual(new Set([2]));
  });

  itInRounds('open a link without a password, each counted', async () => {
    const { id, secret } = await create();
    const share = await guests.share(secret);
    await Promise.all(Array.from({ length: 50 }, () => guests.open({ share, guest: null })));
    expect(await shares.get(owner, id)).toMatchObject({ openedCount: 50, lastOpenedAt: expect.any(Date) });
  });

  it('open a link while another opening is not committed', async () => {
    const { id, secret } = await create();
    const share = await guests.share(secret);
    const [hasOpened, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const opening = work.run(async () => {
      await guests.open({ share, guest: null });
      hasOpened.resolve();
      await mayEnd.promise;
    });
    await hasOpened.promise;
    let isOver = false;
    const second = guests.open({ share, guest: null }).finally(() => (isOver = true));
    await untilWaiting(db, { isOver: () => isOver });
    expect(isOver).toBe(true);
    mayEnd.resolve();
    await Promise.all([opening, second]);
    expect((await shares.get(owner, id)).openedCount).toBe(2);
  });
});

describe('what a guest writes', () => {
  itInRounds('is refused after the link was switched off, however both race', async () => {
    const { id, secret } = await create();
    const visit = await namedVisit(secret);
    const writing = codeOf(reviews.comment(visit, mediaId, comment));
    await shares.delete(owner, id);
    const [outcome, after] = [await writing, await codeOf(reviews.comment(visit, mediaId, comment))];
    expect(['ok', 'not_found']).toContain(outcome);
    expect(after).toBe('not_found');
  });

  it('is not about an item that leaves the shared folder at that moment', async () => {
    const folders = new PostgresFolders(db.database);
    const { workspaceId } = owner;
    const folder = await folders.add({ boardId, parentId: null, name: 'In', createdAt: NOW });
    const { secret } = await create({}, { of: 'folder', folderId: folder.id });
    const visit = await namedVisit(secret);
    await inRounds(async () => {
      const item = await newItem(folder.id);
      const [hasMoved, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const moving = work.run(async () => {
        await product.get(PostgresMedia).move(workspaceId, boardId, [item], null);
        hasMoved.resolve();
        await mayEnd.promise;
      });
      await hasMoved.promise;
      // It sees the item in the folder until the move is committed, and waits for the board.
      const writing = codeOf(reviews.comment(visit, item, comment));
      await untilWaiting(db);
      mayEnd.resolve();
      await moving;
      expect([await writing, await count(`comments where media_id = ${item}`)]).toEqual(['not_found', 0]);
    });
  });

  it('is refused when the password changed while the guest looked', async () => {
    const { id, secret } = await create({ password: 'secret' });
    const visit = await namedVisit(secret, 'secret');
    expect(await codeOf(reviews.comment(visit, mediaId, comment))).toBe('ok');
    await shares.update(owner, id, { password: 'another' });
    expect(await codeOf(reviews.comment(visit, mediaId, comment))).toBe('not_found');
    expect(await codeOf(reviews.decide(visit, mediaId, 'approved', null))).toBe('not_found');
    // A guest who gave the old password while it changed has not entered.
    const late = await guests.enter(visit.share, null, { password: 'secret', name: 'Late' });
    expect(await codeOf(guests.visit(await guests.share(secret), late.secret))).toBe('share_password_required');
  });
});

describe('the pictures with a watermark', () => {
  const FILE = {
    personaId: null,
    origin: 'import',
    filename: 'marked.webp',
    contentType: 'image/webp',
    name: 'marked.webp',
    size: 1,
    seen: null,
  } as const;

  async function marked(): Promise<{ readonly id: number; readonly fileId: number }> {
    const { id } = await create({ watermark: 'Draft' });
    const records = new PostgresFileRecords(db.database, {});
    const key = `files/marked-${id}/marked.webp`;
    const { workspaceId } = owner;
    const isPrivate = await records.reserve(key, workspaceId, NOW);
    const file = await records.add({ ...FILE, workspaceId, key, isPrivate, createdAt: NOW, expiresAt: null });
    const [item] = await pictures.waiting(id, [mediaId]);
    expect(await work.run(() => pictures.save(item!, { pictureId: file.id, clipId: null }))).toBe(true);
    await db.query('update files set review_at = null where id = $1', [file.id]);
    return { id, fileId: file.id };
  }
  const decide = (fileId: number) =>
    work.run(() => new PostgresDiscardedFiles(db.database).decide([fileId], new Date(), null));
  const isDue = async (fileId: number) =>
    (await db.query(`select 1 from files where id = ${fileId} and review_at <= now()`)).length === 1;

  it('are made once for each item: a job is announced for those that are not requested yet', async () => {
    const second = await newItem();
    jobs.announced.length = 0;
    const { id } = await create({ watermark: 'Draft' });
    expect(jobs.announced).toMatchObject([
      { name: 'share.mark', payload: { shareId: id, mediaIds: expect.arrayContaining([mediaId, second]) } },
    ]);
    const visit = { share: (await shares.get(owner, id)) as never, guest: null };
    const { items } = await guests.items(visit, {}, { limit: 10, after: null });
    expect(items).toMatchObject([{ isPrepared: false, thumbnails: [], originalKey: null }, { isPrepared: false }]);
    expect(jobs.announced).toHaveLength(1);
    await newItem();
    await guests.items(visit, {}, { limit: 10, after: null });
    expect(jobs.announced).toHaveLength(2);
  });

  it('are needed while the item and the link exist, and then swept', async () => {
    const { id, fileId } = await marked();
    await decide(fileId);
    expect([await count(`files where id = ${fileId}`), await isDue(fileId)]).toEqual([1, false]);
    await shares.delete(owner, id);
    expect(await isDue(fileId)).toBe(true);
    await decide(fileId);
    expect(await count(`files where id = ${fileId}`)).toBe(0);
  });

  it('are made anew for another text', async () => {
    const { id, fileId } = await marked();
    await shares.update(owner, id, { watermark: 'Draft' });
    expect(await isDue(fileId)).toBe(false);
    const texts = { watermark: 'Draft', label: null };
    const [before] = [{ shareId: id, mediaId, workspaceId: owner.workspaceId, ...texts, source: null, videoKey: null }];
    await shares.update(owner, id, { watermark: 'Sample' });
    expect(await isDue(fileId)).toBe(true);
    // A job that began with the old text saves nothing.
    expect(await work.run(() => pictures.save(before, { pictureId: null, clipId: null }))).toBe(false);
    expect(await pictures.waiting(id, [mediaId])).toMatchObject([{ watermark: 'Sample' }]);
  });

  it('are made anew for another label, without a watermark too', async () => {
    const { id, fileId } = await marked();
    const [mediaIds, nothing] = [[mediaId], { pictureId: null, clipId: null }];
    const waiting = async () => (await pictures.waiting(id, mediaIds))[0];
    await shares.update(owner, id, { label: null });
    expect(await isDue(fileId)).toBe(false);
    await shares.update(owner, id, { label: 'Made with AI' });
    expect(await isDue(fileId)).toBe(true);
    const former = await waiting();
    expect(former).toMatchObject({ watermark: 'Draft', label: 'Made with AI' });
    // The text of the operator, which the link then keeps.
    await shares.update(owner, id, { label: true, watermark: null });
    expect(await waiting()).toMatchObject({ watermark: null, label: 'AI-generated' });
    expect((await shares.get(owner, id)).label).toBe('AI-generated');
    expect(await work.run(() => pictures.save(former!, nothing))).toBe(false);
    expect(await work.run(async () => pictures.save((await waiting())!, nothing))).toBe(true);
    await shares.update(owner, id, { label: 'AI-generated' });
    expect([await waiting(), await count(`share_pictures where share_id = ${id}`)]).toEqual([undefined, 1]);
    await shares.update(owner, id, { label: false });
    expect([await waiting(), await count(`share_pictures where share_id = ${id}`)]).toEqual([undefined, 0]);
    const { items } = await guests.items({ share: (await shares.get(owner, id)) as never, guest: null }, {}, ONE_PAGE);
    expect(items).toMatchObject([{ isPrepared: true }]);
  });
  const ONE_PAGE = { limit: 10, after: null };

  it('are, without a watermark, clips of videos that may not be downloaded, and go with the link', async () => {
    const video = await newItem();
    const { key } = await newPicture(db.database, owner.workspaceId, { contentType: 'video/mp4' });
    await db.query('update media set file_key = $1 where id = $2', [key, video]);
    const [closed, open] = [await create({ allow: [] }), await create()];
    const request = (id: number) => work.run(() => pictures.request(id, [mediaId, video]));
    expect([await request(closed.id), await request(closed.id), await request(open.id)]).toEqual([[video], [], []]);
    const [item] = await pictures.waiting(closed.id, [mediaId, video]);
    expect(item).toMatchObject({ mediaId: video, watermark: null, videoKey: key });
    const clip = await newPicture(db.database, owner.workspaceId, { contentType: 'video/mp4' });
    const visit = { share: await guests.share(closed.secret), guest: null };
    expect(await codeOf(guests.video(visit, video))).toBe('not_found');
    expect(await work.run(() => pictures.save(item!, { pictureId: null, clipId: clip.id }))).toBe(true);
    expect(await guests.video(visit, video)).toBe(clip.key);
    await shares.delete(owner, closed.id);
    expect(await isDue(clip.id)).toBe(true);
  });

  it('go with an item that is deleted, and are requested again after it is restored', async () => {
    const { id, fileId } = await marked();
    const deletion = { at: NOW, by: owner.userId, expiresAt: inDays(7) };
    const media = product.get(PostgresMedia);
    await work.run(() => media.delete(owner.workspaceId, boardId, [mediaId], deletion));
    await decide(fileId);
    expect([await count(`files where id = ${fileId}`), await count(`share_pictures where share_id = ${id}`)]).toEqual([
      0, 0,
    ]);
    await db.query('update media set deletion_id = null where id = $1', [mediaId]);
    const share = (await shares.get(owner, id)) as never;
    expect(await work.run(() => pictures.request(id, [mediaId]))).toEqual([mediaId]);
    expect(await pictures.unrequested(share, 10)).toEqual([]);
  });

  /** The pictures of a link that nobody would make. */
  async function forgotten(id: number): Promise<unknown[]> {
    await db.query('delete from jobs');
    for (const { name, payload } of jobs.announced) {
      await db.query('insert into jobs (name, payload, due_at, created_at) values ($1, $2, now(), now())', [
        name,
        JSON.stringify(payload),
      ]);
    }
    const findings = await product.get(PostgresAudit).findings(1_000);
    return findings.flatMap(({ rule, examples }) =>
      rule === 'picture for guests without a job or without its files'
        ? examples.filter((each) => each['share_id'] === id)
        : [],
    );
  }

  it('are requested by a guest while the text changes: nobody is refused, and what waits has a job', async () => {
    const { id, secret } = await create({ watermark: 'Draft' });
    const visit = { share: await guests.share(secret), guest: null };
    for (const [watermark, waiting] of [
      ['Text', 1],
      [null, 0],
    ] as const) {
      await db.query('delete from share_pictures where share_id = $1', [id]);
      jobs.announced.length = 0;
      const [isLocked, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const changing = codeOf(
        work.run(async () => {
          await product.get(PostgresShares).lock(owner.workspaceId, id);
          isLocked.resolve();
          await mayEnd.promise;
          await shares.update(owner, id, { watermark });
        }),
      );
      await isLocked.promise;
      const looking = codeOf(guests.items(visit, {}, { limit: 10, after: null }));
      await untilWaiting(db);
      mayEnd.resolve();
      expect(await Promise.all([changing, looking])).toEqual(['ok', 'ok']);
      expect([await count(`share_pictures where share_id = ${id}`), await forgotten(id)]).toEqual([waiting, []]);
    }
  });

  itInRounds('are requested by many guests at once, in any order', async () => {
    const { id, secret } = await create();
    const share = { ...(await guests.share(secret)), watermark: 'Draft' };
    await db.query(`update shares set watermark = 'Draft' where id = $1`, [id]);
    const items = Array.from({ length: 20 }, () => mediaId);
    for (const index of items.keys()) items[index] = await newItem();
    jobs.announced.length = 0;
    const requested = Array.from({ length: 20 }, (_, index) =>
      codeOf(work.run(() => product.get(RequestedPictures).request(share, index % 2 ? items : items.toReversed()))),
    );
    expect(new Set(await Promise.all(requested))).toEqual(new Set(['ok']));
    expect(await forgotten(id)).toEqual([]);
    const announced = jobs.announced.flatMap(({ payload }) => (payload as JobPayloads['share.mark']).mediaIds);
    expect(announced.toSorted((one, other) => one - other)).toEqual(items);
  });

  it('that wait without a job get one, unless the item or the watermark is gone', async () => {
    await db.query('delete from share_pictures');
    const [second, deleted] = [await newItem(), await newItem()];
    const { id } = await create({ watermark: 'Draft' });
    const other = await create({ watermark: 'Draft' });
    const deletion = { at: NOW, by: owner.userId, expiresAt: inDays(7) };
    await work.run(() => product.get(PostgresMedia).delete(owner.workspaceId, boardId, [deleted], deletion));
    await db.query('update shares set watermark = null where id = $1', [other.id]);
    jobs.announced.length = 0;
    expect(await forgotten(id)).toHaveLength(2);
    const marking = product.with(temporaryFolders, { use: (work) => work('/nowhere') }).get(MarkPictures);
    expect(await marking.sweep()).toBe(6);
    const announced = jobs.announced.map(({ payload }) => payload as JobPayloads['share.mark']);
    expect(announced).toEqual([
      { shareId: id, mediaIds: [mediaId, second, deleted] },
      { shareId: other.id, mediaIds: [mediaId, second, deleted] },
    ]);
    expect([await forgotten(id), await forgotten(other.id), await marking.sweep()]).toEqual([[], [], 0]);
    for (const { shareId, mediaIds } of announced) {
      await marking.run(shareId, mediaIds, { signal: new AbortController().signal });
    }
    expect(
      await db.query(`select media_id, state from share_pictures where share_id in ($1, $2) order by 1`, [
        id,
        other.id,
      ]),
    ).toEqual([
      { media_id: mediaId, state: 'made' },
      { media_id: second, state: 'made' },
    ]);
  });
});
