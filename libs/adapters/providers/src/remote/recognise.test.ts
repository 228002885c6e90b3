import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { vendorFields, type Mapping, type SentPicture, type SubmittedTask } from '#generation';
import { aModel } from '#testing/generation';
import { clockDifference, recognise } from './recognise.ts';

const BYTES = Buffer.from('a picture');
const DATA_URI = `data:image/png;base64,${BYTES.toString('base64')}`;
const BY_BYTES = { sha256: createHash('sha256').update(BYTES).digest('hex') };
const BY_URL = { url: 'https://we.example/files/1.png' };
const MAPPING = { prompt: '{prompt}', seed: '{seed}', image: '{image}' };
const SINCE = new Date('2026-11-24T10:00:00Z');

function aTask(image: SentPicture | null = BY_BYTES, overrides: Partial<SubmittedTask> = {}): SubmittedTask {
  return {
    requestKey: '6f1c2a34-9d1e-4b7a-8c55-0123456789ab',
    model: aModel({ mapping: MAPPING }),
    prompt: 'a fox',
    parameters: { seed: 7, strength: 0.5 },
    pictures: { image, style: null, references: [], mask: null, control: null },
    isIdentifiedBySeed: true,
    ...overrides,
  };
}

/** What a vendor shows of a job of such a task. */
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

  it('may be that of the task when a text names a picture, or pictures are not known', () => {
    const model = aModel({ mapping: { seed: '{seed}', prompt: '{prompt} like {image}' } });
    expect(recognised(shown(aTask(BY_BYTES, { model })), aTask(BY_BYTES, { model }))).toBe('possible');
    const { image: _, ...fields } = shown(aTask()) as Record<string, unknown>;
    expect(recognised(fields, aTask(BY_BYTES, { pictures: null }))).toBe('possible');
  });

  it('may be that of another task when no seed of ours was sent', () => {
    const chosen = aTask(BY_BYTES, { isIdentifiedBySeed: false });
    expect(recognised(shown(chosen), chosen)).toBe('possible');
    const seedless = aTask(BY_BYTES, { model: aModel({ mapping: { prompt: '{prompt}', image: '{image}' } }) });
    expect(recognised(shown(seedless), seedless)).toBe('possible');
    expect(recognised(shown(seedless), { ...seedless, prompt: 'a hare' })).toBe('other');
  });

  it('is not taken for that of the task when it is older, but for whole seconds', () => {
    const at = (ms: number) => recognised(shown(aTask()), aTask(), new Date(SINCE.getTime() + ms));
    expect([at(60_000), at(-2_000), at(-2_001)]).toEqual(['same', 'same', 'possible']);
  });
});

it("a vendor's clock is compared with ours by the date of its response", () => {
  const ahead = (date: string) => clockDifference(new Headers({ date }));
  const difference = ahead(new Date(Date.now() + 3_600_000).toUTCString());
  expect(Math.abs(difference - 3_600_000)).toBeLessThanOrEqual(1_000);
  expect([clockDifference(new Headers()), ahead('soon')]).toEqual([0, 0]);
});
