import { describe, expect, it } from '@jest/globals';
import { proposeComfyui } from './comfyui.ts';
import { proposeFal } from './fal.ts';
import { proposeOpenai } from './openai.ts';
import type { Answers, Proposal } from './proposal.ts';
import { proposeReplicate } from './replicate.ts';
import { parseVendorJson } from './schema.ts';

const PROMPT = { prompt: { type: 'string' } };

/** A model of Replicate that makes pictures, with these input fields and further schemas. */
function ofFields(properties: object, schemas: object = {}, answers: Answers = {}, required: readonly string[] = []) {
  const document = { components: { schemas: { Input: { properties, required }, ...schemas } } };
  const model = { owner: 'owner', name: 'name', default_example: { output: 'https://vendor.example/a.png' } };
  // As if the vendor had sent it: names such as __proto__ are fields.
  const sent = parseVendorJson(JSON.stringify({ ...model, latest_version: { openapi_schema: document } }));
  return proposeReplicate(sent, { provider: 'vendor', answers });
}

const parametersOf = ({ entry }: Proposal) => entry.parameters ?? {};
const many = (count: number, type: object = { type: 'string' }) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`field_${index}`, type]));

describe('the size of a schema', () => {
  it('is limited before it is parsed', () => {
    const exact = `"${'x'.repeat(8 * 1024 * 1024 - 2)}"`;
    expect(parseVendorJson(exact)).toHaveLength(8 * 1024 * 1024 - 2);
    expect(() => parseVendorJson(`${exact} `)).toThrow('target has a schema of more than 8 MiB');
    // Three bytes a character.
    expect(() => parseVendorJson(`"${'語'.repeat(3 * 1024 * 1024)}"`)).toThrow('more than 8 MiB');
    expect(() => parseVendorJson('{')).toThrow('target has a schema that is not JSON');
  });

  it('is limited to 300 input fields', () => {
    expect(Object.keys(parametersOf(ofFields(many(300))))).toHaveLength(300);
    expect(() => ofFields(many(301))).toThrow('target has 301 input fields; at most 300 can be read');
    expect(() => ofFields(many(5_000))).toThrow('target has 5000 input fields');
    expect(() => ofFields({})).toThrow('target has a schema without input fields');
  });

  it('is limited to 500 choices of a field', () => {
    const choices = (count: number) => Array.from({ length: count }, (_, index) => `choice ${index}`);
    const proposal = ofFields({
      few: { type: 'string', enum: choices(500) },
      many: { type: 'string', enum: choices(501) },
    });
    expect(parametersOf(proposal)).toEqual({ few: { type: 'string', enum: choices(500) } });
    expect(proposal.leftOut).toEqual([{ field: 'many', reason: 'structure', declaration: null }]);
  });
});

describe('references', () => {
  it('may form cycles', () => {
    const schemas = {
      one: { allOf: [{ $ref: '#/components/schemas/two' }] },
      two: { anyOf: [{ $ref: '#/components/schemas/one' }, { type: 'integer' }] },
    };
    const proposal = ofFields({ ...PROMPT, size: { $ref: '#/components/schemas/one', maximum: 4 } }, schemas);
    expect(parametersOf(proposal)).toEqual({ size: { type: 'integer', maximum: 4 } });
  });

  it('are refused when they multiply', () => {
    const many = (name: string) => ({ allOf: Array<object>(20).fill({ $ref: `#/components/schemas/${name}` }) });
    const bomb = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`s${index}`, many(`s${index + 1}`)]));
    const before = process.threadCpuUsage();
    expect(() => ofFields({ size: many('s0') }, bomb)).toThrow('target has a schema that is too complex');
    expect(process.threadCpuUsage(before).user).toBeLessThan(1_000_000);
  });

  it('lead only into the document', () => {
    const fields = ['https://evil.example/#/a', '#/__proto__', '#/components/schemas/constructor', '#/'];
    const proposal = ofFields(Object.fromEntries(fields.map(($ref, index) => [`f${index}`, { $ref }])));
    expect(parametersOf(proposal)).toEqual({});
  });

  it('may be nested deeply in texts that are lists', () => {
    const deep = `{"components":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const model = parseVendorJson(`{"owner":"o","name":"n","latest_version":{"openapi_schema":${deep}}}`);
    expect(() => proposeReplicate(model, { provider: 'vendor' })).toThrow('target has a schema without input fields');
  });
});

describe('names', () => {
  const hostile = JSON.parse(
    '{"__proto__":{"type":"string"},"constructor":{"type":"string"},"prototype":{"type":"integer"},"a.b":{"type":"string"},' +
      '"":{"type":"string"},"{prompt}":{"type":"string"},"guidance-scale":{"type":"number"},"4k":{"type":"boolean"},' +
      '"webhook":{"type":"string"},"pid":{"type":"integer"},"Ünï":{"type":"string"}}',
  ) as object;

  it('that no mapping can set are left out, and others become valid', () => {
    const proposal = ofFields(hostile);
    expect(Object.keys(parametersOf(proposal))).toEqual(['guidance_scale', 'k', 'pid_option']);
    expect(proposal.entry.mapping).toEqual({ 'guidance-scale': '{guidance_scale}', '4k': '{k}', pid: '{pid_option}' });
    expect(proposal.leftOut.map(({ field, reason }) => [field, reason])).toEqual([
      ...['__proto__', 'constructor', 'prototype', 'a.b', '', '{prompt}'].map((name) => [name, 'name']),
      ['webhook', 'transport'],
      ['Ünï', 'name'],
    ]);
    expect(Object.hasOwn(Object.prototype, 'type')).toBe(false);
  });

  it('that become the same are told apart', () => {
    const proposal = ofFields({
      'a-b': { type: 'string' },
      a_b: { type: 'integer' },
      A_B: { type: 'boolean' },
      num_images: { type: 'integer' },
      count: { type: 'number' },
    });
    expect(Object.keys(parametersOf(proposal))).toEqual(['a_b', 'a_b_2', 'a_b_3', 'count', 'count_2']);
  });

  it('of 100 characters are the longest', () => {
    const proposal = ofFields({ ['n'.repeat(100)]: { type: 'integer' }, ['m'.repeat(101)]: { type: 'integer' } });
    expect(Object.keys(parametersOf(proposal))).toEqual(['n'.repeat(80)]);
    expect(proposal.leftOut).toMatchObject([{ reason: 'name' }]);
  });
});

describe('texts', () => {
  it('lose control characters and direction marks, and are cut', () => {
    const description = `\u0000A\u202Eb\u0007\n\n c ${'x'.repeat(100_000)}`;
    const { size } = parametersOf(ofFields({ size: { type: 'integer', description } }));
    expect(size!.description).toMatch(/^A b c x+…$/);
    expect(size!.description).toHaveLength(500);
  });

  it('that callers send again are kept exactly, or dropped', () => {
    const parameters = parametersOf(
      ofFields({
        plain: { type: 'string', default: 'a\nb' },
        nul: { type: 'string', default: 'a\u0000' },
        long: { type: 'string', default: 'x'.repeat(2_001) },
        choice: { type: 'string', enum: ['a', 'b\u202E', 'x'.repeat(201), 'x'.repeat(200), 4, null, 'a'] },
      }),
    );
    expect(parameters).toEqual({
      plain: { type: 'string', default: 'a\nb' },
      nul: { type: 'string' },
      long: { type: 'string' },
      choice: { type: 'string', enum: ['a', 'x'.repeat(200)] },
    });
  });

  it('have no patterns', () => {
    const text = { type: 'string', pattern: '^(a+)+$', format: 'regex', maxLength: 40 };
    expect(parametersOf(ofFields({ text, texts: { type: 'array', items: text, maxItems: 3 } }))).toEqual({
      texts: { type: 'array', items: { type: 'string', maxLength: 40 }, maxItems: 3 },
    });
  });
});

describe('limits', () => {
  it('that contradict each other or the default are dropped', () => {
    const parameters = parametersOf(
      ofFields({
        crossed: { type: 'integer', minimum: 5, maximum: 1, default: 3 },
        outside: { type: 'integer', minimum: 5, default: 4 },
        fraction: { type: 'integer', default: 1.5 },
        tenths: { type: 'number', multipleOf: 0.1, default: 1.3 },
        steps: { type: 'integer', multipleOf: 8, default: 12 },
        exclusive: { type: 'integer', minimum: '1', exclusiveMinimum: true, maximum: null },
        huge: { type: 'integer', maximum: 18446744073709551615 },
        lengths: { type: 'string', minLength: 3, maxLength: 2 },
        negative: { type: 'string', maxLength: -1 },
      }),
    );
    expect(parameters).toEqual({
      crossed: { type: 'integer', default: 3 },
      outside: { type: 'integer', minimum: 5 },
      fraction: { type: 'integer' },
      tenths: { type: 'number', default: 1.3 },
      steps: { type: 'integer', multipleOf: 8 },
      exclusive: { type: 'integer' },
      huge: { type: 'integer' },
      lengths: { type: 'string' },
      negative_prompt: { type: 'string' },
    });
  });

  it('of what is charged by are above 0, and seeds have no default', () => {
    const proposal = ofFields({
      num_outputs: { type: 'integer', minimum: 0, maximum: 4, default: 0 },
      duration: { type: 'string', enum: ['auto', '5s', '10s', '0'], default: 'auto' },
      seed: { type: 'integer', minimum: -1, maximum: 99, default: -1 },
    });
    expect(parametersOf(proposal)).toEqual({
      count: { type: 'integer', minimum: 1, maximum: 4, default: 1 },
      duration: { type: 'integer', enum: [5, 10], default: 5 },
      seed: { type: 'integer', minimum: -1, maximum: 99 },
    });
    expect(proposal.entry.mapping['duration']).toEqual({ from: 'duration', values: { '5': '5s', '10': '10s' } });
  });
});

describe('what callers may not set', () => {
  it('is left out: URLs that are no pictures, secrets, moderation, weights, further outputs', () => {
    const proposal = ofFields({
      ...PROMPT,
      audio_url: { type: 'string' },
      openai_api_key: { type: 'string' },
      disable_safety_checker: { type: 'boolean' },
      lora_weights: { type: 'string' },
      max_images: { type: 'integer' },
      elements: { type: 'array', items: { type: 'object', properties: { image_url: { type: 'string' } } } },
    });
    expect(parametersOf(proposal)).toEqual({});
    expect(proposal.leftOut.map(({ reason }) => reason)).toEqual([
      ...['file', 'secret', 'safety', 'weights', 'multiplies', 'structure'],
    ]);
  });

  it('refuses a model that requires it', () => {
    const refusing = () => ofFields({ ...PROMPT, audio_url: { type: 'string' } }, {}, {}, ['audio_url']);
    expect(refusing).toThrow('target requires audio_url: a file that is not a picture, which no caller can send');
  });
});

describe('questions and answers', () => {
  const swap = (answers: Answers) =>
    ofFields(
      { swap_image: { type: 'string', format: 'uri' }, kind_of: { type: 'string', enum: ['a', 'b'] } },
      {},
      answers,
      ['swap_image', 'kind_of'],
    );

  it('asks for pictures and defaults, and for the tasks once they are known', () => {
    expect(swap({}).questions.map(({ about }) => about)).toEqual(['cost', 'picture', 'default']);
    const some: Answers = { pictures: { swap_image: 'image' }, defaults: { kind_of: 'b' }, cost: 4 };
    expect(swap(some).questions).toEqual([{ about: 'tasks', suggested: [] }]);
    expect(swap({ ...some, tasks: ['vary'] })).toMatchObject({
      questions: [],
      entry: {
        cost: 4,
        tasks: ['vary'],
        inputs: { image: 'required' },
        parameters: { kind_of: { enum: ['a', 'b'], default: 'b' } },
        mapping: { swap_image: '{image}', kind_of: '{kind_of}' },
      },
    });
  });

  it.each<[Answers, string]>([
    [{ pictures: { swap_image: 'references' } }, 'answers.pictures.swap_image must be one of image, style'],
    [{ pictures: { swap_image: 'none' } }, 'answers.pictures.swap_image must be one of'],
    [{ defaults: { kind_of: 'c' } }, 'answers.defaults.kind_of does not fit'],
    [{ kind: 'sound' as 'image' }, 'answers.kind must be one of image, video'],
    [{ tasks: ['paint' as 'vary'] }, 'answers.tasks must be one of generate'],
    [{ prompt: 'swap_image' }, 'answers.prompt must be one of'],
  ])('refuses %j', (answers, message) => {
    expect(() => swap(answers)).toThrow(message);
  });

  it('never takes a price for a cost', () => {
    const price = { amount: 0.04, currency: 'USD', unit: 'image' };
    const { entry, questions } = proposeOpenai('gpt-image-2', { provider: 'vendor', price });
    expect(entry.cost).toBe(undefined);
    const parameters = ['size', 'quality', 'background', 'output_format'];
    expect(questions).toEqual([{ about: 'cost', price, parameters, units: ['output'] }]);
  });
});

describe('workflows', () => {
  const save = { class_type: 'SaveImage', inputs: { images: ['1', 0] } };
  const propose = (workflow: unknown, answers: Answers = {}) =>
    proposeComfyui(workflow, { provider: 'vendor', name: 'flow', answers });

  it('are refused in the editor format, without outputs, and too large', () => {
    expect(() => propose({ nodes: [], links: [] })).toThrow('target must be a workflow in API format');
    expect(() => propose({ 1: { class_type: 'KSampler', inputs: {} } })).toThrow('target has no node that saves');
    expect(() => propose({ 1: { class_type: 'SaveAudio', inputs: {} } })).toThrow('target saves sounds only');
    const nodes = Object.fromEntries(Array.from({ length: 301 }, (_, index) => [index, save]));
    expect(() => propose(nodes)).toThrow('target has 301 nodes; at most 300 can be read');
    expect(() => propose({ 1: save, 2: { class_type: 'A', inputs: many(3_000) } })).toThrow('has 3001 inputs of nodes');
  });

  it('may have cycles, and links to nowhere', () => {
    const node = (inputs: object) => ({ class_type: 'ConditioningCombine', inputs });
    const sampler = { class_type: 'KSampler', inputs: { positive: ['2', 0], negative: ['9', 0], seed: 1 } };
    const { entry } = propose({ 1: sampler, 2: node({ a: ['3', 0] }), 3: node({ a: ['2', 0], b: ['4', 0] }), 5: save });
    expect(entry.mapping).toEqual({ '1.inputs.seed': '{seed}' });
  });

  it('ask which text is the prompt when samplers have different ones', () => {
    const text = (words: string) => ({ class_type: 'CLIPTextEncode', inputs: { text: words } });
    const sampler = (id: string) => ({ class_type: 'KSampler', inputs: { positive: [id, 0] } });
    const workflow = { 1: sampler('3'), 2: sampler('4'), 3: text('a fox'), 4: text('a cat'), 5: save };
    const choices = ['3.inputs.text', '4.inputs.text'];
    expect(propose(workflow).questions).toContainEqual({ about: 'prompt', choices });
    expect(propose(workflow, { prompt: '4.inputs.text' }).entry.mapping).toEqual({ '4.inputs.text': '{prompt}' });
    const same = propose({ ...workflow, 4: text('a fox') });
    expect(same.entry.mapping).toEqual({ '3.inputs.text': '{prompt}', '4.inputs.text': '{prompt}' });
  });

  it('keep nodes whose id no mapping can name as they are', () => {
    const { entry, leftOut } = propose({ 'a.b': { class_type: 'KSampler', inputs: { seed: 1 } }, 5: save });
    expect(entry.mapping).toEqual({});
    expect(leftOut).toMatchObject([{ field: 'a.b.inputs.seed', reason: 'name' }]);
  });
});

it.each([null, 4, 'text', [], {}, { paths: 4 }, { paths: { '/a': null } }])('refuses %j of any vendor', (schema) => {
  const options = { provider: 'vendor', name: 'name' };
  for (const propose of [proposeReplicate, proposeFal, proposeComfyui]) {
    expect(() => propose(schema, options)).toThrow(/^target must be/);
  }
  expect(() => proposeOpenai('\u0007', options)).toThrow('target must be the name of a model');
});
