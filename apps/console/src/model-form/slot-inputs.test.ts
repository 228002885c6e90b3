import { expect, it } from '@jest/globals';
import type { SlotDto } from '../api/index.ts';
import { aModel } from '../testing/model.ts';
import { EMPTY_DRAFT } from './draft.ts';
import { inputsOfSlots } from './slot-inputs.ts';

const PURPOSES = ['master', 'style', 'style', 'style', 'style', 'style', 'main'] as const;
const slots = PURPOSES.map((purpose, at): SlotDto => {
  const photo = at === 3 ? null : `https://a.example/${at + 1}.png`;
  return { slot: at + 1, purpose, training_id: at, photo, state: 'processed', error: null };
});
const picture = { url: 'https://a.example/own.png', content_type: 'image/png', name: 'own.png' };
const model = aModel({
  image: 'required',
  style: 'optional',
  references: 'optional',
  max_references: 3,
  mask: 'required',
});

it('slot 7 is the image, slot 1 the style, 2 to 6 the references as far as the model takes them', () => {
  expect(inputsOfSlots(slots, EMPTY_DRAFT, model)).toMatchObject({
    image: 'https://a.example/7.png',
    start_frame: null,
    style_reference: 'https://a.example/1.png',
    references: [2, 3, 5].map((slot) => `https://a.example/${slot}.png`),
  });
});

it('what the form has is not taken from the slots, and a style of its own leaves the references out', () => {
  expect(inputsOfSlots(slots, { ...EMPTY_DRAFT, image: picture, style: picture }, model)).toMatchObject({
    image: null,
    style_reference: null,
    references: [],
  });
  expect(inputsOfSlots(slots, { ...EMPTY_DRAFT, style: 'none' }, model)).toMatchObject({
    image: 'https://a.example/7.png',
    style_reference: null,
    references: [],
  });
  expect(inputsOfSlots(slots, { ...EMPTY_DRAFT, references: [picture] }, model).references).toEqual([]);
});

it('a model takes nothing that it does not declare', () => {
  expect(inputsOfSlots(slots, EMPTY_DRAFT, aModel({}))).toMatchObject({
    image: null,
    style_reference: null,
    references: [],
  });
});
