import { describe, expect, it } from '@jest/globals';
import type { GenerationResponse } from '../api/index.ts';
import { draftOf, EMPTY_DRAFT, inputsOfPersona, isMissing, requestOf } from './draft.ts';
import { aModel } from '../testing/model.ts';

const picture = (url: string) => ({ url, content_type: 'image/png', name: url });

const full = {
  ...EMPTY_DRAFT,
  pid: 3,
  prompt: ' a fox ',
  image: picture('i'),
  style: picture('s'),
  references: [picture('r1'), picture('r2')],
  mask: picture('m'),
  control: picture('c'),
  parameters: { seed: 7, other: 1, empty: undefined },
};

describe('the request for a draft', () => {
  it('has the pictures and parameters that the model takes, and no others', () => {
    expect(requestOf(full, aModel({}))).toEqual({ model: 'painter', pid: 3, prompt: 'a fox' });
    const taking = { image: 'required', style: 'optional', references: 'optional', max_references: 1 } as const;
    expect(requestOf(full, aModel({ ...taking, mask: 'optional', control: 'optional' }, { seed: {} }))).toEqual({
      ...{ model: 'painter', pid: 3, prompt: 'a fox', seed: 7 },
      ...{ image: 'i', style_transfer: 's', extra_image_1: 'r1', mask_image: 'm', control_image: 'c' },
    });
  });

  it('sends `none` as the style only with a persona', () => {
    const styled = aModel({ style: 'optional' });
    expect(requestOf({ ...EMPTY_DRAFT, pid: 3, style: 'none' }, styled)).toMatchObject({ style_transfer: 'none' });
    expect(requestOf({ ...EMPTY_DRAFT, style: 'none' }, styled)).toEqual({ model: 'painter' });
  });
});

it('an image that is an output is sent with it as the parent, if the model takes an image', () => {
  const output = { generation_id: 12, output: 1 };
  const draft = { ...EMPTY_DRAFT, image: { url: 'i', content_type: 'image/png', name: 'i', output } };
  expect(requestOf(draft, aModel({ image: 'optional' }))).toEqual({ model: 'painter', image: 'i', parent: output });
  expect(requestOf(draft, aModel({}))).toEqual({ model: 'painter' });
});

describe('the draft of a generation', () => {
  const inputs = { image: 'i', start_frame: null, style_reference: null, references: [], mask: null, control: null };
  const generation = { model: 'painter', pid: 3, prompt: null, parameters: { seed: 7 }, inputs };
  const takesImage = aModel({ image: 'optional' }, { seed: { maximum: 9 } });

  it('names its pictures, and uses no style if it had none', () => {
    const draft = draftOf(generation as unknown as GenerationResponse, takesImage);
    expect(draft).toMatchObject({ pid: 3, prompt: '', image: { url: 'i' }, style: 'none', parameters: { seed: 7 } });
  });

  it('goes on from the output that the generation went on from', () => {
    const parent = { generation_id: 12, output: 0 };
    const draft = draftOf({ ...generation, parent } as unknown as GenerationResponse, takesImage);
    expect(requestOf(draft, takesImage)).toMatchObject({ image: 'i', parent });
  });

  it('leaves the persona out if the persona would add a main image', () => {
    const without = { ...generation, inputs: { ...inputs, image: null } } as unknown as GenerationResponse;
    expect(draftOf(without, takesImage).pid).toBeNull();
    expect(draftOf(without, aModel({})).pid).toBe(3);
  });
});

it('inputs that the request does not name come from the persona', () => {
  const pictures = { image: 'i', start_frame: null, style_reference: 's', mask: 'm', control: null };
  const inputs = { ...pictures, references: ['r'], pictures: [] };
  expect(inputsOfPersona(inputs, { pid: 3 })).toEqual({ ...inputs, mask: null });
  const own = { pid: 3, image: 'i', style_transfer: 's', extra_image_1: 'r' };
  expect(inputsOfPersona(inputs, own)).toMatchObject({ image: null, style_reference: null, references: [] });
});

it('a field is missing if its picture was not chosen', () => {
  expect(isMissing('image', EMPTY_DRAFT)).toBe(true);
  expect(isMissing('image', full)).toBe(false);
  expect(isMissing('extra_image_1', EMPTY_DRAFT)).toBe(true);
  expect(isMissing('seed', EMPTY_DRAFT)).toBe(false);
});
