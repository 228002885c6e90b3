import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { vendorFields, type Mapping } from '#catalogue';
import type { SentPicture, SubmittedTask } from '#generation';
import { aModel, aTrainer } from '#testing/catalogue';
import { aSubmittedTask, NO_INPUTS } from '#testing/generation';
import { clockDifference, recognise } from './recognise.ts';

const BYTES = Buffer.from('a picture');
const DATA_URI = `data:image/png;base64,${BYTES.toString('base64')}`;
const BY_BYTES = { sha256: createHash('sha256').update(BYTES).digest('hex') };
const BY_URL = { url: 'https://we.example/files/1.png' };
const MAPPING = { prompt: '{prompt}', seed: '{seed}', image: '{image}' };
const SINCE = new Date('2026-11-24T10:00:00Z');

function aTask(image: SentPicture | null = BY_BYTES, overrides: Partial<SubmittedTask> = {}): SubmittedTask {
  const said = { prompt: 'a fox', parameters: { seed: 7, strength: 0.5 } };
  const pictures = { ...NO_INPUTS, image };
  return aSubmittedTask({ model: aModel({ mapping: MAPPING }), ...said, pictures, ...overrides });
}

/** A job of such a task as a vendor lists it. */
function shown(task: SubmittedTask, image: string = DATA_URI): unknown {
  return vendorFields(task.model.mapping, { ...task.parameters, prompt: task.prompt, image, references: [image] });
}

const recognised = (fields: unknown, task: SubmittedTask, createdAt = SINCE) =>
  recognise({ fields, createdAt }, task, SINCE);

describe('a job that a vendor lists', () => {
  it.each<[string, Mapping]>([
    ['with fields of its own', MAPPING],
    [
      'with a field that has a picture and a parameter',
      { seed: '{seed}', control: { url: '{image}', at: '{strength}' } },
    ],
    ['with a list of pictures and texts', { seed: '{seed}', images: ['{image}', 'https://example.com/fixed.png'] }],
    [
      'with a picture and a parameter by paths',
      { seed: '{seed}', 'images.0.url': '{image}', 'images.0.at': '{strength}' },
    ],
    ['with nested fields', { 'input.seed': '{seed}', 'input.text': 'a photo of {prompt}' }],
  ])('%s is that of the task, and with another seed that of another', (_, mapping) => {
    const task = aTask(BY_BYTES, { model: aModel({ mapping }) });
    expect(recognised(shown(task), task)).toBe('same');
    expect(recognised(shown({ ...task, parameters: { ...task.parameters, seed: 8 } }), task)).toBe('other');
    expect(recognised({ ...(shown(task) as object), added: 'by the vendor' }, task)).toBe('same');
  });

  it.each<[string, SentPicture | null, string, string]>([
    ['with the same bytes', BY_BYTES, DATA_URI, 'same'],
    ['with other bytes', BY_BYTES, `data:image/png;base64,${Buffer.from('other').toString('base64')}`, 'other'],
    ['with the same URL', BY_URL, BY_URL.url, 'same'],
    ['with another URL', BY_URL, 'https://we.example/files/2.png', 'other'],
    ['with a URL of the vendor, which says nothing', BY_BYTES, 'https://vendor.example/upload/1', 'possible'],
    ['with bytes where a URL was sent', BY_URL, DATA_URI, 'other'],
  ])('%s in place of the picture: %s', (_, sent, image, match) => {
    expect(recognised(shown(aTask(), image), aTask(sent))).toBe(match);
  });

  it('may be the submission of the task when a text names a picture, or pictures are not known', () => {
    const model = aModel({ mapping: { seed: '{seed}', prompt: '{prompt} like {image}' } });
    expect(recognised(shown(aTask(BY_BYTES, { model })), aTask(BY_BYTES, { model }))).toBe('possible');
    const { image: _, ...fields } = shown(aTask()) as Record<string, unknown>;
    expect(recognised(fields, aTask(BY_BYTES, { pictures: null }))).toBe('possible');
  });

  it('may be the submission of another task when no seed of ours was sent', () => {
    const chosen = aTask(BY_BYTES, { isIdentifiedBySeed: false });
    expect(recognised(shown(chosen), chosen)).toBe('possible');
    const seedless = aTask(BY_BYTES, { model: aModel({ mapping: { prompt: '{prompt}', image: '{image}' } }) });
    expect(recognised(shown(seedless), seedless)).toBe('possible');
    expect(recognised(shown(seedless), { ...seedless, prompt: 'a hare' })).toBe('other');
  });

  it('is not recognized when it is more than a second older than the task', () => {
    const at = (ms: number) => recognised(shown(aTask()), aTask(), new Date(SINCE.getTime() + ms));
    expect([at(60_000), at(-2_000), at(-2_001)]).toEqual(['same', 'same', 'possible']);
  });
});

describe('a training that a vendor lists', () => {
  const trainer = aTrainer({ mapping: { images: '{pictures}', word: '{trigger}', steps: '{steps}' } });
  const pictures = { ...NO_INPUTS, pictures: [BY_BYTES] };
  const training = (overrides: Partial<SubmittedTask> = {}): SubmittedTask =>
    aTask(null, { model: trainer, prompt: null, parameters: { steps: 9 }, pictures, trigger: 'x12a', ...overrides });
  const fields = { images: 'https://vendor.example/upload/pictures.zip', word: 'x12a', steps: 9 };

  it.each<[string, string, unknown, Partial<SubmittedTask>]>([
    ['with its word, wherever its zip is', 'same', fields, {}],
    ['with another word', 'other', { ...fields, word: 'x12b' }, {}],
    ['with another parameter', 'other', { ...fields, steps: 8 }, {}],
    ['without a zip', 'other', { ...fields, images: undefined }, {}],
    [
      'of a trainer that has no words',
      'possible',
      fields,
      { model: { ...trainer, mapping: { images: '{pictures}', steps: '{steps}' } } },
    ],
  ])('%s is %s', (_what, match, shownFields, overrides) => {
    expect(recognised(shownFields, training({ isIdentifiedBySeed: false, ...overrides }))).toBe(match);
  });

  it('is not recognized when it is older', () => {
    const task = training({ isIdentifiedBySeed: false });
    expect(recognised(fields, task, new Date(SINCE.getTime() - 2_001))).toBe('possible');
  });
});

describe('a job with a trained style that a vendor lists', () => {
  const mapping = {
    seed: '{seed}',
    prompt: '{style_trigger} {prompt}',
    loras: [{ path: '{style_weights}', scale: 1 }],
  };
  const styled = (overrides: Partial<SubmittedTask> = {}) =>
    aTask(null, { model: aModel({ mapping }), trigger: 'x12a', ...overrides });
  const fields = { seed: 7, prompt: 'x12a a fox', loras: [{ path: 'https://we.example/w?signature=1', scale: 1 }] };

  it.each<[string, string, unknown, Partial<SubmittedTask>]>([
    ['with its seed, whatever the URL of the weights', 'same', fields, {}],
    ['with another style', 'other', { ...fields, prompt: 'x12b a fox' }, {}],
    ['without a style', 'other', { ...fields, loras: undefined }, {}],
    ['with a seed of the caller', 'possible', fields, { isIdentifiedBySeed: false }],
  ])('%s is %s', (_what, match, shownFields, overrides) => {
    expect(recognised(shownFields, styled(overrides))).toBe(match);
  });
});

it("a vendor's clock is compared with ours by the date of its response", () => {
  const ahead = (date: string) => clockDifference(new Headers({ date }));
  const start = Date.now();
  const passed = 3_600_000 - ahead(new Date(start + 3_600_000).toUTCString());
  expect([passed >= -1_000, passed <= Date.now() - start + 1_000]).toEqual([true, true]);
  expect([clockDifference(new Headers()), ahead('soon')]).toEqual([0, 0]);
});
