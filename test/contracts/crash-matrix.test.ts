import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createRemoteProvider } from '#adapters/providers';
import { PostgresAudit } from '#adapters/postgres';
import type { Model, RemoteProvider } from '#generation';
import { aModel, modelInputs } from '#testing/generation';
import { dieEverywhere as dying, type ExpectEnd, type Work } from '../support/die-everywhere.ts';
import { REMOTE_MODEL, RemoteStage, ScriptedVendor } from '../support/remote-stage.ts';
import { startFakeComfyUi } from '../support/vendors/comfyui.ts';
import type { FakeVendor } from '../support/vendors/fake-vendor.ts';
import { startFakeFal } from '../support/vendors/fal.ts';
import { startFakeOpenAi } from '../support/vendors/openai.ts';
import { startFakeReplicate } from '../support/vendors/replicate.ts';

/** Counts at the vendor, and what it can do. */
interface Vendor {
  readonly remote: RemoteProvider;
  readonly model: Model;
  readonly fake: Pick<FakeVendor, 'plan' | 'close'> & {
    readonly posts: number;
    readonly submissions: readonly { readonly id?: string; readonly isCanceled: boolean }[];
  };
  /** The bytes that a submission has made; absent where they are all the same. */
  readonly madeBy?: (id: string) => Promise<Buffer>;
  /** What it can tell of a POST without a response: of all, of what it has started to run, or nothing. */
  readonly tells: 'all' | 'started' | 'nothing';
  /** Whether that holds for a seed that the caller chose. */
  readonly tellsOfChosenSeeds: boolean;
  readonly canCancel: boolean;
}

const inputs = modelInputs({ image: 'optional' });
const SEED = { seed: { type: 'integer' } } as const;

async function providerOf(type: string, { url }: FakeVendor): Promise<RemoteProvider> {
  const settings = { id: type, type, baseUrl: url, key: 'id:secret', maxConcurrent: 16, submissionsPerMinute: null };
  return createRemoteProvider(settings, { allowedHosts: [], maxOutputBytes: 1_000_000 });
}

interface WithOutputs {
  readonly submissions: readonly { readonly id: string; readonly outputs: readonly { readonly bytes: Buffer }[] }[];
}

function firstOutputAt(fake: WithOutputs): (id: string) => Promise<Buffer> {
  return async (wanted) => fake.submissions.find(({ id }) => id === wanted)!.outputs[0]!.bytes;
}

const VENDORS: Record<string, () => Promise<Vendor>> = {
  'a vendor that can tell': async () => scripted('all'),
  'a vendor that can not tell': async () => scripted('nothing'),
  Replicate: async () => {
    const fake = await startFakeReplicate({ workMs: 0 });
    const mapping = { prompt: '{prompt}', seed: '{seed}', image: '{image}' };
    const model = aModel({ target: 'black-forest-labs/flux-schnell', inputs, parameters: SEED, mapping });
    const remote = await providerOf('replicate', fake);
    return {
      fake,
      model,
      remote,
      madeBy: firstOutputAt(fake),
      tells: 'all',
      tellsOfChosenSeeds: true,
      canCancel: true,
    };
  },
  fal: async () => {
    const fake = await startFakeFal({ workMs: 0 });
    const model = aModel({
      target: 'fal-ai/flux/dev',
      inputs,
      parameters: SEED,
      mapping: { prompt: '{prompt}', seed: '{seed}', image_url: '{image}' },
    });
    const remote = await providerOf('fal', fake);
    const tells = { tells: 'started', tellsOfChosenSeeds: false } as const;
    return { fake, model, remote, madeBy: firstOutputAt(fake), ...tells, canCancel: true };
  },
  'an OpenAI-compatible vendor': async () => {
    const fake = await startFakeOpenAi({ workMs: 0 });
    const mapping = { prompt: '{prompt}', image: '{image}' };
    const model = aModel({ target: 'gpt-image-1', inputs, parameters: SEED, mapping });
    const remote = await providerOf('openai', fake);
    const tells = { tells: 'nothing', tellsOfChosenSeeds: false } as const;
    return { fake, model, remote, madeBy: firstOutputAt(fake), ...tells, canCancel: false };
  },
  ComfyUI: async () => {
    const fake = await startFakeComfyUi({ workMs: 0 });
    const workflow = {
      '1': { class_type: 'LoadImage', inputs: { image: '' } },
      '3': { class_type: 'KSampler', inputs: { seed: 1, latent_image: ['1', 0] } },
      '9': { class_type: 'SaveImage', inputs: { images: ['3', 0], filename_prefix: 'made' } },
    };
    const mapping = { '3.inputs.seed': '{seed}', '1.inputs.image': '{image}' };
    const model = aModel({ workflow, inputs, parameters: SEED, mapping });
    const remote = await providerOf('comfyui', fake);
    const madeBy = (id: string) => fake.pictureOf(id);
    return { fake, model, remote, madeBy, tells: 'all', tellsOfChosenSeeds: true, canCancel: true };
  },
};

function scripted(tells: 'all' | 'nothing'): Vendor {
  const remote = new ScriptedVendor();
  if (tells === 'nothing') remote.onFind = () => 'unknown';
  const fake = {
    get posts() {
      return remote.posts;
    },
    get submissions() {
      return remote.started;
    },
    plan: (_: readonly string[], otherwise?: string) => {
      remote.onCheck = () =>
        otherwise === 'never_ends'
          ? { state: 'pending', progress: 0.5, checkAfterSeconds: null }
          : { state: 'ended', outputs: [{ url: 'https://vendor.test/1', label: null, score: null }], cost: null };
    },
    close: async () => undefined,
  };
  const model = { ...REMOTE_MODEL, inputs };
  return { remote, model, fake, tells, tellsOfChosenSeeds: tells === 'all', canCancel: true };
}

describe.each(Object.entries(VENDORS))('with %s, whenever a worker dies', (_, start) => {
  let vendor: Vendor;
  let stage: RemoteStage;
  beforeAll(async () => {
    vendor = await start();
    stage = await RemoteStage.open(vendor.remote, vendor.model);
    await stage.generations.enter();
  });
  afterAll(async () => {
    await stage.close();
    await vendor.fake.close();
  });
  afterEach(async () => {
    const findings = await new PostgresAudit(stage.generations.db.database).findings();
    // Files that a dead worker has stored for nothing are deleted by a sweep.
    expect(findings.filter(({ rule }) => rule !== 'output file without a generation')).toEqual([]);
  });

  const dieEverywhere = (work: Work, expectEnd: ExpectEnd) => dying(stage, vendor.fake, work, expectEnd);

  it('a generation is submitted once, stored once and charged once, or known to be unknown', async () => {
    vendor.fake.plan([], 'works');
    const deaths = await dieEverywhere(
      async (life) => {
        const id = await stage.accepted({ prompt: 'a fox' });
        await stage.settle(id, life);
        return id;
      },
      async (id, where, { posts, started }) => {
        const { state, error, outputs } = await stage.generations.view(id);
        expect([where, vendor.fake.posts - posts <= 1]).toEqual([where, true]);
        expect([where, (await stage.submissionOf(id))?.state]).toEqual([where, 'closed']);
        if (state === 'succeeded') {
          expect([where, vendor.fake.submissions.length - started, outputs.length]).toEqual([where, 1, 1]);
          expect([where, await stage.ledgerOf(id)]).toEqual([where, ['reserve', 'settle']]);
        } else {
          expect([where, error?.code]).toEqual([where, 'provider_outcome_unknown']);
          const hasStarted = vendor.fake.submissions.length > started;
          expect([where, vendor.tells]).not.toEqual([where, 'all']);
          if (vendor.tells === 'started') expect([where, hasStarted]).toEqual([where, false]);
          expect([where, await stage.ledgerOf(id)]).toEqual([where, ['reserve', 'release']]);
        }
      },
    );
    expect(deaths).toEqual(
      expect.arrayContaining([
        'before provider.submit',
        'after provider.submit',
        'before the commit of transaction',
        'after transaction.run',
      ]),
    );
  }, 60_000);

  it('two workspaces that ask for the same, with a picture and a seed of theirs, each get and pay their own', async () => {
    vendor.fake.plan([], 'works');
    const call = { prompt: '', image: 'https://pictures.example/room.png', fields: { seed: 42 } };
    const { generations } = stage;
    const ours = generations.place;
    await generations.enter();
    const theirs = generations.place;
    let theirId = 0;
    const expectOutput = async (where: string, id: number, submission: number) => {
      const { state, outputs } = await generations.view(id);
      expect([where, state, outputs.length]).toEqual([where, 'succeeded', 1]);
      expect([where, await stage.ledgerOf(id)]).toEqual([where, ['reserve', 'settle']]);
      const made = await vendor.madeBy?.(vendor.fake.submissions[submission]!.id!);
      if (made)
        expect([where, made.equals((await generations.files.read(outputs[0]!.key, 1e6))!)]).toEqual([where, true]);
    };
    await dieEverywhere(
      async (life) => {
        generations.goTo(theirs);
        theirId = await stage.accepted(call);
        await stage.step(theirId);
        generations.goTo(ours);
        const id = await stage.accepted(call);
        await stage.settle(id, life);
        return id;
      },
      async (id, where, { posts, started }) => {
        const { state, error } = await generations.view(id);
        expect([where, vendor.fake.posts - posts <= 2]).toEqual([where, true]);
        if (state === 'succeeded') {
          expect([where, vendor.fake.submissions.length - started]).toEqual([where, 2]);
          await expectOutput(where, id, started + 1);
        } else {
          expect([where, error?.code]).toEqual([where, 'provider_outcome_unknown']);
          expect([where, vendor.tells === 'all' && vendor.tellsOfChosenSeeds]).toEqual([where, false]);
          expect([where, await stage.ledgerOf(id)]).toEqual([where, ['reserve', 'release']]);
        }
        generations.goTo(theirs);
        await stage.settle(theirId);
        await expectOutput(where, theirId, started);
        generations.goTo(ours);
      },
    );
  }, 120_000);

  it('a canceled generation is canceled at the vendor, and nothing is charged', async () => {
    vendor.fake.plan([], 'never_ends');
    await dieEverywhere(
      async (life) => {
        const id = await stage.accepted({ prompt: 'a fox' });
        // Until it is pending there; OpenAI's calls end by themselves.
        if (vendor.canCancel) for (let steps = 0; steps < 2; steps++) await stage.step(id);
        const { actor } = stage.generations;
        await stage
          .program(life)
          .generations.cancel(actor, id)
          .catch(() => undefined);
        if (life.end === null) await stage.settle(id, life);
        // The caller who got no response cancels again.
        await stage.generations.generations.cancel(actor, id);
        return id;
      },
      async (id, where, { posts, started }) => {
        expect([where, (await stage.generations.view(id)).state]).toEqual([where, 'canceled']);
        expect([where, await stage.ledgerOf(id)]).toEqual([where, ['reserve', 'release']]);
        expect([where, vendor.fake.posts - posts]).toEqual([where, vendor.canCancel ? 1 : 0]);
        const theirs = vendor.fake.submissions.slice(started);
        expect([where, theirs.map(({ isCanceled }) => isCanceled)]).toEqual([where, theirs.map(() => true)]);
      },
    );
  }, 60_000);

  it('a generation that is canceled then is canceled at the vendor, wherever the worker was', async () => {
    vendor.fake.plan([], vendor.canCancel ? 'never_ends' : 'works');
    await dieEverywhere(
      async (life) => {
        const id = await stage.accepted({ prompt: 'a fox' });
        for (let steps = 0; steps < 3 && life.end === null; steps++) await stage.step(id, life);
        await stage.generations.generations.cancel(stage.generations.actor, id).catch(() => undefined);
        return id;
      },
      async (id, where, { posts, started }) => {
        const { state } = await stage.generations.view(id);
        // OpenAI's calls have ended before anybody can cancel them.
        expect([where, ['canceled', ...(vendor.canCancel ? [] : ['succeeded'])]]).toEqual([
          where,
          expect.arrayContaining([state]),
        ]);
        expect([where, vendor.fake.posts - posts <= 1]).toEqual([where, true]);
        if (vendor.tells !== 'all') return;
        const theirs = vendor.fake.submissions.slice(started);
        expect([where, theirs.map(({ isCanceled }) => isCanceled)]).toEqual([where, theirs.map(() => true)]);
      },
    );
  }, 60_000);
});
