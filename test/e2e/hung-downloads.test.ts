/** @tier deep, 12 s, about libs/adapters/providers libs/adapters/outgoing-http */
import { expect } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { itHere, type TestUser } from '../support/service.ts';
import { startFakeFal } from '../support/vendors/fal.ts';
import { startFakeReplicate } from '../support/vendors/replicate.ts';
import { untilFileEnds, useFile, useService } from '../support/use-service.ts';

const MODELS = [
  { id: 'fal', target: 'fal-ai/flux/schnell' },
  { id: 'replicate', target: 'black-forest-labs/flux-schnell' },
];

const models = MODELS.map((model) => ({
  ...{ kind: 'image', provider: model.id, cost: 1, time_limit: 60, mapping: { prompt: '{prompt}' } },
  ...model,
}));
const [fal, replicate] = [untilFileEnds(await startFakeFal()), untilFileEnds(await startFakeReplicate())];
const service = useService({
  MODELS_FILE: useFile('models.json', JSON.stringify({ models })),
  ...{ FAL_KEY: 'id:secret', FAL_BASE_URL: fal.url },
  ...{ REPLICATE_API_TOKEN: 'r8_test', REPLICATE_BASE_URL: replicate.url },
});

async function generate({ token }: TestUser, model: string): Promise<number> {
  const { status, body } = await service.call('POST', '/v2/generate', { token, form: { model, prompt: 'a fox' } });
  expect(status).toBe(202);
  return Number(String(body.processing_url).replace('gen_', ''));
}

const statesOf = ({ token }: TestUser, ids: readonly number[]) =>
  Promise.all(ids.map(async (id) => (await service.call('GET', `/v2/generations/${id}`, { token })).body.state));

itHere('downloads of one workspace that hang delay no other workspace, at the same vendor or another', async () => {
  const [first, second] = [await service.signUp(), await service.signUp()];
  fal.plan(Array.from({ length: 8 }, () => 'hangs_output'));
  const hanging: number[] = [];
  for (let calls = 0; calls < 8; calls++) hanging.push(await generate(first, 'fal'));
  await eventually(() => fal.hungDownloads >= 4);
  const others = await Promise.all(MODELS.map(({ id }) => generate(second, id)));
  await eventually(async () => (await statesOf(second, others)).every((state) => state === 'succeeded'));
  // They have ended before any that hangs.
  expect(await statesOf(first, hanging)).toEqual(hanging.map(() => 'running'));
});
