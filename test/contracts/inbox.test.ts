/** @tier test */
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { PostgresErasures, PostgresEvents, PostgresRetention } from '#adapters/postgres';
import { Boards, MediaItems } from '#board';
import { EventPublisher, type NewEvent } from '#events';
import type { Actor, Email } from '#identity';
import { Inbox, INBOX_KINDS, InboxNews, MAX_COUNTED, type InboxViews } from '#inbox';
import { Comments, Decisions, type Reviewer } from '#review';
import * as wiring from '#wiring';
import { newColleagues, newWorkspace } from '../support/database.ts';
import { Product } from '../support/product.ts';
import { itInRounds } from '../support/rounds.ts';
import { suiteDatabase } from '../support/suite-database.ts';

const db = await suiteDatabase({ poolSize: 20 });
const product = new Product(db);
const [boards, media] = [product.get(Boards), product.get(MediaItems)];
const [comments, decisions, inbox] = [product.get(Comments), product.get(Decisions), product.get(Inbox)];
const views = product.get<InboxViews>(wiring.inboxViews);
const log = product.get(wiring.eventLog);

/** Events have their facts as data, and models an alias. */
const publisher = () =>
  new EventPublisher({
    store: product.get(PostgresEvents),
    subjects: { read: async ({ facts }) => ({ ...facts, aliases: ['old-name'] }) },
    consumers: [product.get(InboxNews)],
    unitOfWork: product.get(wiring.unitOfWork),
    report: (error) => {
      throw error;
    },
  });
const publish = () => publisher().run();
const entriesOf = async (reader: Actor, filter: Partial<Parameters<InboxViews['entries']>[1]> = {}) =>
  (
    await views.entries(
      reader,
      { kinds: INBOX_KINDS, isUnread: false, isOpen: false, ...filter },
      { limit: 50, after: null },
    )
  ).items;
const kindsOf = async (reader: Actor) => (await entriesOf(reader)).map(({ kind }) => kind);

describe('the inbox', () => {
  /** A team's owner Ada and member Grace, who put an item on a board. */
  let [ada, grace] = [] as unknown as [Actor, Actor];
  let linus: Reviewer;
  let place: { readonly boardId: number; readonly mediaId: number };
  beforeEach(async () => {
    [ada, grace] = await newColleagues(db);
    linus = { workspaceId: ada.workspaceId, guest: { id: null, name: 'Linus' }, shareId: 5 };
    const accounts = product.get(wiring.accountStore);
    await accounts.update(ada.userId, { name: 'Ada' });
    await accounts.update(grace.userId, { name: 'Grace' });
    const { id: boardId } = await boards.create(ada, 'Summer');
    const source = { url: 'https://example.com/a.png', controlImage: null };
    const { id: mediaId } = await media.add(grace, boardId, { folderId: null, extras: null, ...source });
    place = { boardId, mediaId };
    await publish();
  });

  const comment = (text: string, by: Reviewer = ada, parentId: number | null = null) =>
    comments.add(by, place, { text, x: null, y: null, time: null, parentId });
  const tell = async (event: Pick<NewEvent, 'type' | 'subjectId' | 'facts'>) => {
    await log.record({ workspaceId: ada.workspaceId, createdAt: product.clock.now(), ...event });
    await publish();
  };
  const inserted = async (text: string, values: unknown[]) =>
    (await db.query<{ id: number }>(`${text} returning id::int`, values))[0]!.id;

  it('tells of a comment those who put the item there or wrote in the thread before, and not its author', async () => {
    const thread = await comment('first');
    await comment('a reply', linus, thread);
    await comment('mine', grace, thread);
    const other = await comment('another thread', linus);
    await comment('too early', linus, other);
    await comment('too late', ada, other);
    await publish();
    const textsOf = async (reader: Actor) => (await entriesOf(reader)).map(({ text }) => text);
    expect(await textsOf(ada)).toEqual(['mine', 'a reply']);
    expect(await textsOf(grace)).toEqual(['too late', 'too early', 'another thread', 'a reply', 'first']);
  });

  it('shows who did what where, as it is now', async () => {
    const id = await comment('@Grace, warmer?');
    await decisions.decide(linus, place, 'changes_requested', 'too cold');
    await comments.update(ada, place, id, '@Grace, much warmer?');
    await publish();
    await boards.update(ada, place.boardId, { name: 'Autumn' });
    const where = { title: 'Autumn', ...place, folderId: null, personaId: null, readAt: null };
    expect(await entriesOf(grace)).toMatchObject([
      { ...where, kind: 'decision', author: 'Linus', verdict: 'changes_requested', text: 'too cold' },
      { ...where, kind: 'mention', author: 'Ada', verdict: null, text: '@Grace, much warmer?' },
    ]);
    expect((await entriesOf(grace))[1]!.event).toMatchObject({
      type: 'comment.created',
      subjectId: String(place.boardId),
      data: { comment_id: id },
    });
  });

  it('finds the request for changes that is open, until another decision, a newer version, or its end', async () => {
    const ask = async (mediaId = place.mediaId) => {
      await decisions.decide(linus, { ...place, mediaId }, 'changes_requested', null);
      await publish();
    };
    const open = async () => (await entriesOf(grace, { isOpen: true })).map(({ mediaId }) => mediaId);
    await ask();
    await ask();
    expect([await open(), await kindsOf(grace)]).toEqual([[place.mediaId], ['decision', 'decision']]);
    await decisions.decide(linus, place, 'approved', null);
    expect(await open()).toEqual([]);
    await ask();
    await decisions.close(ada, place);
    expect(await open()).toEqual([]);
    await ask();
    const source = { url: 'https://example.com/a.png', controlImage: null, folderId: null, extras: null };
    const { id: next } = await media.add(grace, place.boardId, { ...source, replaces: place.mediaId });
    expect(await open()).toEqual([]);
    await ask(next);
    expect(await open()).toEqual([next]);
    expect((await entriesOf(grace, {})).map(({ mediaId }) => mediaId)).toEqual(Array(6).fill(next));
  });

  it('tells once that a comment mentions somebody, also when it does so later', async () => {
    const id = await comment('warmer?');
    await publish();
    expect(await kindsOf(grace)).toEqual(['comment']);
    for (const text of ['@Grace, warmer?', '@Grace, much warmer?']) {
      await comments.update(ada, place, id, text);
      await publish();
    }
    expect(await kindsOf(grace)).toEqual(['mention', 'comment']);
    await comments.update(ada, place, id, 'never mind');
    await publish();
    expect(await kindsOf(grace)).toEqual(['comment']);
  });

  it('tells of links, batches and styles those who made them', async () => {
    const { workspaceId, userId } = grace;
    const shareId = await inserted(
      `insert into shares (workspace_id, created_by, hash, name, board_id, allow, created_at)
       values ($1, $2, sha256($4::text::bytea), 'For Linus', $3, '{}', now())`,
      [workspaceId, userId, place.boardId, String(place.boardId)],
    );
    const batchId = await inserted(
      `insert into batches (workspace_id, user_id, name, state, total, cost, created_at, ended_at)
       values ($1, $2, 'Foxes', 'ended', 1, 1, now(), now())`,
      [workspaceId, userId],
    );
    const personaId = await inserted(
      `insert into personas (workspace_id, created_by, name, created_at, updated_at) values ($1, $2, 'Mia', now(), now())`,
      [workspaceId, ada.userId],
    );
    const styleId = await inserted(
      `insert into styles (workspace_id, persona_id, name, model, trigger, slots, created_at)
       values ($1, $2, 'Ink', 'trainer', 'ink', '', now())`,
      [workspaceId, personaId],
    );
    await db.query(
      `insert into generations (workspace_id, user_id, model, kind, state, parameters, cost, style_id, created_at)
       values ($1, $2, 'trainer', 'style', 'queued', '{}', 1, $3, now())`,
      [workspaceId, userId, styleId],
    );
    await tell({ type: 'share.opened', subjectId: shareId });
    const facts = { guest: 'Mia', approved: 10, changes_requested: 2, undecided: 0, comments: 3 };
    await tell({ type: 'review.summary', subjectId: shareId, facts });
    await tell({ type: 'batch.ended', subjectId: batchId });
    await tell({ type: 'style.failed', subjectId: styleId });
    expect(await entriesOf(grace)).toMatchObject([
      { kind: 'style', title: 'Ink', personaId, author: null },
      { kind: 'batch', title: 'Foxes', boardId: null },
      {
        kind: 'summary',
        title: 'For Linus',
        author: 'Mia',
        text: '10 approved, 2 to change, 0 undecided, comments: 3',
      },
      { kind: 'share', title: 'For Linus', boardId: place.boardId, mediaId: null },
    ]);
    expect(await kindsOf(ada)).toEqual([]);
    await db.query('delete from shares where id = $1', [shareId]);
    await db.query('update styles set deleted_at = now() where id = $1', [styleId]);
    expect(await kindsOf(grace)).toEqual(['batch']);
    expect(await views.unread(grace)).toBe(1);
  });

  it('tells of the end of a model those who called it in the last 30 days, by any of its names', async () => {
    const call = (userId: number, model: string, requested: string | null, daysAgo: number) =>
      db.query(
        `insert into generations (workspace_id, user_id, model, requested_model, kind, state, parameters, cost, created_at)
         values ($1, $2, $3, $4, 'image', 'queued', '{}', 1, $5)`,
        [ada.workspaceId, userId, model, requested, new Date(product.clock.now().getTime() - daysAgo * 86_400_000)],
      );
    await call(ada.userId, 'fluw', null, 30);
    await call(grace.userId, 'fluw', null, 30.001);
    await call(grace.userId, 'fluw', 'its-successor', 1);
    await tell({ type: 'model.retiring', subjectId: 'fluw' });
    expect([await kindsOf(ada), await kindsOf(grace)]).toEqual([['model'], []]);
    await call(grace.userId, 'fluw-2', 'old-name', 1);
    await tell({ type: 'model.gone', subjectId: 'fluw' });
    expect([await kindsOf(ada), await kindsOf(grace)]).toEqual([['model', 'model'], ['model']]);
    expect((await entriesOf(grace))[0]).toMatchObject({ title: 'fluw', event: { type: 'model.gone' } });
  });

  it('is of members alone: what was made by those who left tells nobody', async () => {
    await comment('@Grace, warmer?');
    await publish();
    expect(await kindsOf(grace)).toEqual(['mention']);
    await comment('colder?');
    await product.get(wiring.memberStore).remove(ada.workspaceId, grace.userId);
    await publish();
    const [own] = await db.query<{ count: number }>(
      'select count(*)::int as count from inbox_entries where user_id = $1',
      [grace.userId],
    );
    expect(own).toEqual({ count: 1 });
    expect(await kindsOf({ ...grace, workspaceId: (await newWorkspace(db.database)).workspaceId })).toEqual([]);
  });

  it.each([
    ['the comment', async (id: number) => comments.delete(ada, place, id)],
    ['the item', async () => media.delete(ada, place.boardId, [place.mediaId])],
    ['the board', async () => boards.delete(ada, place.boardId)],
    ['the event', async () => new PostgresRetention(db.database, 400).forget(new Date(Date.now() + 40 * 86_400_000))],
  ])('shows and counts nothing about %s that was deleted', async (_, remove) => {
    const id = await comment('@Grace, warmer?');
    await publish();
    expect(await views.unread(grace)).toBe(1);
    await remove(id);
    expect([await kindsOf(grace), await views.unread(grace)]).toEqual([[], 0]);
  });

  it('tells nobody of a comment that was deleted before its event is published', async () => {
    await comments.delete(ada, place, await comment('@Grace, warmer?'));
    await publish();
    expect(await kindsOf(grace)).toEqual([]);
  });

  it('has unread entries until they are marked, by id or by kind, each person their own', async () => {
    await comment('@Grace, @Ada', grace);
    await comment('@Grace', ada);
    await comment('warmer?', ada);
    await decisions.decide(ada, place, 'approved', null);
    await publish();
    const [decision, , mention] = await entriesOf(grace);
    const [own] = await entriesOf(ada);
    expect(await views.unread(grace)).toBe(3);
    const readAt = product.clock.now();
    await inbox.markRead(grace, { ids: [mention!.id, own!.id] });
    expect(await views.unread(ada)).toBe(1);
    expect(await entriesOf(grace, { isUnread: true })).toMatchObject([{ id: decision!.id }, { kind: 'comment' }]);
    product.clock.advance(1);
    await inbox.markRead(grace, { kinds: ['mention', 'comment'] });
    expect(await entriesOf(grace)).toMatchObject([{ readAt: null }, { kind: 'comment' }, { kind: 'mention', readAt }]);
    expect(await entriesOf(grace, { isUnread: true })).toMatchObject([{ id: decision!.id }]);
    expect(await entriesOf(grace, { kinds: ['mention'] })).toMatchObject([{ id: mention!.id }]);
  });

  it('is read page by page, newest first, and counts unread entries up to a limit', async () => {
    for (let index = 0; index < MAX_COUNTED; index++) await comment(`${index}`, linus);
    await publish();
    expect(await views.unread(grace)).toBe(MAX_COUNTED);
    await comment('one more', linus);
    await publish();
    expect(await views.unread(grace)).toBe(MAX_COUNTED);
    const filter = { kinds: INBOX_KINDS, isUnread: true, isOpen: false };
    const first = await views.entries(grace, filter, { limit: 60, after: null });
    const second = await views.entries(grace, filter, { limit: 60, after: first.next });
    expect([first.items.length, second.items.length, second.next]).toEqual([60, MAX_COUNTED + 1 - 60, null]);
    const ids = [...first.items, ...second.items].map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((one, other) => other - one));
  });

  it('goes with a person who is erased, also from the inboxes of others', async () => {
    await comment('@Grace, warmer?');
    await comment('@Ada, colder', grace);
    await inbox.changeMailSettings(grace, { batch: 'digest' });
    await publish();
    expect(await kindsOf(ada)).toEqual(['mention']);
    const requested = { state: 'requested', userId: grace.userId, requestedAt: product.clock.now() } as const;
    const email = 'grace@example.com' as Email;
    await product
      .get(wiring.unitOfWork)
      .run(() => product.get(PostgresErasures).request({ ...requested, workspaceIds: [] }, email, [ada.workspaceId]));
    expect(await kindsOf(ada)).toEqual([]);
    for (const table of ['inbox_entries', 'inbox_mails', 'inbox_settings']) {
      expect(await db.query(`select 1 from ${table} where user_id = $1`, [grace.userId])).toEqual([]);
    }
  });

  it('takes few statements for 200 comments', async () => {
    for (let index = 0; index < 199; index++) await comment(`${index}`, linus);
    const sent = jest.spyOn(pg.Client.prototype, 'query');
    await publish();
    const statements = sent.mock.calls.length;
    sent.mockRestore();
    expect(statements).toBeLessThan(20);
    expect(await views.unread(grace)).toBe(MAX_COUNTED);
  });

  itInRounds('has each entry once, however publishers and deletions race', async () => {
    const kept = await Promise.all([comment('@Grace one'), comment('@Grace two')]);
    const gone = await comment('@Grace three');
    await Promise.all([publish(), comments.delete(ada, place, gone), publish(), publish()]);
    await publish();
    const seen = (await entriesOf(grace)).map(({ event }) => event.data['comment_id']);
    expect(seen.toSorted()).toEqual(kept.toSorted());
    await db.query('delete from inbox_entries where user_id = $1', [grace.userId]);
  });
});
