import { describe, expect, it } from '@jest/globals';
import type { Model } from '#catalogue';
import type { FakeVendor } from '../../../../test/support/vendors/fake-vendor.ts';
import { readZip } from '../../../../test/support/read-zip.ts';
import { newTrigger, styleFileType, styleFileTypesOf } from '../domain/trained-style.ts';
import { OutcomeUnknown, type RemoteTask, type RemoteWeights } from '../ports.ts';
import {
  expectFailure,
  failureIn,
  failureOf,
  itWhere,
  options,
  RemoteBench,
  since,
  type RemoteUnderTest,
} from './remote-provider/bench.ts';

export interface TrainingFacts {
  /** Its mapping uses `{pictures}` and, where the vendor has words for styles, `{trigger}`. */
  readonly trainer: Model;
  /** Optionally uses a style of the trainer. */
  readonly generator: Model;
  /** True if a search finds a training whose response was lost. */
  readonly finds: boolean;
  /** True if a search that finds nothing is certain. */
  readonly knowsAbsence: boolean;
  /** The pictures in the fields that the vendor received. */
  readonly picturesIn?: (fields: unknown, vendor: FakeVendor) => Promise<readonly Buffer[]>;
}

/** Contract of vendors of trainings: a training, its use, and their failures. */
export function remoteTrainingContract(name: string, facts: TrainingFacts, make: () => Promise<RemoteUnderTest>): void {
  const { trainer, generator } = facts;
  const { picturesIn = zippedPictures } = facts;
  const isReference = trainer.result !== null && 'reference' in trainer.result;
  const hasTrigger = Object.values(trainer.mapping).some((value) => JSON.stringify(value).includes('{trigger}'));

  describe(`trainings by ${name}`, () => {
    const bench = new RemoteBench(
      {
        model: trainer,
        missing: null,
        isSynchronous: false,
        finds: facts.finds,
        cancels: true,
        hasModeration: true,
        takesUrls: false,
        fails: { code: 'provider_unavailable', retryable: false },
      },
      make,
    );

    const aTraining = async (count = 3): Promise<RemoteTask> => {
      const task = await bench.aTask();
      const pictures = await Promise.all(Array.from({ length: count }, () => bench.anInput()));
      const trigger = newTrigger((below) => Math.floor(Math.random() * below));
      return { ...task, prompt: null, inputs: { ...task.inputs, pictures }, trainedStyle: { trigger, weights: null } };
    };
    const contentsOf = ({ inputs }: RemoteTask) => inputs.pictures.map(({ file }) => bench.contents.get(file)!);
    const sentTo = (index: number) => bench.vendor.submissions[index]!.fields;
    const submit = async (model: Model, task: RemoteTask) => bench.outcomeOf({ ...task, model });

    it('sends the pictures in their order and the word, once, and gets what was trained as one private file', async () => {
      const task = await aTraining(12);
      const outcome = await bench.outcomeOf(task);
      if (!('files' in outcome)) throw outcome.failure;
      expect([bench.vendor.posts, bench.vendor.submissions.length]).toEqual([1, 1]);
      expect(await picturesIn(sentTo(0), bench.vendor)).toEqual(contentsOf(task));
      if (hasTrigger) expect(JSON.stringify(sentTo(0))).toContain(task.trainedStyle!.trigger);
      const [file, ...others] = outcome.files;
      expect(others).toEqual([]);
      const type = styleFileType(file!, file!.length);
      expect(styleFileTypesOf(trainer)).toContain(type);
      if (isReference) expect(JSON.parse(file!.toString())).toEqual({ reference: expect.anything() });
      else expect({ files: [file] }).toEqual(await bench.firstOutputs());
    });

    it('sends the same bytes for the same pictures', async () => {
      const [task, other] = [await aTraining(), await aTraining()];
      await bench.submitted(task);
      await bench.submitted({ ...other, inputs: task.inputs });
      const [first, second] = [await picturesIn(sentTo(0), bench.vendor), await picturesIn(sentTo(1), bench.vendor)];
      expect(first).toEqual(second);
    });

    it('uses a trained style in a generation, and none where there is none', async () => {
      const trained = await bench.outcomeOf(await aTraining());
      if (!('files' in trained)) throw trained.failure;
      const weights: RemoteWeights = isReference
        ? (JSON.parse(trained.files[0]!.toString()) as { reference: string })
        : { url: 'https://we.example/storage/weights/a/b.safetensors?signature=s' };
      const trainedStyle = { trigger: 'x12abcdefgh', weights };
      expect(await submit(generator, await bench.aTask({ trainedStyle }))).toHaveProperty('files');
      // The version may be beside the fields.
      const sent = JSON.stringify(bench.vendor.submissions[1]);
      expect(sent).toContain('reference' in weights ? String(weights.reference).split(':').at(-1) : weights.url);
      if (hasTrigger) expect(sent).toContain('x12abcdefgh');
      if (generator.inputs.styleWeights === 'required') return;
      expect(await submit(generator, await bench.aTask())).toHaveProperty('files');
      expect(JSON.stringify(sentTo(2))).not.toMatch(/loras|style_id/);
    });

    itWhere(!isReference, 'uploads the weights that the vendor could not fetch', async () => {
      const { file, contentType } = await bench.anInput(200_000);
      const trainedStyle = { trigger: 'x12abcdefgh', weights: { file, contentType } };
      expect(await submit(generator, await bench.aTask({ trainedStyle }))).toHaveProperty('files');
      const urls = [...JSON.stringify(sentTo(0)).matchAll(/https?:[^"]+/g)].flat();
      expect(urls.map((url) => bench.vendor.upload(url)?.equals(bench.contents.get(file)!))).toEqual([true]);
    });

    it('finds a training whose response was lost, and never another one', async () => {
      const other = await aTraining();
      const from = since();
      await bench.submitted(other);
      const task = { ...(await aTraining()), inputs: other.inputs };
      expect(await bench.find(task, from)).toBe(facts.knowsAbsence ? 'absent' : 'unknown');
      bench.plan('drops_after');
      expect(await failureOf(bench.provider.submit(task, options()))).toBeInstanceOf(OutcomeUnknown);
      const found = await bench.find(task, from);
      if (!facts.finds) return expect(found).toBe('unknown');
      if (typeof found === 'string') throw new Error(found);
      expect(found.handle.id).toBe(bench.vendor.submissions[1]!.id);
      expect(await bench.endOf(found.handle, task)).toHaveProperty('files');
      expect(bench.vendor.posts).toBe(2);
    });

    it('cancels a training that never ends', async () => {
      bench.plan('never_ends');
      const handle = await bench.submitted(await aTraining());
      expect(await bench.provider.check(handle, options().signal)).toMatchObject({ state: 'pending' });
      expect(await bench.provider.cancel(handle, options().signal)).toBe('canceled');
      expect(bench.vendor.submissions).toMatchObject([{ isCanceled: true }]);
      expect((await bench.provider.check(handle, options().signal)).state).not.toBe('ended');
    });

    itWhere(!isReference, 'refuses weights of more than 2 GB before it has read them', async () => {
      bench.plan('sends_too_much');
      expectFailure(failureIn(await bench.outcomeOf(await aTraining())), 'unusable_output', false);
    });
  });
}

/** The pictures of the only zip, in the order of their names. */
async function zippedPictures(fields: unknown, vendor: FakeVendor): Promise<readonly Buffer[]> {
  const text = JSON.stringify(fields);
  const data = /data:application\/zip;base64,([^"]+)/.exec(text)?.[1];
  const uploads = [...text.matchAll(/https?:[^"]+/g)].flatMap(([url]) => vendor.upload(url) ?? []);
  const zip = data === undefined ? uploads[0] : Buffer.from(data, 'base64');
  const files = [...(await readZip(zip!))].sort((one, next) => (one.path < next.path ? -1 : 1));
  return files.map(({ bytes }) => bytes);
}
