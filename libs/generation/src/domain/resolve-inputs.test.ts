import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Model } from '#catalogue';
import { DomainError } from '#kernel';
import { aModel, aVideoModel, modelInputs } from '#testing/catalogue';
import { inputSetOf, placesOf, type InputPlace } from './input-set.ts';
import { fieldOf, resolveInputs, type InputRequest, type InputSource, type SlotPictures } from './resolve-inputs.ts';

const master = { key: 'files/1/master.png', fileId: 1 };
const main = { key: 'files/7/main.png', fileId: 7 };
const styles = [2, 4, 6].map((slot) => ({ key: `files/${slot}/style.png`, fileId: slot }));
const none = null;
const filled: SlotPictures = { master, styles, main };
const empty: SlotPictures = { master: none, styles: [], main: none };
const IMAGE = 'https://else.test/image.jpg';
const STYLE = 'https://else.test/style.jpg';
const EXTRA = [1, 2, 3, 4, 5, 6].map((position) => `https://else.test/extra-${position}.jpg`);
const given = (url: string) => ({ url, fileId: null });
const image = given(IMAGE);
const style = given(STYLE);

const any = aModel();
const video = aVideoModel();
const stylist = aModel({ inputs: modelInputs({ style: 'required' }) });
const blind = aModel({ inputs: modelInputs({ image: 'none', style: 'none' }) });
const collector = aModel({ inputs: modelInputs({ references: 'optional' }) });
const pair = aModel({ inputs: modelInputs({ references: 'optional', maxReferences: 2 }) });
const single = aModel({ inputs: modelInputs({ references: 'required', maxReferences: 1 }) });
const painter = aModel({ inputs: modelInputs({ mask: 'optional', control: 'optional' }) });
const retoucher = aModel({ inputs: modelInputs({ mask: 'required' }) });
const tracer = aModel({ inputs: modelInputs({ control: 'required' }) });

const resolve = (model: Model, request: Partial<InputRequest>) =>
  resolveInputs(model, {
    slots: null,
    styleTransfer: null,
    image: null,
    extraImages: [],
    maskImage: null,
    controlImage: null,
    ...request,
  });

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
    expect(resolve(model, { slots, styleTransfer, image: given })).toMatchObject({ image: input, style });
  });
});

describe('references are', () => {
  const STYLE_2 = ['none', STYLE];
  it.each<[string, Model, Partial<InputRequest>, readonly InputSource[]]>([
    ['none without extra images and a persona', collector, {}, []],
    [
      'the extra images in order, gaps closed',
      collector,
      { extraImages: [none, EXTRA[1]!, none, EXTRA[3]!] },
      [given(EXTRA[1]!), given(EXTRA[3]!)],
    ],
    ['all six extra images', collector, { extraImages: EXTRA }, EXTRA.map(given)],
    ['the filled slots 2 to 6 in order', collector, { slots: filled }, styles],
    ['those slots with style_transfer=persona too', collector, { slots: filled, styleTransfer: 'persona' }, styles],
    ['as many of the slots as the model takes', pair, { slots: filled }, styles.slice(0, 2)],
    [
      'none of the slots when one extra image is given',
      collector,
      { slots: filled, extraImages: [EXTRA[0]!] },
      [given(EXTRA[0]!)],
    ],
    ...STYLE_2.map((styleTransfer): [string, Model, Partial<InputRequest>, readonly InputSource[]] => [
      `none of the slots with style_transfer=${styleTransfer}`,
      collector,
      { slots: filled, styleTransfer },
      [],
    ]),
    [
      'the extra images whatever style_transfer is',
      collector,
      { slots: filled, styleTransfer: 'none', extraImages: [EXTRA[0]!] },
      [given(EXTRA[0]!)],
    ],
    ['none of the slots for a model that takes none', any, { slots: filled }, []],
    [
      'the two extra images that the model takes at most',
      pair,
      { extraImages: [EXTRA[0]!, none, EXTRA[2]!] },
      [given(EXTRA[0]!), given(EXTRA[2]!)],
    ],
  ])('%s', (_, model, request, references) => {
    expect(resolve(model, request).references).toEqual(references);
  });

  it('named by the field that they came from', () => {
    const extraImages = [none, EXTRA[1]!, none, none, EXTRA[4]!];
    const of = (input: InputPlace['input'], position: number) => fieldOf({ input, position }, { extraImages });
    expect([of('references', 1), of('references', 2)]).toEqual(['extra_image_2', 'extra_image_5']);
    expect(fieldOf({ input: 'references', position: 1 }, { extraImages: [] })).toBe('pid');
    const others = (['image', 'style', 'mask', 'control'] as const).map((input) => of(input, 1));
    expect(others).toEqual(['image', 'style_transfer', 'mask_image', 'control_image']);
  });
});

it('mask and control image come from the call only', () => {
  expect(resolve(painter, { slots: filled })).toMatchObject({ mask: null, control: null, pictures: [] });
  const both = resolve(painter, { slots: filled, maskImage: IMAGE, controlImage: STYLE });
  expect(both).toMatchObject({ mask: image, control: style });
  expect(resolve(retoucher, { maskImage: IMAGE })).toMatchObject({ mask: image, control: null, pictures: [] });
});

it('a set of pictures is rebuilt from its places, whatever their order but that of references', () => {
  const picture = fc.option(fc.nat());
  const sets = fc.record({
    image: picture,
    style: picture,
    references: fc.array(fc.nat()),
    mask: picture,
    control: picture,
    pictures: fc.array(fc.nat()),
  });
  fc.assert(
    fc.property(sets, (set) => {
      const places = placesOf(set);
      expect(inputSetOf(places)).toEqual(set);
      const sorted = [...places].sort((one, other) => one.input.localeCompare(other.input));
      expect(inputSetOf(sorted)).toEqual(set);
      const positions = places.filter(({ input }) => input === 'references').map(({ position }) => position);
      expect(positions).toEqual(set.references.map((_, index) => index + 1));
    }),
  );
});

describe('is refused', () => {
  const persona = 'persona';
  const badImage = 'validation_failed image';
  const badStyle = 'validation_failed style_transfer';
  const unknownStyles = ['Persona', 'slot', 'ftp://else.test/s.jpg', 'https://', 'http://[', 'else.test/s.jpg'];
  it.each<[string, Model, Partial<InputRequest>, string]>([
    ['persona without a persona', any, { styleTransfer: persona }, badStyle],
    ['persona without a persona, image given', any, { styleTransfer: persona, image: IMAGE }, badStyle],
    ['persona, slot 1 empty', any, { slots: { ...filled, master: none }, styleTransfer: persona }, 'slot_empty'],
    ['needed image, slot 7 empty', video, { slots: { ...filled, main: none } }, 'slot_empty'],
    ['needed image, no persona', video, {}, badImage],
    ['needed style, slot 1 empty', stylist, { slots: empty }, 'slot_empty'],
    ['needed style, slot 1 empty, none', stylist, { slots: empty, styleTransfer: 'none' }, 'slot_empty'],
    ['needed style, no persona', stylist, {}, badStyle],
    ['needed style, none', stylist, { styleTransfer: 'none' }, badStyle],
    ['image for a blind model', blind, { image: IMAGE }, badImage],
    ['style for a blind model', blind, { styleTransfer: STYLE }, badStyle],
    ['slot 1 for a blind model', blind, { slots: filled, styleTransfer: persona }, badStyle],
    [
      'an extra image for a model without references',
      any,
      { extraImages: [none, EXTRA[1]!] },
      'validation_failed extra_image_2',
    ],
    [
      'more extra images than the model takes',
      pair,
      { extraImages: [EXTRA[0]!, none, EXTRA[2]!, EXTRA[3]!] },
      'validation_failed extra_image_4',
    ],
    ['seven extra images', collector, { extraImages: [...EXTRA, IMAGE] }, 'validation_failed extra_image_7'],
    ['needed references, no persona', single, {}, 'validation_failed extra_image_1'],
    ['needed references, slots 2 to 6 empty', single, { slots: { ...filled, styles: [] } }, 'slot_empty'],
    ['needed references, slots filled, none', single, { slots: filled, styleTransfer: 'none' }, 'slot_empty'],
    ['a mask for a model without', any, { maskImage: IMAGE }, 'validation_failed mask_image'],
    ['a control image for a model without', any, { controlImage: IMAGE }, 'validation_failed control_image'],
    ['needed mask', retoucher, { slots: filled }, 'validation_failed mask_image'],
    ['needed control image', tracer, { slots: filled }, 'validation_failed control_image'],
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
