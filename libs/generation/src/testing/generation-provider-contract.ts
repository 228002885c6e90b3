import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parameterValues, type JsonValue, type Model } from '#catalogue';
import { temporaryFolder } from '../../../sources/src/testing/temporary-folder.ts';
import {
  ProviderFailure,
  type GenerationProvider,
  type GenerationTask,
  type InputPicture,
  type ProviderOutput,
} from '../ports.ts';

export interface ProviderUnderTest {
  readonly provider: GenerationProvider;
  /** Two different pictures, and a file that is not a picture. */
  readonly pictures: readonly [InputPicture, InputPicture];
  readonly broken: InputPicture;
  /** Parameters for a fast run, and for a run of a second or more. */
  quick(model: Model): Readonly<Record<string, JsonValue>>;
  slow(model: Model): Readonly<Record<string, JsonValue>>;
  /** Reads the properties of an output from its bytes. */
  inspect(file: string): Promise<Omit<ProviderOutput, 'file'>>;
}

/** The contract of every `GenerationProvider`, for each of its models. */
export function generationProviderContract(
  name: string,
  make: () => Promise<ProviderUnderTest>,
  models: readonly string[],
): void {
  describe(`generation provider: ${name}`, () => {
    let tested: ProviderUnderTest;
    const { fileAt } = temporaryFolder();
    beforeAll(async () => {
      tested = await make();
    });

    const modelOf = (id: string) => tested.provider.models.find((model) => model.id === id)!;

    /** A task with all inputs of the model. */
    const taskFor = async (id: string, overrides: Partial<GenerationTask> = {}): Promise<GenerationTask> => {
      const model = modelOf(id);
      const [image, style] = tested.pictures;
      return {
        generationId: 1,
        model: id,
        prompt: 'a quiet place',
        parameters: parameterValues(model, { seed: 7, ...tested.quick(model) }, () => ({})),
        image: model.inputs.image === 'none' ? null : image,
        style: model.inputs.style === 'none' ? null : style,
        mask: null,
        pictures: model.inputs.pictures === 'none' ? [] : repeated(tested.pictures, model.inputs.minPictures),
        trainedStyle: null,
        folder: await mkdtemp(fileAt('task-')),
        ...overrides,
      };
    };
    const run = async (task: GenerationTask, signal = new AbortController().signal) => {
      const progress: number[] = [];
      const outputs = await tested.provider.run(task, { progress: (fraction) => progress.push(fraction), signal });
      return { outputs, progress };
    };
    const bytesOf = async (task: GenerationTask) => {
      const { outputs } = await run(task);
      return Promise.all(outputs.map(({ file }) => digest(file)));
    };

    it('offers models under its own name, each with a price', () => {
      expect(tested.provider.models.map(({ id }) => id).sort()).toEqual([...models].sort());
      for (const model of tested.provider.models) {
        expect(model.provider).toBe(tested.provider.id);
        expect(model.cost.credits).toBeGreaterThan(0);
        expect(model.description).not.toBe('');
      }
    });

    describe.each(models)('%s', (id) => {
      it('makes files of the stated type, size and length, and leaves its inputs unchanged', async () => {
        const task = await taskFor(id);
        const inputs = () => Promise.all(tested.pictures.map(({ file }) => digest(file)));
        const before = await inputs();
        const { outputs, progress } = await run(task);
        expect(await inputs()).toEqual(before);
        expect(outputs).toHaveLength(Number(task.parameters.count ?? 1));
        for (const { file, ...stated } of outputs) {
          expect(dirname(file)).toBe(task.folder);
          expect(await tested.inspect(file)).toEqual(stated);
          for (const side of ['width', 'height'] as const) {
            if (task.parameters[side] !== undefined) expect(stated[side]).toBe(task.parameters[side]);
          }
          expect(stated.duration !== null).toBe(modelOf(id).kind === 'video');
        }
        expect(progress.length).toBeGreaterThan(0);
        expect(progress).toEqual([...progress].sort((one, other) => one - other));
        expect(progress[0]).toBeGreaterThanOrEqual(0);
        expect(progress.at(-1)).toBeLessThanOrEqual(1);
      });

      it('makes the requested number of outputs, all different', async () => {
        const { count } = modelOf(id).parameters;
        if (count?.type !== 'integer') return;
        const task = await taskFor(id);
        const parameters = { ...task.parameters, count: count.maximum! };
        const made = await bytesOf({ ...task, parameters });
        expect(new Set(made).size).toBe(count.maximum);
      });

      it('makes the same bytes from the same task in another folder', async () => {
        expect(await bytesOf(await taskFor(id))).toEqual(await bytesOf(await taskFor(id)));
      });

      it('makes different outputs from another seed, prompt, image, style or pictures', async () => {
        const { image, style, pictures } = modelOf(id).inputs;
        const task = await taskFor(id);
        const variants: GenerationTask[] = [task];
        if (pictures !== 'none') {
          variants.push(await taskFor(id, { pictures: repeated([tested.pictures[1]], task.pictures.length) }));
        } else {
          variants.push(await taskFor(id, { parameters: { ...task.parameters, seed: 8 } }));
          variants.push(await taskFor(id, { prompt: 'a storm at night' }));
        }
        if (image !== 'none') variants.push(await taskFor(id, { image: tested.pictures[1] }));
        if (style !== 'none') variants.push(await taskFor(id, { style: tested.pictures[0] }));
        const made: string[] = [];
        for (const variant of variants) made.push(...(await bytesOf(variant)));
        expect(new Set(made).size).toBe(made.length);
      });

      it('stops before its end when it is aborted, throws the reason, and leaves no file behind', async () => {
        const model = modelOf(id);
        const parameters = parameterValues(model, { seed: 7, ...tested.slow(model) }, () => ({}));
        const task = await taskFor(id, { parameters });
        const controller = new AbortController();
        const reason = new Error('enough');
        let reached = 0;
        const running = tested.provider.run(task, {
          progress: (fraction) => {
            reached = fraction;
            controller.abort(reason);
          },
          signal: controller.signal,
        });
        await expect(running).rejects.toBe(reason);
        expect(reached).toBeLessThan(1);
        expect(await readdir(task.folder)).toEqual([]);
      });

      it('does not start when it is already aborted', async () => {
        const task = await taskFor(id);
        const reason = new Error('too late');
        await expect(run(task, AbortSignal.abort(reason))).rejects.toBe(reason);
        expect(await readdir(task.folder)).toEqual([]);
      });

      it.each(['image', 'style', 'pictures'] as const)('refuses a broken %s for good', async (input) => {
        if (modelOf(id).inputs[input] === 'none') return;
        const { broken, pictures } = tested;
        const task = await taskFor(id, { [input]: input === 'pictures' ? [...pictures, broken] : broken });
        const failure = await run(task).then(
          () => null,
          (error: unknown) => error,
        );
        expect(failure).toBeInstanceOf(ProviderFailure);
        expect(failure).toMatchObject({ retryable: false });
        expect((failure as Error).message).not.toContain(dirname(tested.broken.file));
        expect(await readdir(task.folder)).toEqual([]);
      });

      it('refuses to run without a required input', async () => {
        if (modelOf(id).inputs.image !== 'required') return;
        const task = await taskFor(id, { image: null });
        await expect(run(task)).rejects.toMatchObject({ name: 'ProviderFailure', retryable: false });
      });
    });

    it('refuses a model that it does not offer', async () => {
      const task = await taskFor(models[0]!, { model: 'no-such-model' });
      await expect(run(task)).rejects.toMatchObject({ name: 'ProviderFailure', retryable: false });
    });
  });
}

function repeated(pictures: readonly InputPicture[], count: number): readonly InputPicture[] {
  return Array.from({ length: count }, (_, index) => pictures[index % pictures.length]!);
}

async function digest(file: string): Promise<string> {
  expect((await stat(file)).size).toBeGreaterThan(0);
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
}
