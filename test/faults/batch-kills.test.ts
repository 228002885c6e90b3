/** @tier deep, 60 s, about libs/batch */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { auditFindings } from '../support/audit.ts';
import { eventually } from '../support/eventually.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';
import { Chance } from './rig/chance.ts';
import { Client } from './rig/client.ts';
import { Stage } from './rig/stage.ts';

/** `CELLS=1000 BATCH_KILLS=50 npm run test:faults -- batch-kills` is the long run, 7 minutes on 2 cores. */
const CELLS = Number(process.env.CELLS ?? 60);
const KILLS = Number(process.env.BATCH_KILLS ?? 6);
/** Every so many kills, the API is killed instead of the worker. */
const API_EVERY = 5;
const COST = 4;
const PLANS = JSON.stringify({
  free: { monthly_credits: 1_000, teams: false },
  enterprise: { monthly_credits: 100_000, teams: true },
});

jest.setTimeout(1_800_000);

let stage: Stage;
let client: Client;
let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  stage = await Stage.open({ env: { FETCH_ALLOWED_HOSTS: receiver.host, PLANS } });
  client = new Client(stage.baseUrls, await stage.token());
}, 180_000);
afterAll(async () => {
  await stage.close();
  await receiver.close();
});

it('ends a batch once with exact credits, however often worker and API are killed', async () => {
  const before = (await client.body('GET', '/v2/credits')).credits.used as number;
  const matrix = { models: ['local-image'], parameters: { width: 64, height: 64 }, seeds_count: CELLS };
  const webhook = `${receiver.url}/batch`;
  const { batch } = await client.body('POST', '/v2/batches', { name: 'Kills', matrix, webhook });
  const read = async () => (await client.body('GET', `/v2/batches/${batch.id}?limit=1`)).batch;
  const chance = new Chance(1);
  for (let kills = 1; kills <= KILLS; kills++) {
    await sleep(700 + ((kills * 377) % 900));
    await stage.faults[kills % API_EVERY === 0 ? 'kill API' : 'kill worker'](chance);
    if (kills === Math.ceil(KILLS / 2)) {
      await client.body('POST', `/v2/batches/${batch.id}/pause`, {});
      await client.body('POST', `/v2/batches/${batch.id}/resume`, {});
    }
  }
  const ended = await eventually(async () => ((await read()).state === 'ended' ? read() : null), { everyMs: 500 });
  expect(ended.cells).toEqual({ total: CELLS, queued: 0, running: 0, succeeded: CELLS, failed: 0, canceled: 0 });
  expect([ended.used, (await client.body('GET', '/v2/credits')).credits.used - before]).toEqual([
    CELLS * COST,
    CELLS * COST,
  ]);
  const deliveries = async () => (await client.body('GET', `/v2/webhooks/deliveries?batch_id=${batch.id}`)).deliveries;
  await eventually(async () => (await deliveries())[0]?.state === 'delivered');
  expect(await deliveries()).toHaveLength(1);
  // A call whose result was not recorded is repeated, with the same id.
  expect(new Set(receiver.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(receiver.calls.map(({ body }) => JSON.parse(body).type)).toContain('batch.ended');
  expect(await auditFindings(stage.databaseUrl)).toEqual([]);
});
