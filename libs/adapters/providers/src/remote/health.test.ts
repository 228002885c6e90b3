import { expect, it } from '@jest/globals';
import type { Model } from '#catalogue';
import { healthOf } from './health.ts';

const model = { target: 'ada/fox' } as Model;
const remedyFor = async (of: Model | null, found: boolean | null) => (await healthOf(of, async () => found)).remedy;

it('the remedy for a target that a provider lacks names it', async () => {
  expect(await remedyFor(model, false)).toBe('check the target ada/fox: the provider does not have it');
});

it('the remedy without a model is the address', async () => {
  expect(await remedyFor(null, false)).toBe('check base_url: what responds there is not this provider');
});

it('what is found, or cannot be looked up, needs no remedy', async () => {
  expect([await remedyFor(model, true), await remedyFor(model, null), await remedyFor(null, null)]).toEqual([
    null,
    null,
    null,
  ]);
});
