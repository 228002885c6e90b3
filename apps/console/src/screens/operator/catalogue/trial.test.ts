import { expect, it } from '@jest/globals';
import { EMPTY_DRAFT } from '../../../model-form/draft.ts';
import { aModel } from '../../../testing/model.ts';
import { trialFields, trialProblems } from './trial.ts';

const picture = (url: string) => ({ url, name: 'a', content_type: 'image/png' });
const model = aModel({ image: 'required', references: 'optional', max_references: 2 }, { seed: {} });

it('a trial sends what the model takes of the form', () => {
  const draft = {
    ...EMPTY_DRAFT,
    prompt: ' a fox ',
    image: picture('http://a/1'),
    mask: picture('http://a/2'),
    style: 'none' as const,
    references: [picture('http://a/3')],
    parameters: { seed: 7, steps: 9 },
  };
  expect(trialFields(draft, model)).toEqual({
    prompt: 'a fox',
    parameters: { seed: 7 },
    inputs: { image: 'http://a/1', references: ['http://a/3'] },
  });
  expect(trialFields(EMPTY_DRAFT, model)).toEqual({ prompt: null, parameters: {}, inputs: {} });
});

it('what is wrong with a trial stands at the fields of the form', () => {
  expect(trialProblems({ 'inputs.image': ['is required by the model'], 'parameters.seed': ['must be whole'] })).toEqual(
    { image: 'Is required by the model.', seed: 'Must be whole.' },
  );
});
