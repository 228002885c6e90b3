/** @tier deep, 10 s, about docs/models.example.yaml libs/adapters/catalog libs/adapters/providers */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AjvParameterCheck, readCatalog } from '#adapters/catalog';
import { REMOTE_TYPES } from '#adapters/providers';
import { parameterValues, placeholdersOf, type Model, type Parameter } from '#catalogue';
import type { RemoteInput, RemoteInputs, RemoteStyle } from '#generation';
import { temporaryFolder } from '../../libs/sources/src/testing/temporary-folder.ts';
import { startFakeComfyUi } from '../support/vendors/comfyui.ts';
import { startFakeFal } from '../support/vendors/fal.ts';
import type { FakeVendor } from '../support/vendors/fake-vendor.ts';
import { startFakeOpenAi } from '../support/vendors/openai.ts';
import { startFakeReplicate } from '../support/vendors/replicate.ts';
import { sampleOutput } from '../support/vendors/sample-outputs.ts';
import { aTask, ended, providerAt, signal } from '../support/vendors/vendor-client.ts';

const ROOT = join(import.meta.dirname, '../..');
const STARTS: Record<string, () => Promise<FakeVendor>> = {
  comfyui: startFakeComfyUi,
  fal: startFakeFal,
  openai: startFakeOpenAi,
  replicate: startFakeReplicate,
};

/** Names that existing clients use, with their parameters. */
const NAMES: Record<string, readonly string[]> = {
  interior: ['styles', 'knows', 'seed', 'precise', 'enhance_prompt', 'luwmodel', 'format', 'fill_room'],
  exterior: ['styles', 'knows', 'seed', 'precise', 'enhance_prompt', 'luwmodel', 'format'],
  sketch: ['seed', 'format'],
  render: ['seed', 'format'],
  magicprompt: ['hd', 'seed', 'format'],
  magicwand: ['material_image', 'remove', 'controlnet', 'seed', 'format'],
  landscape: ['big_data', 'seed', 'format'],
  enhance: ['hd', 'seed', 'format'],
  expand: ['format'],
  removefurniture: ['seed', 'format'],
  removebg: [],
  changebg: ['seed'],
  vector: [],
  fluwvector: ['aspect_ratio'],
  fluw: ['aspect_ratio', 'seed', 'format'],
  pattern: ['texture', 'seed', 'format'],
  segment: [],
  segmentprompt: [],
  video: ['styles', 'seed'],
  '3dgen': ['seed'],
  moodboard: ['format'],
};

const providers = REMOTE_TYPES.map((type) => ({
  ...{ id: type, type, baseUrl: 'http://127.0.0.1:1', key: 'secret' },
  ...{ maxConcurrent: 2, submissionsPerMinute: null },
}));
const file = join(ROOT, 'docs/models.example.yaml');
const { models } = readCatalog({ file, env: {}, types: REMOTE_TYPES, local: [], providers });
const check = new AjvParameterCheck();
const modelOf = (id: string): Model => models.find((model) => model.id === id)!;

describe('the example catalogue', () => {
  it('says of each model what it does', () => {
    expect(models.filter(({ description }) => description === null).map(({ id }) => id)).toEqual([]);
  });

  it('has the names that existing clients use, with their parameters', () => {
    for (const [id, parameters] of Object.entries(NAMES)) {
      expect({ id, parameters: Object.keys(modelOf(id)?.parameters ?? {}) }).toEqual({
        id,
        parameters: expect.arrayContaining([...parameters]),
      });
    }
  });

  it.each([
    ['precise', 'interior', ['1', '100'], ['0', '101']],
    ['hd', 'enhance', ['2', '4', '8'], ['3']],
    ['hd', 'magicprompt', ['2', '4', 'true', 'false', '1', '0'], ['3', '8']],
    ['texture', 'pattern', ['-1', '0', '1'], ['2']],
    ['aspect_ratio', 'fluw', ['16:9', '3:2', '4:3', '1:1', '3:4', '2:3', '9:16'], ['2:1']],
    ['format', 'interior', ['jpg', 'png', 'webp'], ['gif']],
    ['big_data', 'landscape', ['{"plants":["oak"]}'], ['"oak"']],
  ])('takes %s of %s as text', (name, id, good, bad) => {
    const read = (value: string) =>
      parameterValues(modelOf(id), { [name]: value }, (values) => check.problemsOf(modelOf(id), values));
    for (const value of good) expect(read(value)[name]).toBeDefined();
    for (const value of bad) expect(() => read(value)).toThrow(new RegExp(`^${name} must be`));
  });
});

describe('the catalogues in docs/generators.md', () => {
  const folder = temporaryFolder();
  const guide = readFileSync(join(ROOT, 'docs/generators.md'), 'utf8');
  const blocks = [...guide.matchAll(/^ *models:\n[^]*?(?=\n *(?:END|```)$)/gm)].map(([block]) => block);

  it('are right, one for each vendor', async () => {
    await cp(join(ROOT, 'docs/comfyui'), folder.fileAt('comfyui'), { recursive: true });
    const used = new Set<string>();
    for (const [index, block] of blocks.entries()) {
      const guideFile = await folder.save(block, `${index}.yaml`);
      const catalog = readCatalog({ file: guideFile, env: {}, types: REMOTE_TYPES, local: [], providers });
      for (const { provider } of catalog.models) used.add(provider);
    }
    expect([...used].sort()).toEqual([...REMOTE_TYPES].sort());
  });
});

describe('each model of the example catalogue', () => {
  const folder = temporaryFolder();
  const fakes: Record<string, FakeVendor> = {};
  beforeAll(async () => {
    for (const [type, start] of Object.entries(STARTS)) fakes[type] = await start();
  });
  afterAll(() => Promise.all(Object.values(fakes).map((fake) => fake.close())));

  /** Runs the model, and returns the fields that its vendor got and the first bytes of its outputs. */
  const run = async (
    model: Model,
    fields: Record<string, string>,
    inputs: RemoteInputs,
    trainedStyle: RemoteStyle | null = null,
  ) => {
    const fake = fakes[model.provider]!;
    const provider = await providerAt(model.provider, fake.url);
    const parameters = parameterValues(model, fields, (values) => check.problemsOf(model, values));
    const task = aTask(model, { parameters, inputs, trainedStyle, folder: folder.fileAt('.') });
    const submitted = await provider.submit(task, { webhookUrl: null, signal });
    const sent = fake.submissions.at(-1)!.fields as Record<string, unknown>;
    const madeBy = async () => {
      if ('outputs' in submitted) return submitted.outputs.map(({ file }) => file);
      const state = await ended(provider, submitted.handle);
      if (state.state !== 'ended') throw new Error(`${model.id} ${state.state}`, { cause: state });
      const fetching = state.outputs.map(async (output, index) => {
        const target = folder.fileAt(`${task.requestKey}-output-${index}`);
        await provider.fetchOutput(output, target, model.kind, signal);
        return target;
      });
      return Promise.all(fetching);
    };
    const files = await madeBy();
    return { sent, files, starts: await Promise.all(files.map(startOf)) };
  };

  const startOf = async (file: string) => (await readFile(file)).toString('latin1', 0, 12);

  let pictures = 0;
  const picture = async (name: string): Promise<RemoteInput> => {
    const { bytes } = await sampleOutput('image', ++pictures);
    return { file: await folder.save(bytes, `${name}.png`), contentType: 'image/png', url: null };
  };

  /** The style that the model trains, or uses: one that a trainer of its provider and family has made. */
  const styleFor = async (model: Model, isUsed: boolean): Promise<RemoteStyle | null> => {
    const trigger = `x12${randomUUID().slice(0, 8)}`;
    if (model.kind === 'style') return { trigger, weights: null };
    if (!isUsed || model.inputs.styleWeights === 'none') return null;
    const { provider, family } = model;
    const trainer = models.find(
      (each) => each.kind === 'style' && each.provider === provider && each.family === family,
    )!;
    const inputs = await inputsFor(trainer, true);
    const { files } = await run(trainer, {}, inputs, { trigger, weights: null });
    const isReference = trainer.result !== null && 'reference' in trainer.result;
    const weights = isReference
      ? (JSON.parse(await readFile(files[0]!, 'utf8')) as { reference: string })
      : { url: 'https://we.example/storage/weights/a/b.safetensors' };
    return { trigger, weights };
  };

  /** The pictures that the model takes, or only those that it needs. */
  const inputsFor = async ({ inputs }: Model, isAll: boolean): Promise<RemoteInputs> => {
    const isGiven = (need: string) => need === 'required' || (isAll && need === 'optional');
    const one = (name: 'image' | 'style' | 'mask' | 'control') => (isGiven(inputs[name]) ? picture(name) : null);
    const references = isGiven(inputs.references) ? inputs.maxReferences : 0;
    const trained = inputs.pictures === 'none' ? 0 : isAll ? inputs.maxPictures : inputs.minPictures;
    return {
      image: await one('image'),
      style: await one('style'),
      mask: await one('mask'),
      control: await one('control'),
      references: await Promise.all(Array.from({ length: references }, (_, index) => picture(`reference-${index}`))),
      pictures: await Promise.all(Array.from({ length: trained }, (_, index) => picture(`picture-${index}`))),
    };
  };

  it.each(models.map((model) => [model.id, model] as const))(
    '%s runs with all inputs and parameters',
    async (_, model) => {
      const fields = Object.fromEntries(Object.entries(model.parameters).map(([name, each]) => [name, anyText(each)]));
      const style = await styleFor(model, true);
      const { sent, starts } = await run(model, fields, await inputsFor(model, true), style);
      expect(problemsOf(model, sent)).toEqual([]);
      const isPrompted = placeholdersOf(model.mapping).includes('prompt');
      expect(JSON.stringify(sent).includes('a room')).toBe(isPrompted);
      expect(starts.length).toBeGreaterThan(0);
      for (const start of starts) expect(start).toMatch(STARTS_OF[model.kind]);
    },
  );

  it('interior gets the picture, the style and six references in order', async () => {
    const inputs = await inputsFor(modelOf('interior'), true);
    const { sent } = await run(modelOf('interior'), {}, inputs);
    const pictures = [inputs.image!, inputs.style!, ...inputs.references];
    expect(pictures).toHaveLength(8);
    const uris = pictures.map(async ({ file }) => `data:image/png;base64,${await readFile(file, 'base64')}`);
    expect(sent['input_images']).toEqual(await Promise.all(uris));
  });

  it.each([
    ['2', '2K'],
    ['4', '4K'],
    ['true', '4K'],
    ['false', '1K'],
  ])('magicprompt with hd %s makes a picture of %s', async (hd, resolution) => {
    const model = modelOf('magicprompt');
    expect((await run(model, { hd }, await inputsFor(model, false))).sent).toMatchObject({ resolution });
  });

  it('sketch gets the picture, and the style after it', async () => {
    const { image, style, ...inputs } = await inputsFor(modelOf('sketch'), true);
    const { sent } = await run(modelOf('sketch'), {}, { image, style, ...inputs });
    const uris = [image!, style!].map(async ({ file }) => readFile(file, 'base64'));
    const expected = (await Promise.all(uris)).map((bytes) => `data:image/png;base64,${bytes}`);
    expect(sent['input_images']).toEqual(expected);
  });

  it.each(['fluwvector', 'pattern'])('%s takes a guide image, ignores it, and says so', async (id) => {
    const inputs = { ...(await inputsFor(modelOf(id), true)), image: await picture('guide') };
    expect(modelOf(id).inputs.image).toBe('optional');
    expect(modelOf(id).description).toContain('guide image is accepted but ignored');
    expect(JSON.stringify((await run(modelOf(id), {}, inputs)).sent)).not.toContain('data:image');
  });

  it('fluw gets a guide image, and the style after it', async () => {
    const inputs = await inputsFor(modelOf('fluw'), true);
    const { sent } = await run(modelOf('fluw'), {}, inputs);
    const uris = [inputs.image!, inputs.style!].map(async ({ file }) => readFile(file, 'base64'));
    const [image, style] = (await Promise.all(uris)).map((bytes) => `data:image/png;base64,${bytes}`);
    expect(sent['input_images']).toEqual([image, style]);
  });

  it.each(models.map((model) => [model.id, model] as const))(
    '%s runs with only the required inputs',
    async (_, model) => {
      const style = await styleFor(model, model.inputs.styleWeights === 'required');
      const { sent } = await run(model, {}, await inputsFor(model, false), style);
      expect(problemsOf(model, sent)).toEqual([]);
    },
  );
});

const STARTS_OF = {
  image: /^\x89PNG/,
  mask: /^\x89PNG/,
  video: /^....ftyp/s,
  vector: /^<svg/,
  model3d: /^glTF/,
  style: /^(.{8}|)\{/s,
};

function anyText({ type, enum: choices, minimum, maximum }: Parameter): string {
  if (choices) return String(choices.at(-1));
  if (type === 'object') return '{"plants":["oak"]}';
  if (type === 'boolean') return 'true';
  return type === 'string' ? 'oak and linen' : String(Math.min(maximum ?? 9, Math.max(minimum ?? 9, 9)));
}

/** Fields that the vendor does not know, or misses. ComfyUI's fake checks the workflow itself. */
function problemsOf({ provider, target }: Model, sent: Record<string, unknown>): string[] {
  const schema = SCHEMAS[provider]?.(target, sent);
  if (!schema) return [];
  const unknown = Object.keys(sent).filter((name) => !(name in schema));
  const missing = Object.keys(schema).filter((name) => schema[name]!.isRequired && !(name in sent));
  const wrong = Object.keys(sent).filter(
    (name) => schema[name]?.choices && !isChoice(schema[name].choices, sent[name]),
  );
  return [
    ...unknown.map((name) => `${name} is unknown`),
    ...missing.map((name) => `${name} is missing`),
    ...wrong.map((name) => `${name} can't be ${String(sent[name])}`),
  ];
}

const isChoice = (choices: readonly unknown[], value: unknown) =>
  typeof value === 'object' || choices.includes(value) || choices.length === 0;

type Schema = Record<string, { isRequired: boolean; choices: readonly unknown[] | null }>;

const SCHEMAS: Record<string, (target: string, sent: Record<string, unknown>) => Schema> = {
  fal: (target) => falSchema(target),
  openai: (_, { image }) => openAiSchema(image ? 'Edit' : 'Generate'),
  replicate: (target) => replicateSchema(target),
};

const texts = new Map<string, string>();

function typesOf(file: string): string {
  if (!texts.has(file)) texts.set(file, readFileSync(join(ROOT, 'node_modules', file), 'utf8'));
  return texts.get(file)!;
}

/** The inputs of an endpoint, as the types of fal's SDK declare them. */
function falSchema(target: string): Schema {
  const types = typesOf('@fal-ai/client/src/types/endpoints.d.ts');
  let [, name] = new RegExp(`"${target}": \\{\\s*input: (\\w+);`).exec(types) ?? [];
  for (let alias; (alias = new RegExp(`^export type ${name} = (\\w+);`, 'm').exec(types));) name = alias[1];
  const [, body] = new RegExp(`^export type ${name} = \\{\\n([^]*?)^\\};`, 'm').exec(types) ?? [];
  if (!body) throw new Error(`fal has no endpoint ${target}`);
  return declaredIn(body);
}

function openAiSchema(verb: 'Edit' | 'Generate'): Schema {
  const types = typesOf('openai/resources/images.d.ts');
  const [, body] = new RegExp(`^export interface Image${verb}ParamsBase \\{\\n([^]*?)^\\}`, 'm').exec(types)!;
  return declaredIn(body!);
}

/** The fields of a type, and the choices of those that are unions of texts. */
function declaredIn(body: string): Schema {
  const fields = body.replace(/\/\*\*[^]*?\*\//g, '').matchAll(/^ {4}(\w+)(\??):([^;]*);/gm);
  return Object.fromEntries(
    [...fields].map(([, name, optional, type]) => {
      const isUnion = /^[\s|]*(["'][^"']*["'][\s|]*)+(null)?\s*$/.test(type!);
      const choices = isUnion ? [...type!.matchAll(/["']([^"']*)["']/g)].map(([, choice]) => choice) : null;
      return [name!, { isRequired: optional === '', choices }];
    }),
  );
}

/** From the API pages of these models at replicate.com; the first field is required. */
const REPLICATE_INPUTS: Record<string, readonly string[]> = {
  'black-forest-labs/flux-2-flex': [
    ...['prompt', 'input_images', 'aspect_ratio', 'resolution', 'width', 'height', 'safety_tolerance', 'seed'],
    ...['prompt_upsampling', 'steps', 'guidance', 'output_format', 'output_quality'],
  ],
  'black-forest-labs/flux-kontext-pro': [
    ...['prompt', 'input_image', 'aspect_ratio', 'prompt_upsampling', 'seed', 'output_format', 'safety_tolerance'],
  ],
  'philz1337x/clarity-upscaler': [
    ...['image', 'prompt', 'negative_prompt', 'scale_factor', 'dynamic', 'creativity', 'resemblance', 'seed'],
    ...['output_format'],
  ],
  'lucataco/remove-bg': ['image'],
  'ostris/flux-dev-lora-trainer': ['input_images', 'trigger_word', 'steps'],
  // A version that was trained.
  '{style_weights}': ['prompt', 'lora_scale', 'seed', 'output_format', 'aspect_ratio', 'num_outputs'],
};

function replicateSchema(target: string): Schema {
  const fields = REPLICATE_INPUTS[target.split(':')[0]!];
  if (!fields) throw new Error(`Replicate has no model ${target}`);
  return Object.fromEntries(fields.map((name, index) => [name, { isRequired: index === 0, choices: null }]));
}
