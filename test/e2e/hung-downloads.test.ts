import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { itHere, startService, type TestService, type TestUser } from '../support/service.ts';
import { startFakeFal, type FakeFal } from '../support/vendors/fal.ts';
import { startFakeReplicate, type FakeReplicate } from '../support/vendors/replicate.ts';

const MODELS = [
  { id: 'fal', target: 'fal-ai/flux/schnell' },
  { id: 'replicate', target: 'black-forest-labs/flux-schnell' },
];

let folder: string;
let fal: FakeFal;
let replicate: FakeReplicate;
let service: TestService;
beforeAll(async () => {
  [fal, replicate] = await Promise.all([startFakeFal(), startFakeReplicate()]);
  folder = await mkdtemp(join(tmpdir(), 'x12-downloads-'));
  const file = join(folder, 'models.json');
  const models = MODELS.map((model) => ({
    ...{ kind: 'image', provider: model.id, cost: 1, time_limit: 60, mapping: { prompt: '{prompt}' } },
    ...model,
  }));
  await writeFile(file, JSON.stringify({ models }));
  service = await startService({
    MODELS_FILE: file,
    FAL_KEY: 'id:secret',
    FAL_BASE_URL: fal.url,
    REPLICATE_API_TOKEN: 'r8_test',
    REPLICATE_BASE_URL: replicate.url,
  });
}, 60_000);
afterAll(async () => {
  await service?.stop();
  await Promise.all([fal, replicate].map((fake) => fake.close()));
  await rm(folder, { recursive: true });
});

async function generate({ token }: TestUser, model: string): Promise<number> {
  const { status, body } = await service.call('POST', '/v2/generate', { token, form: { model, prompt: 'a fox' } });
  expect(status).toBe(202);
  return Number(String(body.processing_url).replace('gen_', ''));
}

/** Seconds until one generation of each model has succeeded. */
async function secondsOf(user: TestUser): Promise<number> {
  const start = Date.now();
  const ids = await Promise.all(MODELS.map(({ id }) => generate(user, id)));
  const isDone = async (id: number) => {
    const { body } = await service.call('GET', `/v2/generations/${id}`, { token: user.token });
    return body.state === 'succeeded';
  };
  await eventually(async () => (await Promise.all(ids.map(isDone))).every(Boolean));
  return (Date.now() - start) / 1000;
}

itHere(
  'downloads of one workspace that hang delay no other workspace, at the same vendor or another',
  async () => {
    const [first, second] = [await service.signUp(), await service.signUp()];
    const alone = await secondsOf(second);
    fal.plan(Array.from({ length: 8 }, () => 'hangs_output'));
    for (let calls = 0; calls < 8; calls++) await generate(first, 'fal');
    await eventually(() => fal.hungDownloads >= 4);
    await sleep(500);
    expect(await secondsOf(second)).toBeLessThan(alone + 10);
  },
  60_000,
);
