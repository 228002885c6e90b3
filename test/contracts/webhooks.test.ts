/** @tier test */
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NO_CUSTOM_DATA } from '#kernel';
import { PostgresDeliveries } from '#adapters/postgres';
import { SignedWebhooks } from '#adapters/webhooks';
import { ProviderFailure } from '#generation';
import { SourceFailure } from '#sources';
import { ManualClock } from '#testing/kernel';
import { DeliveryRuns, SigningSecrets, type Delivery, type WebhookCalls } from '#webhooks';
import { eventually } from '../support/eventually.ts';
import { aCall, GenerationStage } from '../support/generation-store.ts';
import { Product } from '../support/product.ts';
import { rounds } from '../support/rounds.ts';
import { signaturesOf, startWebhookReceiver } from '../support/webhook-receiver.ts';

const DAY = 86_400;

const clock = new ManualClock();
const stage = await GenerationStage.open({ clock });
const receiver = await startWebhookReceiver();
const product = new Product(stage.db, { clock });
const store = product.get(PostgresDeliveries);
const secrets = product.get(SigningSecrets);
const runsBy = (calls: WebhookCalls) => new Product(stage.db, { clock }).with(SignedWebhooks, calls).get(DeliveryRuns);
const runsWithin = (timeoutSeconds: number) =>
  runsBy(new SignedWebhooks({ allowedHosts: [receiver.host], timeoutSeconds }));
const runs = runsWithin(60);
afterAll(async () => {
  await receiver.close();
  await stage.close();
});
beforeEach(() => stage.enter());
afterEach(() => {
  receiver.calls.length = 0;
  receiver.reply();
});

const webhook = () => `${receiver.url}/hook?customer=7&sign=a%20b`;
const jobs = () => stage.recorded.announced.flatMap((job) => (job.name === 'webhook.deliver' ? [job] : []));
const deliveries = async (of: Parameters<PostgresDeliveries['list']>[1] = {}) => {
  await stage.publish();
  return (await store.list(stage.actor.workspaceId, of, { limit: 50, after: null })).items;
};
const deliver = (job = jobs().at(-1)!, signal = new AbortController().signal, by = runs) =>
  by.run(job.payload, { attempt: 1, workspaceId: job.workspaceId, signal });
/** Ends a generation, and returns its delivery. */
async function ended(url = webhook()): Promise<Delivery> {
  const id = await stage.accepted({ webhook: url });
  await stage.run(id);
  return (await deliveries({ generationId: id }))[0]!;
}
const postponed = (seconds: number) => ({ name: 'JobPostponed', seconds: expect.closeTo(seconds, 0) });

describe('the webhook of a generation', () => {
  it('is called once with what /v2/results says, signed, its query kept, and is delivered then', async () => {
    const { id, generationId } = await ended();
    expect(jobs()).toMatchObject([{ payload: { deliveryId: id, revision: 1 }, workspaceId: stage.actor.workspaceId }]);
    await deliver();
    const [call] = receiver.calls;
    expect(call).toMatchObject({ method: 'POST', path: '/hook?customer=7&sign=a%20b' });
    const { outputs, finishedAt, startedAt } = await stage.view(generationId!);
    expect(JSON.parse(call!.body)).toEqual({
      type: 'generation.succeeded',
      timestamp: finishedAt!.toISOString(),
      data: {
        generation_id: generationId,
        ...NO_CUSTOM_DATA,
        status: true,
        processing: false,
        processing_url: `gen_${generationId}`,
        progress: { state: 'succeeded', percent: 100, started_at: startedAt!.toISOString() },
        output: stage.urls.plainUrlOf(outputs[0]!.key),
      },
    });
    expect(call!.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': expect.stringMatching(/^[\da-f-]{36}$/),
      'webhook-timestamp': String(Math.floor(clock.now().getTime() / 1_000)),
      'webhook-signature': signaturesOf(call!, [await secrets.current(stage.actor.workspaceId)]),
    });
    const attempt = { at: clock.now(), status: 204, error: null, durationMs: expect.any(Number) };
    expect(await deliveries()).toMatchObject([{ state: 'delivered', attempts: [attempt], nextAttemptAt: null }]);
    await deliver();
    expect(receiver.calls).toHaveLength(1);
  });

  it('is called for a failed and for a canceled one too, and for none without a webhook', async () => {
    const failing = await stage.accepted({ webhook: webhook() });
    await stage.generations.fail(failing, new ProviderFailure('invalid_input', 'the prompt is too long'));
    const canceled = await stage.accepted({ webhook: webhook() });
    await stage.generations.cancel(stage.actor, canceled);
    const silent = await stage.accepted();
    await stage.run(silent);
    await stage.publish();
    expect(jobs()).toHaveLength(2);
    for (const job of jobs()) await deliver(job);
    const bodies = receiver.calls.map(({ body }) => JSON.parse(body) as { type: string; data: object });
    expect(bodies).toMatchObject([
      { type: 'generation.failed', data: { generation_id: failing, error: 'the prompt is too long' } },
      { type: 'generation.canceled', data: { generation_id: canceled, error: 'the generation was canceled' } },
    ]);
  });

  it('is called again with the same id until it responds with 2xx', async () => {
    await ended();
    receiver.reply(500, 302, 200);
    await expect(deliver()).rejects.toMatchObject(postponed(5));
    await expect(deliver()).rejects.toMatchObject(postponed(5));
    clock.advance(5);
    await expect(deliver()).rejects.toMatchObject(postponed(30));
    clock.advance(30);
    await deliver();
    const [delivery] = await deliveries();
    expect(delivery).toMatchObject({ state: 'delivered', tries: 3 });
    expect(delivery!.attempts).toMatchObject([
      { status: 500, error: 'status_not_2xx' },
      { status: 302, error: 'redirect_not_followed' },
      { status: 200, error: null },
    ]);
    expect(new Set(receiver.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(receiver.calls.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(3);
  });

  it('is not called where a redirect leads', async () => {
    await ended();
    receiver.reply((response) => response.writeHead(307, { location: `${receiver.url}/elsewhere` }).end());
    await expect(deliver()).rejects.toMatchObject(postponed(5));
    expect(receiver.calls.map(({ path }) => path)).toEqual(['/hook?customer=7&sign=a%20b']);
  });

  it.each<[string, () => string, string]>([
    ['hangs', webhook, 'url_timeout'],
    ['is at a private address', () => 'http://127.0.0.1:80/hook', 'url_blocked'],
    ['is at no address of the web', () => 'ftp://127.0.0.1/hook', 'url_blocked'],
  ])('is tried later when it %s', async (what, url, error) => {
    await ended(url());
    receiver.reply(() => undefined);
    await expect(deliver(undefined, undefined, runsWithin(0.5))).rejects.toMatchObject(postponed(5));
    expect(await deliveries()).toMatchObject([{ state: 'pending', attempts: [{ status: null, error }] }]);
    expect(receiver.calls).toHaveLength(what === 'hangs' ? 1 : 0);
  });

  it('is waited for half as long each time that its host does not respond, and as long as at first once it has', async () => {
    const waited: number[] = [];
    const byPatience = runsBy({
      post: async ({ timeoutSeconds }) => {
        waited.push(timeoutSeconds);
        if (waited.length === 3) return 500;
        throw new SourceFailure('url_timeout', { retryable: true });
      },
    });
    await ended();
    for (const seconds of [5, 30, 120, 600]) {
      await expect(deliver(undefined, undefined, byPatience)).rejects.toMatchObject({ name: 'JobPostponed' });
      clock.advance(seconds);
    }
    expect(waited).toEqual([15, 7.5, 3.75, 15]);
  });

  it('that hangs is ended when its patience is', async () => {
    const calls = new SignedWebhooks({ allowedHosts: [receiver.host], timeoutSeconds: 3_600 });
    receiver.reply(() => undefined);
    const call = { url: webhook(), messageId: 'msg_1', at: clock.now(), body: '{}', secrets: [], timeoutSeconds: 0.2 };
    await expect(calls.post(call, new AbortController().signal)).rejects.toMatchObject({ code: 'url_timeout' });
  });

  it("ignores the rest of the receiver's response", async () => {
    await ended();
    receiver.reply((response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      for (let part = 0; part < 64; part++) response.write(Buffer.alloc(65_536));
    });
    await deliver();
    expect(await deliveries()).toMatchObject([{ state: 'delivered' }]);
  });

  it('is called again, with the same id, when the worker died before it was recorded', async () => {
    await ended();
    const stopping = new AbortController();
    receiver.reply((response) => {
      stopping.abort(new Error('stopping'));
      response.writeHead(200).end();
    });
    await expect(deliver(undefined, stopping.signal)).rejects.toThrow('stopping');
    expect(await deliveries()).toMatchObject([{ state: 'pending', attempts: [], tries: 0 }]);
    await deliver();
    const ids = receiver.calls.map(({ headers }) => headers['webhook-id']);
    expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
  });

  it('fails with its job, which is tried no more', async () => {
    await ended();
    await runs.fail(jobs()[0]!.payload);
    expect(await deliveries()).toMatchObject([{ state: 'failed', attempts: [{ error: 'internal_error' }] }]);
    await runs.fail(jobs()[0]!.payload);
    expect((await deliveries())[0]!.attempts).toHaveLength(1);
  });

  it('is scheduled with the end of the generation, or not at all', async () => {
    const id = await stage.accepted({ webhook: webhook() });
    const failure = stage.unitOfWork.run(async () => {
      await stage.generations.cancel(stage.actor, id);
      throw new Error('the commit failed');
    });
    await expect(failure).rejects.toThrow('the commit failed');
    expect(await deliveries({ generationId: id })).toEqual([]);
    expect(await stage.view(id)).toMatchObject({ state: 'queued' });
  });
});

describe('a redelivery', () => {
  it('calls again with the same id, by the whole schedule, whether it was delivered or not', async () => {
    const { id } = await ended();
    await deliver();
    const again = await stage.deliveries.redeliver(stage.actor, id);
    expect(again).toMatchObject({ state: 'pending', tries: 0, revision: 2, nextAttemptAt: clock.now() });
    receiver.reply(500);
    await expect(deliver()).rejects.toMatchObject(postponed(5));
    clock.advance(5);
    await deliver();
    const statuses = (await deliveries())[0]!.attempts.map(({ status }) => status);
    expect(statuses).toEqual([204, 500, 204]);
    expect(new Set(receiver.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('takes the place of the schedule that still runs', async () => {
    const { id } = await ended();
    receiver.reply(500);
    await expect(deliver()).rejects.toMatchObject(postponed(5));
    const [old] = jobs();
    await stage.deliveries.redeliver(stage.actor, id);
    clock.advance(5);
    await deliver(old);
    expect(receiver.calls).toHaveLength(1);
    await deliver();
    expect(await deliveries()).toMatchObject([{ state: 'delivered' }]);
  });

  it('is not undone by a call that had begun before', async () => {
    const { id } = await ended();
    let respond = (): void => undefined;
    receiver.reply((response) => (respond = () => response.writeHead(500).end()));
    const underWay = deliver();
    await eventually(() => receiver.calls.length === 1);
    await stage.deliveries.redeliver(stage.actor, id);
    respond();
    await underWay;
    expect(await deliveries()).toMatchObject([{ state: 'pending', revision: 2, tries: 0, attempts: [] }]);
  });

  it('is refused for a delivery that is unknown or of another workspace', async () => {
    const { id } = await ended();
    await stage.enter();
    for (const each of [id, 987_654_321]) {
      await expect(stage.deliveries.redeliver(stage.actor, each)).rejects.toMatchObject({ code: 'not_found' });
      expect(await store.exists(stage.actor.workspaceId, each)).toBe(false);
    }
    expect(jobs()).toEqual([]);
  });
});

describe('the secret of webhooks', () => {
  const signature = async () => {
    await ended();
    await deliver();
    const call = receiver.calls.at(-1)!;
    return { call, signature: call.headers['webhook-signature'] };
  };

  it("is made at its first use, once however many need it, and is each workspace's own", async () => {
    const all = new Set<string>();
    for (let round = 0; round < rounds(); round++) {
      await stage.enter();
      const { workspaceId } = stage.actor;
      const made = await Promise.all(Array.from({ length: 8 }, () => secrets.current(workspaceId)));
      expect(new Set([...made, await secrets.current(workspaceId)]).size).toBe(1);
      all.add(made[0]!);
    }
    expect(all.size).toBe(rounds());
  });

  it('signs together with the previous secret for 24 hours after a rotation, then alone', async () => {
    const { workspaceId } = stage.actor;
    const old = await secrets.current(workspaceId);
    const next = await secrets.rotate(workspaceId);
    expect(next).not.toBe(old);
    const soon = await signature();
    expect(soon.signature).toBe(signaturesOf(soon.call, [next, old]));
    clock.advance(DAY);
    const later = await signature();
    expect(later.signature).toBe(signaturesOf(later.call, [next]));
  });

  it('can be rotated before its first use', async () => {
    const { workspaceId } = stage.actor;
    const secret = await secrets.rotate(workspaceId);
    expect(await secrets.current(workspaceId)).toBe(secret);
    const { call, signature: found } = await signature();
    expect(found).toBe(signaturesOf(call, [secret]));
  });
});

describe('the webhook of a batch', () => {
  it('is called with what the batch is then', async () => {
    const { workspaceId } = stage.actor;
    const { id } = await stage.batches.create(stage.actor, {
      name: 'Foxes',
      webhook: webhook(),
      ...NO_CUSTOM_DATA,
      content: { rows: [{}, {}] },
      dryRun: false,
      toCall: () => aCall({ personaId: stage.personaId }),
    });
    const { items } = await stage.batchViews.cells(workspaceId, id!, { limit: 2, after: null }, null);
    for (const { generation } of items) await stage.run(generation.id);
    expect(await deliveries({ batchId: id! })).toMatchObject([{ batchId: id, generationId: null }]);
    await deliver();
    const [{ body, headers }] = receiver.calls as [(typeof receiver.calls)[number]];
    expect(JSON.parse(body)).toEqual({
      type: 'batch.ended',
      timestamp: clock.now().toISOString(),
      data: {
        batch_id: id,
        status: true,
        name: 'Foxes',
        ...NO_CUSTOM_DATA,
        state: 'ended',
        cells: { total: 2, queued: 0, running: 0, succeeded: 2, failed: 0, canceled: 0 },
        cost: 8,
        used: 8,
        created_at: clock.now().toISOString(),
        ended_at: clock.now().toISOString(),
      },
    });
    expect(headers['webhook-id']).toMatch(/^[\da-f-]{36}$/);
    expect(await deliveries({ batchId: id! })).toMatchObject([{ state: 'delivered' }]);
  });
});

describe('the list of deliveries', () => {
  it('lists the deliveries of the workspace or of one generation, newest first, in pages', async () => {
    await ended();
    await stage.enter();
    const [first, second, third] = [await ended(), await ended(), await ended()];
    expect(await deliveries()).toEqual([third, second, first]);
    expect(await deliveries({ generationId: second!.generationId! })).toEqual([second]);
    const page = (after: number | null) => store.list(stage.actor.workspaceId, {}, { limit: 2, after });
    expect(await page(null)).toEqual({ items: [third, second], next: second!.id });
    expect(await page(second!.id)).toEqual({ items: [first], next: null });
  });
});
