import { describe, expect, it } from '@jest/globals';
import type { Prediction } from 'replicate';
import type { SubmittedTask } from '#generation';
import { aModel, aTrainer } from '#testing/catalogue';
import { aSubmittedTask, NO_INPUTS } from '#testing/generation';
import { matchOf } from './match.ts';
import { stateOf } from './states.ts';

const model = aModel({ target: 'owner/name', mapping: { prompt: '{prompt}', seed: '{seed}', image: '{image}' } });
const task = aSubmittedTask({
  model,
  prompt: 'a house',
  pictures: { ...NO_INPUTS, image: { url: 'https://we.example/1.png' } },
});

function aPrediction(overrides: Partial<Prediction> = {}): Prediction {
  return {
    id: 'p1',
    status: 'processing',
    model: 'owner/name',
    version: 'hidden',
    input: { prompt: 'a house', seed: 7, image: 'https://we.example/1.png' },
    data_removed: false,
    source: 'api',
    created_at: '2026-11-22T08:00:00.000Z',
    urls: { get: '', cancel: '' },
    ...overrides,
  };
}

it.each<[string, Partial<Prediction>, Partial<SubmittedTask>, 'same' | 'possible' | 'other']>([
  ['without a webhook, with prompt, seed and picture, is the one', {}, {}, 'same'],
  ['of another model is another', { model: 'owner/other' }, {}, 'other'],
  ['whose input was deleted may be the one', { data_removed: true, input: {} }, {}, 'possible'],
  [
    'of the version is the one',
    { model: 'owner/name', version: 'abc' },
    { model: { ...model, target: 'owner/name:abc' } },
    'same',
  ],
  ['of another version is another', { version: 'abd' }, { model: { ...model, target: 'owner/name:abc' } }, 'other'],
  ['of a version by its id is the one', { version: 'abc' }, { model: { ...model, target: 'abc' } }, 'same'],
])('A prediction in the list %s', (_what, prediction, overrides, expected) => {
  const now = new Date();
  expect(matchOf(aPrediction(prediction), now, { ...task, ...overrides }, now)).toBe(expected);
});

describe('A training in the list, without a webhook', () => {
  const mapping = { destination: 'acme/styles', input_images: '{pictures}', trigger_word: '{trigger}' };
  const training = {
    ...task,
    model: aTrainer({ target: 'owner/trainer:abc', mapping }),
    prompt: null,
    parameters: {},
    trigger: 'x12a',
    pictures: { ...NO_INPUTS, pictures: [{ sha256: '00' }] },
  } satisfies SubmittedTask;
  const input = { input_images: 'https://vendor.example/pictures.zip', trigger_word: 'x12a' };

  it.each<[string, Partial<Prediction>, 'same' | 'other']>([
    ['is the one with its word: the list does not show its destination', { input }, 'same'],
    ['with another word is another', { input: { ...input, trigger_word: 'x12b' } }, 'other'],
    ['of another version is another', { input, version: 'abd' }, 'other'],
  ])('%s', (_what, overrides, expected) => {
    const now = new Date();
    const listed = aPrediction({ model: 'owner/trainer', version: 'abc', ...overrides });
    expect(matchOf(listed, now, training, now)).toBe(expected);
  });

  it('has made the version that a prediction runs, whichever it is', () => {
    const now = new Date();
    const styled = { ...task, model: { ...model, target: '{style_weights}' } };
    expect(matchOf(aPrediction({ version: 'trained' }), now, styled, now)).toBe('same');
  });
});

describe('The state of a prediction', () => {
  it.each<[string, string, boolean]>([
    ['The input or output was flagged as sensitive. (E005) (abc)', 'content_rejected', false],
    ['NSFW content detected. Try running it again, or try a different prompt.', 'content_rejected', false],
    ['Prediction interrupted; please retry (code: PA)', 'provider_unavailable', true],
    ['E6716: timeout starting prediction', 'provider_unavailable', true],
    ['Invalid input: width must be a multiple of 8', 'invalid_input', false],
    ["cannot identify image file '/tmp/x'", 'unusable_output', false],
  ])('failed with %j', (error, code, retryable) => {
    const state = stateOf(aPrediction({ status: 'failed', error }), 'image', 600);
    expect(state).toMatchObject({ state: 'failed', failure: { code, retryable } });
    if (code === 'unusable_output') {
      expect(state).toMatchObject({ failure: { message: 'the model failed at the provider' } });
    }
  });

  it('is pending, with the progress of its last bar', () => {
    const logs = 'loading\n 10%|█ | 1/10 [00:01]\n 40%|███ | 4/10 [00:02]\nsaving';
    expect(stateOf(aPrediction({ logs }), 'image', 600)).toMatchObject({ state: 'pending', progress: 0.4 });
    expect(stateOf(aPrediction({ status: 'starting' }), 'image', 600)).toMatchObject({
      state: 'pending',
      progress: null,
    });
    const strange = aPrediction({ status: 'daydreaming' as never });
    expect(stateOf(strange, 'image', 600)).toMatchObject({ state: 'pending' });
  });

  it('is canceled, or out of time', () => {
    expect(stateOf(aPrediction({ status: 'canceled' }), 'image', 600)).toEqual({ state: 'canceled' });
    const after = (seconds: number, cancelAfter = 600) => {
      const completed_at = new Date(Date.parse(aPrediction().created_at) + seconds * 1_000).toISOString();
      return stateOf(aPrediction({ status: 'canceled', completed_at }), 'image', cancelAfter);
    };
    expect([after(599), after(599, NaN)]).toEqual(Array(2).fill({ state: 'canceled' }));
    // By our own Cancel-After.
    expect(after(600)).toMatchObject({ state: 'failed', failure: { code: 'timed_out' } });
    expect(stateOf(aPrediction({ status: 'aborted' }), 'image', 600)).toMatchObject({ failure: { code: 'timed_out' } });
  });

  const [png, mp4, glb] = ['png', 'mp4', 'glb'].map((type) => `https://delivery.example/a/out.${type}`);
  it.each<[string, string, unknown, unknown[]]>([
    ['a URL', 'image', png, [png]],
    ['a list', 'image', [png, `${png}?b`], [png, `${png}?b`]],
    ['names with the wanted one among them', 'model3d', { video: mp4, mesh: glb, text: 'no URL', none: null }, [glb]],
    ['none of the kind', 'image', { video: mp4 }, [mp4]],
    ['a text', 'image', 'a house by the sea', []],
    ['nothing', 'image', null, []],
  ])('ended with %s', (_what, kind, output, urls) => {
    const state = stateOf(aPrediction({ status: 'succeeded', output }), kind, 600);
    expect(state).toEqual({
      state: 'ended',
      outputs: urls.map((url) => ({ url, label: null, score: null })),
      cost: null,
    });
  });
});
