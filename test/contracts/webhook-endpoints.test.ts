/** @tier test */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { PostgresDeliveries, PostgresEvents } from '#adapters/postgres';
import { SignedWebhooks } from '#adapters/webhooks';
import { EventPublisher, type EventType } from '#events';
import type { Actor } from '#identity';
import { JobPostponed } from '#kernel';
import { SourceFailure } from '#sources';
import { anActor } from '#testing/identity';
import { ManualClock } from '#testing/kernel';
import { Deliveries, EndpointRuns, Endpoints, type EndpointFields, type WebhookCall } from '#webhooks';
import * as wiring from '#wiring';
import { newWorkspace } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { inEveryCrash } from '../support/lifeline.ts';
import { Product } from '../support/product.ts';
import { itInRounds } from '../support/rounds.ts';
import { suiteDatabase } from '../support/suite-database.ts';

const DAY = 86_400;

interface Received {
  readonly id: string;
  readonly number: number;
  readonly type: string;
  readonly subject: { readonly id: number };
}

const db = await suiteDatabase({ poolSize: 20 });

describe('an endpoint', () => {
  let clock: ManualClock;
  let product: Product;
  let owner: Actor;
  let calls: (Received & { readonly url: string })[];
  let respond: (event: Received, call: WebhookCall) => number | Promise<number>;
  beforeEach(async () => {
    clock = new ManualClock();
    [calls, respond] = [[], () => 204];
    owner = anActor({ ...(await newWorkspace(db.database)), role: 'owner' });
    product = withCalls(new Product(db, { clock }));
  });

  const withCalls = (of: Product): Product =>
    of
      .with(wiring.mayCallUrl, (url: string) => !url.includes('//private.'))
      .with(SignedWebhooks, {
        post: async (call: WebhookCall) => {
          const event = JSON.parse(call.body) as Received;
          expect(call.messageId).toBe(event.id);
          calls.push({ ...event, url: call.url });
          return respond(event, call);
        },
      });
  const endpoints = () => product.get(Endpoints);
  const added = (fields: Partial<EndpointFields> = {}, by = owner) =>
    endpoints().add(by, { url: 'https://a.example.com', types: null, description: null, isActive: true, ...fields });
  const publish = (of: Pick<Product, 'get'> = product) =>
    new EventPublisher({
      store: of.get(PostgresEvents),
      subjects: { read: ({ facts }) => Promise.resolve(facts) },
      consumers: [of.get(Deliveries)],
      unitOfWork: of.get(wiring.unitOfWork),
      report: (error) => {
        throw error;
      },
    }).run();
  /** Records and publishes an event for each subject. */
  const happened = async (...subjects: readonly number[]) => {
    for (const subjectId of subjects) await record('board.created', subjectId);
    await publish();
  };
  const record = (type: EventType, subjectId: number) =>
    product.get(PostgresEvents).record({ workspaceId: owner.workspaceId, type, subjectId, createdAt: clock.now() });
  const runs = () => product.jobs.announced.flatMap((job) => (job.name === 'webhook.endpoint' ? [job.payload] : []));
  const deliver = (run = runs().at(-1)!, by = product, signal = new AbortController().signal) =>
    by.get(EndpointRuns).run(run, { signal });
  const deliveries = async (endpointId: number) =>
    (await product.get(PostgresDeliveries).list(owner.workspaceId, { endpointId }, { limit: 100, after: null })).items;
  const states = async (endpointId: number) => (await deliveries(endpointId)).map(({ state }) => state);
  const subjects = () => calls.map(({ subject }) => subject.id);
  const postponed = (seconds: number) => ({ name: 'JobPostponed', seconds: expect.closeTo(seconds, 0) });

  it('gets the events of its types from then on, as they are listed', async () => {
    await happened(1);
    const { id } = await added({ types: ['board.created'] });
    const other = await added({ url: 'https://b.example.com', types: ['file.expired'] });
    await record('board.deleted', 2);
    await happened(2);
    await deliver();
    expect(calls).toMatchObject([
      { url: 'https://a.example.com', number: 3, type: 'board.created', subject: { type: 'board', id: 2 }, data: {} },
    ]);
    expect([await states(id), await states(other.id)]).toEqual([['delivered'], []]);
    expect(runs()).toHaveLength(1);
  });

  it('gets the events of a subject in their order, each when the one before has ended', async () => {
    const { id } = await added();
    await happened(7);
    await record('board.deleted', 7);
    await happened(7);
    respond = () => 500;
    await expect(deliver()).rejects.toMatchObject(postponed(5));
    clock.advance(4.9);
    await expect(deliver()).rejects.toMatchObject(postponed(0));
    expect(calls.map(({ number }) => number)).toEqual([1]);
    respond = () => 204;
    clock.advance(0.1);
    await deliver();
    expect(calls.map(({ number }) => number)).toEqual([1, 1, 2, 3]);
    expect(new Set(await states(id))).toEqual(new Set(['delivered']));
  });

  it('waits for a subject that fails, and not with the others', async () => {
    await added();
    respond = ({ subject }) => (subject.id === 1 ? 500 : 204);
    await happened(1, 2, 1, 3, 1, 2);
    await expect(deliver()).rejects.toMatchObject(postponed(5));
    expect(
      subjects()
        .filter((id) => id !== 1)
        .sort(),
    ).toEqual([2, 2, 3]);
    expect(subjects().filter((id) => id === 1)).toHaveLength(1);
  });

  it('gets what happens while it hangs with another subject', async () => {
    await added();
    let wake = (): void => undefined;
    respond = ({ subject }) => (subject.id === 1 ? new Promise((resolve) => (wake = () => resolve(204))) : 204);
    // The first response makes the host a known one.
    await happened(2);
    await deliver();
    await happened(1);
    const running = deliver();
    await eventually(() => subjects().includes(1));
    await happened(3);
    await eventually(() => subjects().includes(3));
    wake();
    await running;
    expect(runs()).toHaveLength(2);
  });

  it('that does not respond delays no other', async () => {
    const slow = await added({ url: 'https://slow.example.com' });
    const good = await added({ url: 'https://good.example.com' });
    respond = (_event, { url }) => {
      if (url.includes('good')) return 204;
      throw new SourceFailure('url_timeout', { retryable: true });
    };
    await happened(1, 2, 3);
    await Promise.allSettled(runs().map((run) => deliver(run)));
    await eventually(async () => {
      await Promise.allSettled(runs().map((run) => deliver(run)));
      return (await states(good.id)).every((state) => state === 'delivered');
    });
    expect(new Set(await states(slow.id))).toEqual(new Set(['pending']));
  });

  it('that is deleted with deliveries under way gets nothing more', async () => {
    const { id } = await added();
    respond = async () => {
      await endpoints().delete(owner, id);
      return 204;
    };
    await happened(1, 1);
    await deliver();
    expect([calls.length, await deliveries(id)]).toEqual([1, []]);
    await expect(endpoints().delete(owner, id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is disabled after three days of failures, tells the admins, and gets what has waited once it is active again', async () => {
    const { id } = await added();
    respond = () => 500;
    await happened(1);
    await expect(deliver()).rejects.toMatchObject({ name: 'JobPostponed' });
    clock.advance(3 * DAY - 1);
    await deliver().catch(() => undefined);
    const notices = () =>
      product.jobs.announced.flatMap((job) => (job.name === 'account.notice' ? [job.payload.notice] : []));
    expect(notices()).toEqual([]);
    clock.advance(31);
    await deliver().catch(() => undefined);
    expect(notices()).toEqual(['webhook_endpoint_disabled']);
    const failures = calls.length;
    await happened(2);
    await Promise.all(runs().map((run) => deliver(run)));
    expect(calls).toHaveLength(failures);
    await expect(endpoints().test(owner, id)).rejects.toMatchObject({ code: 'conflict' });
    respond = () => 204;
    await endpoints().update(owner, id, { isActive: true });
    clock.advance(DAY);
    await deliver();
    expect(subjects().slice(failures)).toEqual([1]);
  });

  it('gets events again, by their ids or by time, with the same ids', async () => {
    const { id } = await added({ types: ['board.created'] });
    const start = clock.now();
    await happened(1);
    clock.advance(60);
    await record('file.expired', 9);
    await happened(2);
    await deliver();
    const ids = calls.map((each) => each.id);
    const again = (range: Parameters<Endpoints['redeliver']>[2]) => endpoints().redeliver(owner, id, range);
    expect(await again({ ids: [ids[1]!, '00000000-0000-4000-8000-000000000000'] })).toBe(1);
    await deliver();
    expect(await again({ after: new Date(start.getTime() - 1), before: clock.now() })).toBe(2);
    await deliver();
    expect(await again({ after: start, before: clock.now() })).toBe(1);
    await deliver();
    expect(calls.slice(2).map((each) => each.id)).toEqual([ids[1], ids[0], ids[1], ids[1]]);
    await expect(again({ after: start, before: start })).rejects.toMatchObject({ code: 'validation_failed' });
  });

  it('gets a test, which no other one gets', async () => {
    const { id } = await added({ types: ['file.expired'] });
    await added({ url: 'https://b.example.com' });
    await endpoints().test(owner, id);
    await publish();
    await deliver();
    expect(calls).toMatchObject([{ url: 'https://a.example.com', type: 'test', subject: { id } }]);
  });

  it('is one of at most 20, and at a host that may be called', async () => {
    const url = 'https://private.example.com';
    await expect(added({ url })).rejects.toMatchObject({ fields: { url: expect.anything() } });
    const { id } = await added();
    await expect(endpoints().update(owner, id, { url })).rejects.toMatchObject({ code: 'validation_failed' });
    const others = await Promise.allSettled(Array.from({ length: 25 }, () => added()));
    expect(others.filter(({ status }) => status === 'fulfilled')).toHaveLength(19);
    await expect(added()).rejects.toMatchObject({ code: 'conflict' });
  });

  it('loses no event, and gets repeated ones with one id, at whichever call the worker is killed', async () => {
    const { id } = await added();
    let subject = 0;
    await inEveryCrash(
      async (lifeline) => {
        await happened(++subject, subject);
        const killed = withCalls(new Product(db, product));
        killed.mortal(lifeline, wiring.endpointStore, PostgresDeliveries, SignedWebhooks, wiring.unitOfWork);
        await deliver(runs().at(-1), killed);
      },
      async () => {
        // The job is delivered again: the run continues.
        await deliver();
        expect(new Set(await states(id))).toEqual(new Set(['delivered']));
        const numbers = calls.filter((call) => call.subject.id === subject).map(({ number }) => number);
        expect([...new Set(numbers)]).toEqual([2 * subject - 1, 2 * subject]);
        expect(numbers).toEqual([...numbers].sort((one, other) => one - other));
      },
    );
  });

  it('loses no event at whichever call the publisher is killed', async () => {
    const { id } = await added();
    let count = 0;
    await inEveryCrash(
      async (lifeline) => {
        await record('board.created', ++count);
        const killed = withCalls(new Product(db, product));
        killed.mortal(lifeline, PostgresEvents, wiring.endpointStore, wiring.jobs, wiring.unitOfWork);
        await publish(killed);
      },
      async () => {
        await publish();
        await deliver();
        expect(subjects()).toEqual(Array.from({ length: count }, (_, index) => index + 1));
      },
    );
    expect(new Set(await states(id))).toEqual(new Set(['delivered']));
  });

  itInRounds('misses nothing that is published while its run ends', async (round) => {
    const { id } = await added();
    await happened(round);
    const publishing = (async () => {
      for (let count = 0; count < 10; count++) await happened(round);
    })();
    const delivering = (async () => {
      while ((await states(id)).filter((state) => state === 'delivered').length < 11) {
        // The queue brings again what is postponed, as the limit of the host does with so many at once.
        for (const ended of await Promise.allSettled(runs().map((run) => deliver(run)))) {
          if (ended.status === 'rejected') expect(ended.reason).toBeInstanceOf(JobPostponed);
        }
      }
    })();
    await Promise.all([publishing, delivering]);
  });
});
