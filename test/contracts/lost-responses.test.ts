import { afterEach, describe, expect, it } from '@jest/globals';
import { createRemoteProvider } from '#adapters/providers';
import { PostgresAudit } from '#adapters/postgres';
import type { Model } from '#generation';
import { aModel } from '#testing/generation';
import { RemoteStage } from '../support/remote-stage.ts';
import { startFakeComfyUi } from '../support/vendors/comfyui.ts';
import type { FakeVendor, VendorBehaviour } from '../support/vendors/fake-vendor.ts';
import { startFakeFal } from '../support/vendors/fal.ts';
import { startFakeOpenAi } from '../support/vendors/openai.ts';
import { startFakeReplicate } from '../support/vendors/replicate.ts';

const SEED = { seed: { type: 'integer' } } as const;
const MAPPING = { prompt: '{prompt}', seed: '{seed}' };
const WORKFLOW = {
  '3': { class_type: 'KSampler', inputs: { seed: 1 } },
  '9': { class_type: 'SaveImage', inputs: { images: ['3', 0], filename_prefix: 'made' } },
};

interface Vendor {
  readonly start: (options: { workMs: number }) => Promise<FakeVendor>;
  readonly model: Model;
  /** Whether it can tell whose a job is when a caller chose the seed. */
  readonly tells: boolean;
}

const VENDORS: Record<string, Vendor> = {
  replicate: {
    start: startFakeReplicate,
    model: aModel({ target: 'black-forest-labs/flux-schnell', parameters: SEED, mapping: MAPPING }),
    tells: true,
  },
  fal: {
    start: startFakeFal,
    model: aModel({ target: 'fal-ai/flux/dev', parameters: SEED, mapping: MAPPING }),
    tells: false,
  },
  openai: {
    start: startFakeOpenAi,
    model: aModel({ target: 'gpt-image-2', parameters: SEED, mapping: { prompt: '{prompt}' } }),
    tells: false,
  },
  comfyui: {
    start: startFakeComfyUi,
    model: aModel({ workflow: WORKFLOW, parameters: SEED, mapping: { '3.inputs.seed': '{seed}' } }),
    tells: true,
  },
};

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function open(type: string, { start, model }: Vendor) {
  const fake = await start({ workMs: 0 });
  closing.push(() => fake.close());
  const settings = { id: type, type, baseUrl: fake.url, key: 'id:s', maxConcurrent: 4, submissionsPerMinute: null };
  const remote = await createRemoteProvider(settings, { allowedHosts: [], maxOutputBytes: 1_000_000 });
  const stage = await RemoteStage.open(remote, model);
  closing.push(() => stage.close());
  return { fake, stage };
}

it.each(['replicate', 'fal', 'comfyui'])(
  '%s runs a job once if it accepts it despite responding 429 or 503',
  async (type) => {
    const { fake, stage } = await open(type, VENDORS[type]!);
    fake.plan(['busy_but_starts', 'down_but_starts']);
    await stage.generations.enter();
    for (const started of [1, 2]) {
      const id = await stage.accepted({ prompt: 'a fox' });
      await stage.settle(id);
      expect((await stage.generations.view(id)).state).toBe('succeeded');
      expect([fake.posts, fake.submissions.length]).toEqual([started, started]);
    }
  },
);

describe.each(Object.entries(VENDORS))('two workspaces send %s the same call', (type, vendor) => {
  const { tells } = vendor;

  it.each<[VendorBehaviour, string]>([
    ['drops_before', 'was never started'],
    ['drops_after', 'was started'],
  ])('and get a job each: a response is lost (%s) of what %s', async (behaviour) => {
    const { fake, stage } = await open(type, vendor);
    const call = { prompt: '', fields: { seed: 42 } };

    await stage.generations.enter();
    const first = await stage.accepted(call);
    await stage.settle(first);
    expect((await stage.generations.view(first)).state).toBe('succeeded');

    fake.plan([behaviour]);
    await stage.generations.enter();
    const second = await stage.accepted(call);
    await stage.settle(second);
    const { state, error } = await stage.generations.view(second);
    expect(error?.code ?? state).toBe(tells ? 'succeeded' : 'provider_outcome_unknown');
    expect(await stage.ledgerOf(second)).toEqual(['reserve', tells ? 'settle' : 'release']);
    const started = behaviour === 'drops_before' && !tells ? 1 : 2;
    expect(fake.submissions.map(({ isCanceled }) => isCanceled)).toEqual(Array(started).fill(false));
    const { db } = stage.generations;
    const handles = await db.query<{ id: string }>(
      `select handle ->> 'id' as id from submissions where handle notnull`,
    );
    expect(new Set(handles.map(({ id }) => id)).size).toBe(handles.length);
    expect(await new PostgresAudit(db.database).findings()).toEqual([]);
  });
});
