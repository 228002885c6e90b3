/** @tier test */
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { PostgresErasures, PostgresEvents } from '#adapters/postgres';
import { EventPublisher, type Event, type EventFilter, type EventPage, type EventType, type NewEvent } from '#events';
import { Boards } from '#board';
import { ModelNews } from '#catalogue';
import type { Email } from '#identity';
import { anActor } from '#testing/identity';
import { ManualClock } from '#testing/kernel';
import { Comments } from '#review';
import * as wiring from '#wiring';
import { creditStoreOn } from '../support/credit-store.ts';
import { newColleagues, newWorkspace } from '../support/database.ts';
import { inEveryCrash } from '../support/lifeline.ts';
import { Product } from '../support/product.ts';
import { publisherOf } from '../support/publisher.ts';
import { itInRounds } from '../support/rounds.ts';
import { suiteDatabase } from '../support/suite-database.ts';

const clock = new ManualClock();
const db = await suiteDatabase({ poolSize: 20 });
const product = new Product(db, { clock });
const store = product.get(PostgresEvents);
const unitOfWork = product.get(wiring.unitOfWork);

const newHome = async () => (await newWorkspace(db.database)).workspaceId;
const anEvent = (workspaceId: number, more: Partial<NewEvent> = {}): NewEvent => {
  return { workspaceId, type: 'file.expired', subjectId: 1, createdAt: clock.now(), ...more };
};
const publisherTo = (consume: (events: readonly Event[]) => Promise<void>, of: Pick<Product, 'get'> = product) =>
  new EventPublisher({
    store: of.get(PostgresEvents),
    subjects: { read: ({ facts }) => Promise.resolve(facts) },
    consumers: [{ consume }],
    unitOfWork: of.get(wiring.unitOfWork),
    report: (error) => {
      throw error;
    },
  });
const nobody = () => Promise.resolve();
const listed = (workspaceId: number, filter: EventFilter = {}, page: Partial<EventPage> = {}) =>
  store.list(workspaceId, { limit: 1000, ...page }, filter);
const numbersOf = (events: readonly Event[]) => events.map(({ number }) => number);

describe('events', () => {
  it('have numbers that grow by workspace, in the order in which they were recorded', async () => {
    const [home, other] = [await newHome(), await newHome()];
    await store.record(anEvent(home), anEvent(other), anEvent(home, { type: 'board.created', subjectId: 7 }));
    expect(await listed(home)).toEqual([]);
    await publisherTo(nobody).run();
    await store.record(anEvent(home, { facts: { id: 1 }, customer: 'user-1' }));
    await publisherTo(nobody).run();
    expect(await listed(home)).toMatchObject([
      { number: 1, type: 'file.expired', data: {} },
      { number: 2, type: 'board.created', subjectId: '7' },
      { number: 3, customer: 'user-1', data: { id: 1 }, createdAt: clock.now() },
    ]);
    expect(numbersOf(await listed(other))).toEqual([1]);
    expect([await store.lastNumber(home), await store.lastNumber(987_654_321)]).toEqual([3, 0]);
  });

  it('are not recorded when their unit of work fails', async () => {
    const home = await newHome();
    const failed = unitOfWork.run(async () => {
      await store.record(anEvent(home));
      throw new Error('it fails');
    });
    await expect(failed).rejects.toThrow('it fails');
    await publisherTo(nobody).run();
    expect(await listed(home)).toEqual([]);
  });

  itInRounds('are found by a consumer that reads after the last number, however units of work overlap', async () => {
    const home = await newHome();
    const publishers = [publisherTo(nobody), publisherTo(nobody)];
    const seen: number[] = [];
    let isWriting = true;
    const read = async () => {
      for (const { number } of await listed(home, {}, { after: seen.at(-1) ?? 0 })) seen.push(number);
    };
    const reader = (async () => {
      while (isWriting) await read();
    })();
    const publishing = publishers.map(async (publisher) => {
      while (isWriting) await publisher.run();
    });
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        unitOfWork.run(async () => {
          await store.record(anEvent(home));
          // The events that were recorded first are committed last.
          await pause((40 - index) % 7);
        }),
      ),
    );
    await publishers[0]!.run();
    isWriting = false;
    await Promise.all([reader, ...publishing]);
    await publishers[0]!.run();
    await read();
    expect(seen).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
  });

  itInRounds('are handed to the consumers once, however many processes publish', async () => {
    const home = await newHome();
    const consumed: number[] = [];
    const consume = async (events: readonly Event[]) => void consumed.push(...numbersOf(events));
    const publishers = Array.from({ length: 4 }, () => publisherTo(consume));
    for (let index = 0; index < 10; index++) await store.record(anEvent(home));
    await Promise.all(publishers.map((publisher) => publisher.run()));
    await publishers[0]!.run();
    expect(consumed).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('are published once, at whichever call the publisher is killed', async () => {
    const home = await newHome();
    const consumer = new PostgresEvents(db.database);
    // The consumer writes in the unit of work of the publication.
    const consume = async (events: readonly Event[]) => {
      for (const { id, type } of events)
        if (type === 'board.created') await consumer.record(anEvent(home, { facts: { of: id } }));
    };
    let count = 0;
    await inEveryCrash(
      async (lifeline) => {
        await store.record(anEvent(home, { type: 'board.created' }));
        count++;
        const killed = new Product(db, { clock }).mortal(lifeline, PostgresEvents, wiring.unitOfWork);
        await publisherTo(consume, killed).run();
      },
      () => publisherTo(consume).run(),
    );
    const events = await listed(home);
    expect(numbersOf(events)).toEqual(Array.from({ length: 2 * count }, (_, index) => index + 1));
    const created = events.filter(({ type }) => type === 'board.created').map(({ id }) => id);
    expect(events.flatMap(({ facts }) => facts['of'] ?? [])).toEqual(created);
  });

  itInRounds('with the same key are recorded once, also 20 at once', async () => {
    const [home, other] = [await newHome(), await newHome()];
    await Promise.all(Array.from({ length: 20 }, () => store.record(anEvent(home, { key: 'once' }))));
    await store.record(anEvent(home, { key: 'again' }), anEvent(other, { key: 'once' }));
    await publisherTo(nobody).run();
    expect([(await listed(home)).length, (await listed(other)).length]).toEqual([2, 1]);
  });

  it('are listed by type, subject and customer, page by page', async () => {
    const home = await newHome();
    const record = (type: EventType, subjectId: number, customer: string | null = null) =>
      store.record(anEvent(home, { type, subjectId, customer }));
    await record('board.created', 1);
    await record('generation.failed', 1, 'ada');
    await record('board.deleted', 1);
    await record('generation.succeeded', 2, 'ada');
    await record('generation.succeeded', 2, 'grace');
    await publisherTo(nobody).run();
    const numbers = async (filter: EventFilter, page?: Partial<EventPage>) =>
      numbersOf(await listed(home, filter, page));
    expect(await numbers({ types: ['board.created', 'generation.succeeded'] })).toEqual([1, 4, 5]);
    expect(await numbers({ types: ['board.created', 'generation.succeeded'] }, { after: 1, limit: 1 })).toEqual([4]);
    expect(await numbers({ subject: { type: 'board', id: '1' } })).toEqual([1, 3]);
    expect(await numbers({ subject: { type: 'board', id: '1' }, types: ['board.deleted'] })).toEqual([3]);
    expect(await numbers({ customer: 'ada' })).toEqual([2, 4]);
    expect(await numbers({ customer: 'ada', types: ['generation.failed'] })).toEqual([2]);
    expect(await numbers({ customer: 'grace', subject: { type: 'generation', id: '2' } })).toEqual([5]);
    expect(await numbers({ types: [] })).toEqual([]);
    expect(await numbers({}, { after: 3, limit: 1 })).toEqual([4]);
    expect(await numbers({}, { after: 1, before: 4 })).toEqual([2, 3]);
    const newest = { isNewestFirst: true, limit: 2 };
    expect(await numbers({}, newest)).toEqual([5, 4]);
    expect(await numbers({}, { ...newest, before: 4 })).toEqual([3, 2]);
    expect(await numbers({ types: ['board.created', 'generation.succeeded'] }, newest)).toEqual([5, 4]);
    expect(await numbers({ subject: { type: 'board', id: '1' } }, newest)).toEqual([3, 1]);
    expect(await numbers({ customer: 'ada' }, { ...newest, before: 4 })).toEqual([2]);
  });

  it('have the object as it was, also when it is changed later', async () => {
    const { workspaceId, userId } = await newWorkspace(db.database);
    const actor = anActor({ workspaceId, userId });
    const boards = product.get(Boards);
    const publisher = publisherOf(product);
    const { id } = await boards.create(actor, 'Before');
    await publisher.run();
    await boards.update(actor, id, { name: 'After' });
    await boards.delete(actor, id);
    await publisher.run();
    expect(await listed(workspaceId)).toMatchObject([
      { type: 'board.created', data: { id, name: 'Before', media_count: 0, created_at: expect.any(String) } },
      { type: 'board.deleted', data: { id, name: 'After' } },
    ]);
  });

  it('of a model are told to the workspaces that use it, once each', async () => {
    const [preset, called, other] = [await newWorkspace(db.database), await newWorkspace(db.database), await newHome()];
    const at = clock.now();
    await db.query(
      `insert into presets (workspace_id, created_by, name, model, parameters, created_at, updated_at)
       values ($1, $2, 'P', 'old-alias', '{}', now(), now())`,
      [preset.workspaceId, preset.userId],
    );
    await db.query(
      `insert into generations (workspace_id, user_id, model, requested_model, kind, state, parameters, cost, created_at)
       select $1, $2, 'new', requested, 'image', 'succeeded', '{}', 1, made
       from unnest($3::text[], $4::timestamptz[]) call (requested, made)`,
      [called.workspaceId, called.userId, ['old', 'older'], [at, new Date(at.getTime() - 31 * 86_400_000)]],
    );
    const news = product.get(ModelNews);
    const tell = (id: string, aliases: readonly string[]) => {
      const event = { type: 'model.retiring', facts: { days: 7 }, key: `retiring ${id} 7` } as const;
      return news.tell({ id, aliases }, event, at);
    };
    expect(await tell('old', ['old-alias'])).toBe(2);
    expect(await tell('old', ['old-alias'])).toBe(2);
    expect(await tell('older', [])).toBe(0);
    await publisherOf(product).run();
    for (const { workspaceId } of [preset, called]) {
      expect(await listed(workspaceId)).toMatchObject([
        { type: 'model.retiring', subjectId: 'old', data: { id: 'old', days: 7 } },
      ]);
    }
    expect(await listed(other)).toEqual([]);
  });

  it('of credits are recorded when the last fifth and the last twentieth begin, once a month', async () => {
    const { ledger, newGenerations } = creditStoreOn(db.database);
    const { workspaceId, userId } = await newWorkspace(db.database);
    const spend = async (amount: number, month: '2026-03' | '2026-04' = '2026-03') => {
      const [generationId] = await newGenerations(workspaceId, userId, 1);
      await unitOfWork.run(() =>
        ledger.reserve({ workspaceId, userId, generationId: generationId!, month, amount }, 100),
      );
      return generationId!;
    };
    const told = async () => {
      await publisherTo(nobody).run();
      return (await listed(workspaceId)).map(({ type, data }) => [type, data['percent'], data['available']]);
    };
    const first = await spend(79);
    expect(await told()).toEqual([]);
    await spend(1);
    expect(await told()).toEqual([['credits.low', 20, 20]]);
    await ledger.release(first);
    await spend(79);
    await spend(14);
    expect(await told()).toHaveLength(1);
    await spend(6);
    expect((await told()).slice(1)).toEqual([['credits.low', 5, 0]]);
    await spend(95, '2026-04');
    expect(
      (await told())
        .slice(2)
        .map(([, percent]) => percent)
        .sort(),
    ).toEqual([20, 5]);
  });

  it('of a refusal are recorded although its unit of work fails', async () => {
    const home = await newHome();
    const failed = unitOfWork.run(async () => {
      await store.recordApart(anEvent(home, { key: 'budget' }));
      throw new Error('it fails');
    });
    await expect(failed).rejects.toThrow('it fails');
    await publisherTo(nobody).run();
    expect(await listed(home)).toHaveLength(1);
  });

  it('about a person are gone with them, and others stay', async () => {
    const [owner, member] = await newColleagues(db);
    const { id: boardId } = await product.get(Boards).create(owner, 'Board');
    const [item] = await db.query<{ id: number }>(
      `insert into media (board_id, created_by, state, created_at) values ($1, $2, 'processed', now()) returning id`,
      [boardId, owner.userId],
    );
    const comment = { text: 'of a person', x: null, y: null, time: null, parentId: null };
    await product.get(Comments).add(member, { boardId, mediaId: item!.id }, comment);
    await publisherOf(product).run();
    const types = async () => (await listed(owner.workspaceId)).map(({ type }) => type);
    expect(await types()).toEqual(['board.created', 'comment.created']);
    const erasure = { state: 'requested', userId: member.userId, requestedAt: clock.now(), workspaceIds: [] } as const;
    await unitOfWork.run(() =>
      new PostgresErasures(db.database).request(erasure, 'member@example.com' as Email, [owner.workspaceId]),
    );
    expect(await types()).toEqual(['board.created']);
  });
});
