import { describe, expect, it } from '@jest/globals';
import { proposeComfyui } from './comfyui.ts';
import { proposeOpenai } from './openai.ts';
import { proposeReplicate } from './replicate.ts';

const VENDOR = { provider: 'vendor' };

/** A model of Replicate whose mask has this text. */
function byText(description: string) {
  const uri = (text: string) => ({ type: 'string', format: 'uri', description: text });
  const properties = { prompt: { type: 'string' }, image: uri('The picture.'), mask: uri(description) };
  const schemas = { Input: { type: 'object', properties }, Output: { type: 'string', format: 'uri' } };
  const model = { owner: 'a', name: 'b', latest_version: { id: 'c', openapi_schema: { components: { schemas } } } };
  return proposeReplicate(model, VENDOR).entry.mapping!['mask'];
}

describe('the proposed mask', () => {
  it.each([
    ['White areas will be inpainted, black areas are kept.', '{mask}'],
    ['A black and white image. Black pixels are inpainted, white pixels are preserved.', '{inverted_mask}'],
    ['Transparent areas indicate where the image is edited.', '{transparent_mask}'],
    ['A mask.', '{mask}'],
    ['Black pixels are preserved, white pixels are inpainted.', '{mask}'],
  ])('of %j is %s', (text, mask) => expect(byText(text)).toBe(mask));

  it('of OpenAI is transparent where it changes', () => {
    expect(proposeOpenai('gpt-image-1', VENDOR).entry.mapping!['mask']).toBe('{transparent_mask}');
  });

  it.each([
    ['LoadImageMask', 'red', '{mask}'],
    ['LoadImageMask', 'alpha', '{transparent_mask}'],
    ['LoadImage', null, '{transparent_mask}'],
  ])('of ComfyUI by %s, channel %s, is %s', (type, channel, mask) => {
    const load = { class_type: type, inputs: { image: 'mask.png', ...(channel && { channel }) } };
    const workflow = {
      1: { class_type: 'LoadImage', inputs: { image: 'a.png' } },
      2: load,
      3: { class_type: 'VAEEncodeForInpaint', inputs: { pixels: ['1', 0], mask: ['2', type === 'LoadImage' ? 1 : 0] } },
      4: { class_type: 'SaveImage', inputs: { images: ['3', 0], filename_prefix: 'x' } },
    };
    expect(proposeComfyui(workflow, { ...VENDOR, name: 'fill', objectInfo: {} }).entry.mapping!['2.inputs.image']).toBe(
      mask,
    );
  });
});
