import { describe, expect, it } from '@jest/globals';
import { type Draft, EMPTY_DRAFT } from '../model-form/draft.ts';
import { aModel } from '../testing/model.ts';
import {
  type BatchDraft,
  batchOf,
  bodyOf,
  emptyBatch,
  EMPTY_BATCH,
  nameOf,
  picturesOf,
  settingNames,
  splitTexts,
  valuesOfTexts,
  variableNames,
  withOffered,
  withoutParameter,
} from './batch-draft.ts';

const inputs = { image: 'optional', style: 'optional', style_weights: 'optional' } as const;
const properties = { seed: { type: 'integer' }, width: { type: 'integer' }, look: { type: 'string' } };
const model = (of: object = properties) => aModel(inputs, of);
const picture = { url: 'https://a.example/owl.png', content_type: 'image/*', name: 'owl.png' };
const batch = (part: Partial<BatchDraft>): BatchDraft => ({ ...EMPTY_BATCH, models: ['painter'], ...part });
const matrix = (part: Partial<BatchDraft>) => bodyOf(batch(part)).matrix;

describe('a batch begins with', () => {
  it('what the form of a single generation would send, and four seeds', () => {
    const draft: Draft = {
      ...EMPTY_DRAFT,
      ...{ pid: 3, prompt: 'an {animal}\n in snow', variables: { animal: 'owl' }, style: picture },
      ...{ parameters: { width: 64, other: 1 }, image: { ...picture, output: { generation_id: 7, output: 0 } } },
    };
    expect(batchOf(draft, model())).toEqual({
      ...EMPTY_BATCH,
      ...{ prompts: 'an {animal} in snow', variables: { animal: ['owl'] }, models: ['painter'], personas: [3] },
      ...{ styles: [picture.url], seedsCount: 4 },
      parameters: { width: [64], image: [picture.url], parent: [{ generation_id: 7, output: 0 }] },
    });
  });

  it.each<[what: string, part: Partial<Draft>, properties: object, begins: Partial<BatchDraft>]>([
    ['the seed of the form', { parameters: { seed: 7 } }, properties, { seedsBy: 'list', seeds: ['7'], seedsCount: 4 }],
    ['no seeds for a model that takes none', {}, {}, { seedsBy: 'count', seedsCount: null }],
    ['a trained style before a picture', { pid: 3, trainedStyle: 9, style: picture }, properties, { styles: [9] }],
    ['no style where the form has none', { pid: 3, style: 'none' }, properties, { styles: ['none'] }],
  ])('%s', (_, part, of, begins) => {
    expect(batchOf({ ...EMPTY_DRAFT, ...part }, model(of))).toMatchObject(begins);
  });
});

describe('the request for a batch', () => {
  it('has a prompt for each line, and the values of the variables that prompts use', () => {
    const variables = { animal: ['fox', 'hare'], gone: ['x'], place: [] };
    expect(matrix({ prompts: ' a {animal} \n\n{animal} in {place}', variables })).toEqual({
      models: ['painter'],
      prompts: ['a {animal}', '{animal} in {place}'],
      variables: { animal: ['fox', 'hare'] },
    });
    expect(variableNames({ prompts: '{b} {a}\n{a} {{c}}' })).toEqual(['b', 'a']);
  });

  it('has values that were pasted with commas or on lines, each once', () => {
    expect(splitTexts(['a, b', 'b\n c d ,', ''])).toEqual(['a', 'b', 'c d']);
  });

  it('leaves out lists without values', () => {
    expect(matrix({ models: [], personas: [1], parameters: { width: [] } })).toEqual({ personas: [1] });
  });

  it.each<[what: string, part: Partial<BatchDraft>, sent: object]>([
    ['a number of seeds', { seedsCount: 4, seeds: ['1'] }, { seeds_count: 4 }],
    ['seeds', { seedsBy: 'list', seedsCount: 4, seeds: ['1', '-2'] }, { seeds: [1, -2] }],
    ['what is no seed as it is', { seedsBy: 'list', seeds: ['1.5', 'x'] }, { seeds: ['1.5', 'x'] }],
    ['no seed', { seedsBy: 'list' }, {}],
  ])('has %s', (_, part, sent) => expect(matrix(part)).toEqual({ models: ['painter'], ...sent }));

  it('has a name, else the beginning of the first prompt', () => {
    expect(nameOf({ name: ' Owls ', prompts: 'a' })).toBe('Owls');
    expect(nameOf({ name: ' ', prompts: '\na fox' })).toBe('a fox');
    expect(nameOf({ name: '', prompts: 'x'.repeat(60) })).toBe('x'.repeat(60));
    expect(nameOf({ name: '', prompts: 'x'.repeat(61) })).toBe(`${'x'.repeat(59)}…`);
    expect(nameOf({ name: '', prompts: '' })).toBe('Batch');
  });
});

describe('the parameters of a batch', () => {
  const parameters = { image: ['i'], parent: [{}], extra_image_2: ['e'], width: [64] };

  it('are shown as settings or as pictures, without the output that a picture is', () => {
    expect(settingNames({ parameters })).toEqual(['width']);
    expect(picturesOf({ parameters })).toEqual([
      ['image', 'i'],
      ['extra_image_2', 'e'],
    ]);
  });

  it('lose the output that a picture is with the picture', () => {
    const { width, extra_image_2 } = parameters;
    expect(withoutParameter(batch({ parameters }), 'image')).toEqual({ parameters: { width, extra_image_2 } });
  });

  it('are numbers, truth values and texts, as the models take them', () => {
    const of = (name: string, texts: string[], before: unknown[] = []) => valuesOfTexts(texts, name, before, [model()]);
    expect(of('width', ['64', '0.5', 'true', 'wide'])).toEqual([64, 0.5, true, 'wide']);
    expect(of('look', ['64'])).toEqual(['64']);
    expect(of('width', ['{"a":1}', '2'], [{ a: 1 }])).toEqual([{ a: 1 }, 2]);
  });
});

it('an empty batch has the first model that is offered', () => {
  expect(emptyBatch([{ id: 'painter' }, { id: 'film' }])).toEqual({ ...EMPTY_BATCH, models: ['painter'] });
  expect(emptyBatch([])).toEqual(EMPTY_BATCH);
});

it('a kept batch has the models that are offered now', () => {
  const models = [aModel({}, {}, { aliases: ['old-painter'] })];
  expect(withOffered(batch({ models: ['old-painter', 'painter', 'gone'] }), models)).toEqual(batch({}));
});
