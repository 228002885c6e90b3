import { describe, expect, it } from '@jest/globals';
import { DomainError } from '#kernel';
import { aModel, aVideoModel, modelInputs } from '../testing/builders.ts';
import type { Model } from './model.ts';
import { resolveInputs, type InputRequest, type InputSource, type SlotPictures } from './resolve-inputs.ts';

const master = { key: 'files/1/master.png', fileId: 1 };
const main = { key: 'files/7/main.png', fileId: 7 };
const none = null;
const filled: SlotPictures = { master, main };
const empty: SlotPictures = { master: none, main: none };
const IMAGE = 'https://else.test/image.jpg';
const STYLE = 'https://else.test/style.jpg';
const image = { url: IMAGE, fileId: null };
const style = { url: STYLE, fileId: null };

const any = aModel();
const video = aVideoModel();
const stylist = aModel({ inputs: modelInputs({ style: 'required' }) });
const blind = aModel({ inputs: modelInputs({ image: 'none', style: 'none' }) });

const resolve = (model: Model, request: Partial<InputRequest>) =>
  resolveInputs(model, { slots: null, styleTransfer: null, image: null, ...request });

type Accepted = [Model, SlotPictures | null, string | null, string | null, InputSource | null, InputSource | null];

const accepted: Record<string, Accepted[]> = {
  // model, slots, style_transfer, image: input image, style reference
  'without a persona, the inputs are what is given': [
    [any, none, none, none, none, none],
    [any, none, 'none', IMAGE, image, none],
    [any, none, none, IMAGE, image, none],
    [any, none, STYLE, none, none, style],
    [any, none, STYLE, IMAGE, image, style],
  ],
  'with a persona, its slots 1 and 7 fill in for what is not given': [
    [any, filled, none, none, main, master],
    [any, empty, none, none, none, none],
    [any, filled, 'persona', none, main, master],
    [any, filled, 'persona', IMAGE, image, master],
    [any, filled, 'none', none, main, none],
    [any, filled, STYLE, none, main, style],
    [any, filled, none, IMAGE, image, master],
  ],
  'a model that needs an input takes the slot, or the URL given': [
    [video, filled, none, none, main, master],
    [video, none, none, IMAGE, image, none],
    [stylist, filled, none, none, main, master],
    [stylist, none, STYLE, none, none, style],
  ],
  'a model that takes no pictures leaves the slots alone': [
    [blind, filled, none, none, none, none],
    [blind, filled, 'none', none, none, none],
  ],
};

describe.each(Object.entries(accepted))('%s', (_, rows) => {
  it.each(rows)('(row %#)', (model, slots, styleTransfer, given, input, style) => {
    expect(resolve(model, { slots, styleTransfer, image: given })).toEqual({ image: input, style });
  });
});

describe('is refused', () => {
  const persona = 'persona';
  const badImage = 'validation_failed image';
  const badStyle = 'validation_failed style_transfer';
  const unknownStyles = ['Persona', 'slot', 'ftp://else.test/s.jpg', 'https://', 'http://[', 'else.test/s.jpg'];
  it.each<[string, Model, Partial<InputRequest>, string]>([
    ['persona without a persona', any, { styleTransfer: persona }, badStyle],
    ['persona without a persona, image given', any, { styleTransfer: persona, image: IMAGE }, badStyle],
    ['persona, slot 1 empty', any, { slots: { master: none, main }, styleTransfer: persona }, 'slot_empty'],
    ['needed image, slot 7 empty', video, { slots: { master, main: none } }, 'slot_empty'],
    ['needed image, no persona', video, {}, badImage],
    ['needed style, slot 1 empty', stylist, { slots: empty }, 'slot_empty'],
    ['needed style, slot 1 empty, none', stylist, { slots: empty, styleTransfer: 'none' }, 'slot_empty'],
    ['needed style, no persona', stylist, {}, badStyle],
    ['needed style, none', stylist, { styleTransfer: 'none' }, badStyle],
    ['image for a blind model', blind, { image: IMAGE }, badImage],
    ['style for a blind model', blind, { styleTransfer: STYLE }, badStyle],
    ['slot 1 for a blind model', blind, { slots: filled, styleTransfer: persona }, badStyle],
    ...unknownStyles.flatMap((styleTransfer): [string, Model, Partial<InputRequest>, string][] => [
      [`style_transfer=${styleTransfer}`, any, { styleTransfer }, badStyle],
      [`style_transfer=${styleTransfer}, slots filled`, any, { slots: filled, styleTransfer }, badStyle],
    ]),
  ])('%s', (_, model, request, refusal) => {
    let error: unknown;
    try {
      resolve(model, request);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(DomainError);
    const { code, fields } = error as DomainError;
    expect([code, ...Object.keys(fields ?? {})].join(' ')).toBe(refusal);
  });

  it('a persona that is not named, with a hint', () => {
    expect(() => resolve(any, { styleTransfer: 'persona' })).toThrow('persona needs pid');
  });
});
