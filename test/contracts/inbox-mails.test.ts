/** @tier test */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { PostgresInboxMails } from '#adapters/postgres';
import { Boards, MediaItems } from '#board';
import type { Actor } from '#identity';
import { DomainError, type JobRun } from '#kernel';
import { MailRefused, type Mail } from '#mail';
import { Inbox, InboxMails, type InboxViews, type MailSettings } from '#inbox';
import { GuestReviews, Guests, Shares } from '#sharing';
import { Comments, Decisions, type Reviewer, type Verdict } from '#review';
import { MailBox } from '#testing/mail';
import * as wiring from '#wiring';
import { newColleagues } from '../support/database.ts';
import { suiteDatabase } from '../support/suite-database.ts';
import { inEveryCrash } from '../support/lifeline.ts';
import { Product } from '../support/product.ts';
import { publisherOf } from '../support/publisher.ts';
import { itInRounds } from '../support/rounds.ts';

const START = new Date('2026-03-14T10:00:00.000Z');
const HOUR_MS = 3_600_000;
const SOURCE = { url: 'https://example.com/a.png', controlImage: null };

const db = await suiteDatabase({ poolSize: 20 });

describe('mails about the inbox', () => {
  const mail = new MailBox();
  let now: Date;
  const product = new Product(db, { clock: { now: () => now } }).with(wiring.mail, mail);
  const { jobs } = product;
  const mails = product.get(InboxMails);
  const inbox = product.get(Inbox);
  const views = product.get<InboxViews>(wiring.inboxViews);
  const choose = (settings: Partial<MailSettings>) => inbox.changeMailSettings(grace, settings);
  const comments = product.get(Comments);
  const decisions = product.get(Decisions);
  const boards = product.get(Boards);
  const media = product.get(MediaItems);
  /** A team's owner Ada and member Grace, who put an item on a board. */
  let [ada, grace] = [] as unknown as [Actor, Actor];
  let place: { readonly boardId: number; readonly mediaId: number };
  beforeEach(async () => {
    now = START;
    mail.sent.length = 0;
    mail.failure = null;
    [ada, grace] = await newColleagues(db);
    const accounts = product.get(wiring.accountStore);
    await accounts.update(ada.userId, { name: 'Ada' });
    await accounts.update(grace.userId, { name: 'Grace' });
    const { id: boardId } = await boards.create(ada, 'Summer');
    const { id: mediaId } = await media.add(grace, boardId, { folderId: null, extras: null, ...SOURCE });
    place = { boardId, mediaId };
    await product.clear();
  });

  const publisher = publisherOf(product);
  const publish = () => publisher.run();
  const comment = async (text: string, by: Reviewer = ada) => {
    const id = await comments.add(by, place, { text, x: null, y: null, time: null, parentId: null });
    await publish();
    return id;
  };
  const decide = async (verdict: Verdict, by: Reviewer = ada, text: string | null = null) => {
    await decisions.decide(by, place, verdict, text);
    await publish();
  };
  const run = (): Pick<JobRun, 'signal'> => ({ signal: new AbortController().signal });
  const toGrace = () => ({ workspaceId: grace.workspaceId, userId: grace.userId, series: `board:${place.boardId}` });
  const send = (series = `board:${place.boardId}`) => mails.send({ ...toGrace(), series }, run());
  /** Mails of a worker of its own, which hands them over by `handOver`. */
  const worker = (handOver: Mail['send']) =>
    new Product(db, product).with(wiring.mail, { check: async () => undefined, send: handOver }).get(InboxMails);
  const announced = () => jobs.announced.map(({ name, payload }) => ({ name, payload }));
  const delays = () => jobs.announced.map(({ delaySeconds = 0 }) => delaySeconds);
  const subjects = () => mail.sent.map(({ subject }) => subject);

  it('tell a member of a mention at once, and of nothing that they did themselves', async () => {
    await comment('@Grace, warmer?');
    expect(announced()).toEqual([{ name: 'inbox.mail', payload: toGrace() }]);
    expect(delays()).toEqual([0]);
    await send();
    expect(subjects()).toEqual(['Ada mentioned you on “Summer”']);
    await comment('@Grace I mean myself', grace);
    await decide('approved', grace);
    expect(jobs.announced).toHaveLength(1);
  });

  it('tell the member who put the item there of a decision', async () => {
    await decide('changes_requested', ada, 'warmer');
    await send();
    expect(subjects()).toEqual(['Ada asked for changes of an item on “Summer”']);
    expect(mail.sent[0]!.text).toContain('“warmer”');
    expect(mail.sent[0]!.text).toContain(`/boards/${place.boardId}?media=${place.mediaId}`);
  });

  it('tell of what a guest decides, and of nobody whom a guest mentions: guests do not know the members', async () => {
    const guest = { workspaceId: ada.workspaceId, guest: { id: null, name: 'Linus' }, shareId: 5 };
    await choose({ summary: 'off' });
    await comment('@Grace, @Ada', guest);
    expect(jobs.announced).toEqual([]);
    await decide('approved', guest);
    await send();
    expect(subjects()).toEqual(['Linus approved an item on “Summer”']);
  });

  it('tell in one mail of all that a guest says, once the guest is done, or a day after the first word', async () => {
    const { id: shareId, secret } = await product
      .get(Shares)
      .create(grace, { of: 'board', boardId: place.boardId }, { allow: ['comment', 'decide'] });
    const series = `review:${shareId}`;
    const linus = { workspaceId: ada.workspaceId, guest: { id: null, name: 'Linus' }, shareId };
    await comment('warmer', linus);
    await decide('changes_requested', linus, 'colder');
    expect(announced()).toEqual([{ name: 'inbox.mail', payload: { ...toGrace(), series } }]);
    expect(delays()).toEqual([86_400]);
    const guests = product.get(Guests);
    const share = await guests.share(secret);
    const { guest } = await guests.enter(share, null, { password: null, name: 'Linus' });
    await product.get(GuestReviews).done({ share, guest });
    await publish();
    expect(announced().at(-1)).toEqual({ name: 'inbox.mail', payload: { ...toGrace(), series } });
    expect(delays()).toEqual([86_400, 0]);
    await send(series);
    await send(series);
    expect(subjects()).toEqual(['Linus is done with the review on “Summer”']);
    expect(mail.sent[0]!.text).toMatch(
      /done with the review.*\n[^]*commented.*“warmer”[^]*asked for changes.*“colder”/,
    );
  });

  it('come once an hour, with all that happened meanwhile', async () => {
    await comment('@Grace one');
    await send();
    now = new Date(START.getTime() + 60_000);
    await comment('@Grace two');
    await comment('@Grace three');
    await decide('approved');
    expect(delays()).toEqual([0, 3540]);
    now = new Date(START.getTime() + HOUR_MS - 1);
    await expect(send()).rejects.toMatchObject({ name: 'JobPostponed', seconds: 1 });
    expect(mail.sent).toHaveLength(1);
    now = new Date(START.getTime() + HOUR_MS);
    await send();
    expect(subjects().slice(1)).toEqual(['3 news of “Summer”']);
    expect(mail.sent[1]!.text).not.toContain('@Grace one');
    await send();
    expect(mail.sent).toHaveLength(2);
  });

  it('tell of each comment once, as it is when the mail is sent', async () => {
    const [kept, deleted, changed] = [
      await comment('@Grace old'),
      await comment('@Grace gone'),
      await comment('@Grace no'),
    ];
    await comments.update(ada, place, kept, '@Grace new');
    await comments.delete(ada, place, deleted);
    await comments.update(ada, place, changed, 'nobody');
    await publish();
    await send();
    expect(mail.sent[0]!.text).toContain('new');
    expect(mail.sent[0]!.text).not.toMatch(/old|gone|nobody|@Grace no/);
    now = new Date(START.getTime() + HOUR_MS);
    await comments.update(ada, place, kept, '@Grace newer');
    await publish();
    expect(jobs.announced).toHaveLength(1);
  });

  it.each([
    ['was removed from the team', () => product.get(wiring.memberStore).remove(ada.workspaceId, grace.userId)],
    ['turned mails off', () => choose({ mention: 'off', decision: 'off' })],
    ['has read of it', () => inbox.markRead(grace, { kinds: ['mention', 'decision'] })],
    ['cannot see the item, which was deleted', () => media.delete(ada, place.boardId, [place.mediaId])],
    ['cannot see the board, which was deleted', () => boards.delete(ada, place.boardId)],
  ] as const)('are not sent to somebody who %s meanwhile', async (_, change) => {
    await comment('@Grace, warmer?');
    await decide('approved');
    await change();
    await send();
    expect(mail.sent).toEqual([]);
  });

  it('leave out what could not be seen when they were due, also when it is restored', async () => {
    await comment('@Grace one');
    await media.delete(ada, place.boardId, [place.mediaId]);
    await send();
    await db.query('update media set deletion_id = null where id = $1', [place.mediaId]);
    await comment('@Grace two');
    await send();
    expect(subjects()).toEqual(['Ada mentioned you on “Summer”']);
    expect(mail.sent[0]!.text).toContain('@Grace two');
  });

  it('are not announced to those who want none', async () => {
    await choose({ mention: 'off', decision: 'off' });
    await comment('@Grace, warmer?');
    await decide('approved');
    expect(jobs.announced).toEqual([]);
  });

  it('are tried again when the mail server was away, with what happened since', async () => {
    await comment('@Grace one');
    mail.failure = new DomainError('unavailable', 'the mail server is away');
    await expect(send()).rejects.toThrow('away');
    await mails.handleFailure(toGrace(), mail.failure);
    await comment('@Grace two');
    expect(delays()).toEqual([0, 600]);
    mail.failure = null;
    await send();
    expect(subjects()).toEqual(['2 news of “Summer”']);
  });

  it('are not tried again when the address is refused', async () => {
    await comment('@Grace one');
    mail.failure = new MailRefused('no such user');
    await expect(send()).rejects.toThrow('no such user');
    await mails.handleFailure(toGrace(), mail.failure);
    mail.failure = null;
    await send();
    expect([jobs.announced.length, mail.sent]).toEqual([1, []]);
  });

  it('come after an hour when a run that has lost its job fails', async () => {
    await comment('@Grace one');
    const stopped = new AbortController();
    const stopping = worker(async () => {
      stopped.abort();
      throw new DomainError('unavailable', 'the worker stops');
    });
    await expect(stopping.send(toGrace(), { signal: stopped.signal })).rejects.toThrow('stops');
    await expect(send()).rejects.toMatchObject({ name: 'JobPostponed', seconds: 3600 });
    now = new Date(START.getTime() + HOUR_MS);
    await send();
    expect(mail.sent).toHaveLength(1);
  });

  it('tell of each mention, once an hour at most, at whichever call the worker is killed', async () => {
    let round = 0;
    await inEveryCrash(
      async (lifeline) => {
        now = new Date(START.getTime() + ++round * 10 * HOUR_MS);
        mail.sent.length = 0;
        await comment(`@Grace round ${round}.`);
        const killed = new Product(db, product).with(wiring.mail, mail);
        killed.mortal(lifeline, PostgresInboxMails, wiring.mail, wiring.jobs, wiring.unitOfWork);
        await killed.get(InboxMails).send(toGrace(), run());
      },
      async () => {
        await send().catch((error: Error) => expect(error.name).toBe('JobPostponed'));
        expect(mail.sent.length).toBeLessThanOrEqual(1);
        now = new Date(now.getTime() + HOUR_MS);
        await send();
        expect(mail.sent.at(-1)?.text).toContain(`round ${round}.`);
        const before = mail.sent.length;
        now = new Date(now.getTime() + HOUR_MS);
        await send();
        expect(mail.sent).toHaveLength(before);
      },
    );
  });

  it('are announced for what is written while one is sent', async () => {
    await comment('@Grace one');
    await worker(async () => void (await comment('@Grace two'))).send(toGrace(), run());
    expect(delays()).toEqual([0, 3600]);
    now = new Date(START.getTime() + HOUR_MS);
    await send();
    expect(subjects()).toEqual(['Ada mentioned you on “Summer”']);
    expect(mail.sent[0]!.text).toContain('@Grace two');
  });

  it('are not delayed by a decision that was taken back before its mail', async () => {
    await decide('approved');
    await decide('none');
    await send();
    await comment('@Grace one');
    expect(delays()).toEqual([0, 0]);
    await send();
    expect(subjects()).toEqual(['Ada mentioned you on “Summer”']);
  });

  it('come once a day about all boards, for kinds that are chosen so, beside those that come at once', async () => {
    await choose({ comment: 'digest', decision: 'digest' });
    const { id: boardId } = await boards.create(ada, 'Winter');
    const { id: mediaId } = await media.add(grace, boardId, { folderId: null, extras: null, ...SOURCE });
    await product.clear();
    await decide('approved');
    await send('day');
    now = new Date(START.getTime() + 60_000);
    await decide('changes_requested');
    place = { boardId, mediaId };
    await comment('colder?');
    await comment('@Grace, colder?');
    expect(announced().map(({ payload }) => (payload as { series: string }).series)).toEqual([
      ...['day', 'day', `board:${boardId}`],
    ]);
    expect(delays()).toEqual([0, 86_340, 0]);
    await send();
    now = new Date(START.getTime() + 24 * HOUR_MS - 1);
    await expect(send('day')).rejects.toMatchObject({ name: 'JobPostponed', seconds: 1 });
    now = new Date(START.getTime() + 24 * HOUR_MS);
    await send('day');
    expect(subjects()).toEqual([
      'Ada approved an item on “Summer”',
      'Ada mentioned you on “Winter”',
      '2 news in your inbox',
    ]);
  });

  it('have what is read while they are sent, and nothing that was read before', async () => {
    await comment('@Grace one');
    const { items } = await views.entries(
      grace,
      { kinds: ['mention'], isUnread: true, isOpen: false },
      { limit: 9, after: null },
    );
    await inbox.markRead(grace, { ids: items.map(({ id }) => id) });
    await comment('@Grace two');
    await worker(async (message) => {
      await inbox.markRead(grace, { kinds: ['mention'] });
      await mail.send(message);
    }).send(toGrace(), run());
    expect(subjects()).toEqual(['Ada mentioned you on “Summer”']);
    expect(mail.sent[0]!.text).toContain('@Grace two');
    expect([await views.unread(grace), jobs.announced]).toMatchObject([0, { length: 1 }]);
  });

  itInRounds('have every mention once, however comments and runs race', async (round) => {
    now = new Date(START.getTime() + round * 3 * HOUR_MS);
    const before = mail.sent.length;
    await comment(`@Grace ${round} first.`);
    await Promise.all([
      comment(`@Grace ${round} second.`),
      send().catch(() => undefined),
      send().catch(() => undefined),
      comment(`@Grace ${round} third.`),
    ]);
    now = new Date(now.getTime() + HOUR_MS);
    await send();
    const texts = mail.sent.slice(before).map(({ text }) => text);
    for (const which of ['first', 'second', 'third']) {
      expect(texts.join().split(`${round} ${which}.`)).toHaveLength(2);
    }
  });
});
