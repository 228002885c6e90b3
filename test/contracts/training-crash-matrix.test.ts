import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createRemoteProvider } from '#adapters/providers';
import { PostgresAudit } from '#adapters/postgres';
import type { JsonObject, Model } from '#generation';
import { aTrainer } from '#testing/generation';
import { dieEverywhere } from '../support/die-everywhere.ts';
import { RemoteStage } from '../support/remote-stage.ts';
import { startFakeComfyUi } from '../support/vendors/comfyui.ts';
import type { FakeVendor } from '../support/vendors/fake-vendor.ts';
import { startFakeFal } from '../support/vendors/fal.ts';
import { startFakeReplicate } from '../support/vendors/replicate.ts';

interface Vendor {
  readonly type: string;
  readonly start: (options: { workMs: number }) => Promise<FakeVendor>;
  readonly trainer: Model;
  /** What it can tell of a POST without a response: of all, of what it has started to run, or nothing. */
  readonly tells: 'all' | 'started' | 'nothing';
}

const workflow = JSON.parse(
  await readFile(join(import.meta.dirname, '../../docs/comfyui/train-style.json'), 'utf8'),
) as JsonObject;

const VENDORS: Record<string, Vendor> = {
  fal: {
    type: 'fal',
    start: startFakeFal,
    trainer: aTrainer({
      target: 'fal-ai/flux-lora-fast-training',
      mapping: { images_data_url: '{pictures}', trigger_word: '{trigger}' },
      result: { weights: 'diffusers_lora_file.url' },
    }),
    tells: 'started',
  },
  'Recraft through fal': {
    type: 'fal',
    start: startFakeFal,
    trainer: aTrainer({
      target: 'fal-ai/recraft/v3/create-style',
      mapping: { images_data_url: '{pictures}' },
      result: { reference: 'style_id' },
    }),
    tells: 'nothing',
  },
  Replicate: {
    type: 'replicate',
    start: startFakeReplicate,
    trainer: aTrainer({
      target: `ostris/flux-dev-lora-trainer:${'a'.repeat(64)}`,
      mapping: { destination: 'acme/styles', input_images: '{pictures}', trigger_word: '{trigger}' },
      result: { weights: 'output.weights' },
    }),
    tells: 'all',
  },
  ComfyUI: {
    type: 'comfyui',
    start: startFakeComfyUi,
    trainer: aTrainer({
      workflow,
      mapping: {
        '10.inputs.folder': '{pictures}',
        '14.inputs.prefix': 'loras/{trigger}',
        '15.inputs.value': '{trigger}_00001_.safetensors',
      },
      result: { reference: '16.text.0' },
    }),
    tells: 'all',
  },
};

describe.each(Object.entries(VENDORS))('trainings at %s, whenever a worker dies', (_, vendor) => {
  const { type, trainer, tells } = vendor;
  let fake: FakeVendor;
  let stage: RemoteStage;
  beforeAll(async () => {
    fake = await vendor.start({ workMs: 0 });
    const settings = {
      id: type,
      type,
      baseUrl: fake.url,
      key: 'id:secret',
      maxConcurrent: 16,
      submissionsPerMinute: null,
    };
    const remote = await createRemoteProvider(settings, { allowedHosts: [], maxOutputBytes: 1_000_000 });
    stage = await RemoteStage.open(remote, trainer);
    await stage.generations.enter();
    for (const slot of [1, 2, 3]) await stage.generations.fill(slot, await stage.generations.newFile());
  });
  afterAll(async () => {
    await stage.close();
    await fake.close();
  });
  afterEach(async () => {
    const findings = await new PostgresAudit(stage.generations.db.database).findings();
    expect(findings.filter(({ rule }) => rule !== 'output file without a generation')).toEqual([]);
  });

  async function train(): Promise<number> {
    const { actor, personaId, styles } = stage.generations;
    const call = { personaId, model: trainer.id, name: null, pictures: null, webhook: null };
    return (await styles.train(actor, { ...call, fields: {}, dryRun: false })).accepted.id!;
  }

  /** The state of the style that the generation trains, and the bytes of its file. */
  async function styleOf(generationId: number): Promise<{ state: string; bytes: Buffer | null }> {
    const { db, files } = stage.generations;
    const row = await db.one<{ key: string | null; state: string }>(
      `select file.key, generation.state from styles style
       join generations generation on generation.style_id = style.id
       left join files file on file.id = style.file_id where generation.id = $1`,
      [generationId],
    );
    const { key, state } = row!;
    if (key !== null) expect(key).toMatch(/^weights\//);
    return { state, bytes: key === null ? null : await files.read(key, 1e6) };
  }

  it('are submitted, stored privately and charged once, or known to be unknown', async () => {
    fake.plan([], 'works');
    const deaths = await dieEverywhere(
      stage,
      fake,
      async (life) => {
        const id = await train();
        await stage.settle(id, life);
        return id;
      },
      async (id, where, { posts, started }) => {
        const { state, bytes } = await styleOf(id);
        expect([where, fake.posts - posts <= 1]).toEqual([where, true]);
        expect([where, (await stage.submissionOf(id))?.state]).toEqual([where, 'closed']);
        if (state === 'succeeded') {
          expect([where, fake.submissions.length - started, bytes!.length > 0]).toEqual([where, 1, true]);
          expect([where, await stage.ledgerOf(id)]).toEqual([where, ['reserve', 'settle']]);
        } else {
          const { error } = await stage.generations.view(id);
          expect([where, error?.code, bytes]).toEqual([where, 'provider_outcome_unknown', null]);
          expect([where, tells]).not.toEqual([where, 'all']);
          if (tells === 'started') expect([where, fake.submissions.length]).toEqual([where, started]);
          expect([where, await stage.ledgerOf(id)]).toEqual([where, ['reserve', 'release']]);
        }
      },
    );
    expect(deaths).toEqual(expect.arrayContaining(['before provider.submit', 'after provider.submit']));
  }, 120_000);

  it('that are canceled are canceled at the vendor, and nothing is charged', async () => {
    fake.plan([], 'never_ends');
    await dieEverywhere(
      stage,
      fake,
      async (life) => {
        const id = await train();
        for (let steps = 0; steps < 2; steps++) await stage.step(id);
        const { actor, generations } = stage.generations;
        await stage
          .program(life)
          .generations.cancel(actor, id)
          .catch(() => undefined);
        if (life.end === null) await stage.settle(id, life);
        await generations.cancel(actor, id);
        return id;
      },
      async (id, where, { started }) => {
        expect([where, (await styleOf(id)).state]).toEqual([where, 'canceled']);
        expect([where, await stage.ledgerOf(id)]).toEqual([where, ['reserve', 'release']]);
        const theirs = fake.submissions.slice(started);
        expect([where, theirs.map(({ isCanceled }) => isCanceled)]).toEqual([where, [true]]);
      },
    );
  }, 120_000);
});
