import { describe, expect, it } from '@jest/globals';
import type { Model } from '#catalogue';
import { imageCalls, sizeParameters } from './image-calls.ts';

const side = { type: 'integer', minimum: 256, maximum: 2048, multipleOf: 64 } as const;
const choice = (...values: string[]) => ({ type: 'string', enum: values }) as const;
const OPENAI_SIZES = { size: choice('1024x1024', '1536x1024', '1024x1536', 'auto') };
const FAL_SIZES = { image_size: choice('square_hd', 'square', 'portrait_4_3', 'portrait_16_9', 'landscape_16_9') };
const ASPECTS = { aspect_ratio: choice('1:1', '16:9', '9:16', '3:2') };
const SIDES = { width: side, height: side };

describe('the size of OpenAI becomes', () => {
  it.each<[string, string | null, Model['parameters'], object]>([
    ['width and height, where the model has both', '1024x768', SIDES, { width: 1024, height: 768 }],
    ['both in their steps', '1000x700', SIDES, { width: 1024, height: 704 }],
    ['both smaller, in the same aspect', '4096x2048', SIDES, { width: 2048, height: 1024 }],
    ['both larger, in the same aspect', '128x256', SIDES, { width: 256, height: 512 }],
    ['the limits, where no aspect fits', '99999x1', SIDES, { width: 2048, height: 256 }],
    ['the size itself', '1536x1024', OPENAI_SIZES, { size: '1536x1024' }],
    ['the size with the nearest aspect', '1792x1024', OPENAI_SIZES, { size: '1536x1024' }],
    ['the nearest of the same aspect', '256x256', OPENAI_SIZES, { size: '1024x1024' }],
    ["a vendor's name for it", '512x512', FAL_SIZES, { image_size: 'square' }],
    ["a vendor's name for the nearest", '1080x1920', FAL_SIZES, { image_size: 'portrait_16_9' }],
    ['an aspect', '1920x1080', ASPECTS, { aspect_ratio: '16:9' }],
    ['the nearest aspect', '1000x1010', ASPECTS, { aspect_ratio: '1:1' }],
    ['any size, where the model takes any', '640x480', { size: { type: 'string' } }, { size: '640x480' }],
    ['nothing for a model without sizes', '640x480', {}, {}],
    ['nothing for a model with other words for them', '640x480', { size: choice('small', 'large') }, {}],
    ['nothing without a size', null, SIDES, {}],
  ])('%s', (_, size, parameters, expected) => expect(sizeParameters(size, parameters)).toEqual(expected));

  it.each(['large', '0x64', '64', '64x', '64X64', '-1x64', '1e3x64', '100000x64'])('an error for %s', (size) =>
    expect(() => sizeParameters(size, SIDES)).toThrow('size must be auto'),
  );
});

describe('a call of OpenAI becomes', () => {
  const count = { type: 'integer', minimum: 1, maximum: 4 } as const;
  const model = { id: 'painter', parameters: { seed: { type: 'integer' }, quality: { type: 'string' } } } as const;
  const many = { id: 'painter', parameters: { count } };
  const prompt = 'a fox';

  it('a generation with what the model takes, and without what it does not', () => {
    const fields = { prompt, user: 'ada', quality: 'high', seed: 7, style: 'vivid', background: 'auto', webhook: 'x' };
    expect(imageCalls(fields, model)).toEqual([
      { model: 'painter', prompt, customer: 'ada', quality: 'high', seed: 7 },
    ]);
  });

  it('one without fields that are empty, null or auto', () => {
    const fields = { prompt, model: '', user: null, quality: 'auto', size: 'auto', n: null };
    expect(imageCalls(fields, model)).toEqual([{ model: 'painter', prompt }]);
  });

  it.each([
    [1, [1]],
    ['4', [4]],
    [5, [4, 1]],
    [10, [4, 4, 2]],
  ])('as many generations as %s pictures take', (n, counts) =>
    expect(imageCalls({ prompt, n }, many).map((call) => call.count)).toEqual(counts),
  );

  it('one generation for each picture of a model that makes one', () =>
    expect(imageCalls({ prompt, n: 3 }, model)).toHaveLength(3));

  it.each([0, 11, 1.5, 'two', '1e1', [1]])('an error for n = %j', (n) =>
    expect(() => imageCalls({ prompt, n }, many)).toThrow('n must be an integer from 1 to 10'),
  );

  it('one with the first picture as its input and up to six others as references', () => {
    const images = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const [call] = imageCalls({ prompt }, model, { images, mask: 'm' });
    expect(call).toMatchObject({ image: 'a', extra_image_1: 'b', extra_image_6: 'g', mask_image: 'm' });
    expect(() => imageCalls({ prompt }, model, { images: [...images, 'h'], mask: null })).toThrow('at most 7 pictures');
  });
});
