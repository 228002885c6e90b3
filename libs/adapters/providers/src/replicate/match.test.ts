import { describe, expect, it } from '@jest/globals';
import type { Prediction } from 'replicate';
import { vendorFields, type Mapping, type RemoteTask } from '#generation';
import { aModel } from '#testing/generation';
import { matchOf } from './match.ts';

const KEY = '6f1c2a34-9d1e-4b7a-8c55-0123456789ab';
const PICTURE = 'data:image/png;base64,AAAA';

/** A task, and the prediction that was made of it. */
function pair(mapping: Mapping, overrides: Partial<RemoteTask> = {}): readonly [RemoteTask, Prediction] {
  const inputs = { image: null, style: null, references: [], mask: null, control: null };
  const model = aModel({ target: 'owner/name', mapping });
  const parameters = { seed: 7, strength: 0.5 };
  const task = { requestKey: KEY, model, prompt: 'a fox', parameters, inputs, folder: '/', ...overrides };
  const sent = { ...task.parameters, prompt: task.prompt, image: PICTURE, references: [PICTURE] };
  return [task, { model: 'owner/name', version: 'hidden', input: vendorFields(mapping, sent) } as never];
}

describe('a prediction without a webhook is recognised', () => {
  it.each<[string, Mapping]>([
    ['by fields of its own', { prompt: '{prompt}', seed: '{seed}', image: '{image}' }],
    [
      'when a field has pictures and parameters',
      { prompt: '{prompt}', seed: '{seed}', control: { url: '{image}', weight: '{strength}' } },
    ],
    ['when a list has pictures and text', { seed: '{seed}', images: ['{image}', 'https://example.com/fixed.png'] }],
    [
      'when pictures and parameters share a field by its paths',
      { seed: '{seed}', 'images.0.url': '{image}', 'images.0.weight': '{strength}' },
    ],
    ['when a text names a picture', { seed: '{seed}', prompt: '{prompt} like {image}' }],
  ])('%s', (_, mapping) => {
    const [task, prediction] = pair(mapping);
    expect(matchOf(prediction, task)).toBe('same');
    const [other] = pair(mapping, { parameters: { ...task.parameters, seed: 8 } });
    expect(matchOf(prediction, other)).toBe('other');
  });

  it('only perhaps, when no seed was sent', () => {
    const mapping = { prompt: '{prompt}', image: '{image}' };
    expect(matchOf(pair(mapping)[1], pair(mapping)[0])).toBe('possible');
    const [task, prediction] = pair({ ...mapping, seed: '{seed}' }, { parameters: {} });
    expect(matchOf(prediction, task)).toBe('possible');
    expect(matchOf(prediction, { ...task, prompt: 'a hare' })).toBe('other');
  });
});

it('a prediction with a webhook is recognised by the request key in it alone', () => {
  const [task, prediction] = pair({ seed: '{seed}' });
  const called = (key: string) => ({ ...prediction, webhook: `https://example.com/webhook?key=${key}` });
  expect(matchOf(called(KEY), task)).toBe('same');
  expect(matchOf(called(crypto.randomUUID()), task)).toBe('other');
});
