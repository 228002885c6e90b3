import { describe, expect, it } from '@jest/globals';
import { DomainError } from '#kernel';
import { aModel, aVideoModel } from '../testing/builders.ts';
import { resolveInputs, type InputRequest, type SlotPictures } from './resolve-inputs.ts';

const master = { key: 'files/1/master.png', fileId: 1 };
const main = { key: 'files/7/main.png', fileId: 7 };
const filled: SlotPictures = { master, main };
const empty: SlotPictures = { master: null, main: null };
const STYLE = 'https://else.test/style.jpg';
const IMAGE = 'https://else.test/image.jpg';
const model = aModel();

const resolve = (request: Partial<InputRequest>, of = model) =>
  resolveInputs(of, { slots: null, styleTransfer: null, image: null, ...request });

function refusal(request: Partial<InputRequest>, of = model): DomainError {
  try {
    resolve(request, of);
  } catch (error) {
    if (error instanceof DomainError) return error;
  }
  throw new Error('was not refused');
}

describe('without a persona', () => {
  it('nothing said means no inputs', () => {
    expect(resolve({})).toEqual({ image: null, styleReference: null });
  });

  it('style_transfer=none means no style reference, and the image is the one given', () => {
    expect(resolve({ styleTransfer: 'none', image: IMAGE })).toEqual({
      image: { url: IMAGE, fileId: null },
      styleReference: null,
    });
  });

  it('an image URL is the input image', () => {
    expect(resolve({ image: IMAGE }).image).toEqual({ url: IMAGE, fileId: null });
  });

  it.each([null, IMAGE])('a style URL is the style reference, whatever the image (%s)', (image) => {
    const inputs = resolve({ styleTransfer: STYLE, image });
    expect(inputs.styleReference).toEqual({ url: STYLE, fileId: null });
    expect(inputs.image).toEqual(image && { url: image, fileId: null });
  });

  it.each([null, IMAGE])('style_transfer=persona is refused, whatever the image (%s)', (image) => {
    const error = refusal({ styleTransfer: 'persona', image });
    expect(error.code).toBe('validation_failed');
    expect(error.fields).toEqual({ style_transfer: ['persona needs pid'] });
  });
});

it.each(['Persona', 'slot', 'ftp://else.test/s.jpg', 'https://', 'http://[', 'else.test/s.jpg'])(
  'style_transfer=%s is refused with a persona and without',
  (styleTransfer) => {
    for (const slots of [null, filled]) {
      expect(Object.keys(refusal({ slots, styleTransfer }).fields!)).toEqual(['style_transfer']);
    }
  },
);

describe('with a persona', () => {
  it('nothing said means its slots 1 and 7', () => {
    expect(resolve({ slots: filled })).toEqual({ image: main, styleReference: master });
  });

  it('nothing said and empty slots mean no inputs', () => {
    expect(resolve({ slots: empty })).toEqual({ image: null, styleReference: null });
  });

  it('style_transfer=persona means slot 1, whatever the image', () => {
    expect(resolve({ slots: filled, styleTransfer: 'persona' }).styleReference).toEqual(master);
    expect(resolve({ slots: filled, styleTransfer: 'persona', image: IMAGE })).toEqual({
      image: { url: IMAGE, fileId: null },
      styleReference: master,
    });
  });

  it('style_transfer=persona is refused when slot 1 is empty', () => {
    expect(refusal({ slots: { master: null, main }, styleTransfer: 'persona' }).code).toBe('slot_empty');
  });

  it('style_transfer=none means no style reference although slot 1 is filled', () => {
    expect(resolve({ slots: filled, styleTransfer: 'none' })).toEqual({ image: main, styleReference: null });
  });

  it('a style URL goes before slot 1', () => {
    expect(resolve({ slots: filled, styleTransfer: STYLE })).toEqual({
      image: main,
      styleReference: { url: STYLE, fileId: null },
    });
  });

  it('an image URL goes before slot 7', () => {
    expect(resolve({ slots: filled, image: IMAGE })).toEqual({
      image: { url: IMAGE, fileId: null },
      styleReference: master,
    });
  });
});

describe('a model that needs an input image', () => {
  const video = aVideoModel();

  it('takes slot 7, or the URL given', () => {
    expect(resolve({ slots: filled }, video).image).toEqual(main);
    expect(resolve({ image: IMAGE }, video).image).toEqual({ url: IMAGE, fileId: null });
  });

  it('is refused as an empty slot with a persona', () => {
    expect(refusal({ slots: { master, main: null } }, video).code).toBe('slot_empty');
  });

  it('is refused as a missing field without a persona', () => {
    const error = refusal({}, video);
    expect(error.code).toBe('validation_failed');
    expect(Object.keys(error.fields!)).toEqual(['image']);
  });
});

describe('a model that needs a style reference', () => {
  const stylist = aModel({ inputs: { image: 'optional', styleReference: 'required' } });

  it('takes slot 1, or the URL given', () => {
    expect(resolve({ slots: filled }, stylist).styleReference).toEqual(master);
    expect(resolve({ styleTransfer: STYLE }, stylist).styleReference).toMatchObject({ url: STYLE });
  });

  it.each([null, 'none'])(
    'is refused as an empty slot with a persona (style_transfer %s)',
    (styleTransfer) => {
      expect(refusal({ slots: empty, styleTransfer }, stylist).code).toBe('slot_empty');
    },
  );

  it.each([null, 'none'])(
    'is refused as a missing field without a persona (style_transfer %s)',
    (styleTransfer) => {
      const error = refusal({ styleTransfer }, stylist);
      expect(error.code).toBe('validation_failed');
      expect(Object.keys(error.fields!)).toEqual(['style_transfer']);
    },
  );
});

describe('a model that takes no pictures', () => {
  const blind = aModel({ inputs: { image: 'none', styleReference: 'none' } });

  it('leaves the slots alone', () => {
    expect(resolve({ slots: filled }, blind)).toEqual({ image: null, styleReference: null });
    expect(resolve({ slots: filled, styleTransfer: 'none' }, blind).styleReference).toBeNull();
  });

  it.each([
    ['image', { image: IMAGE }],
    ['style_transfer', { styleTransfer: STYLE }],
    ['style_transfer', { slots: filled, styleTransfer: 'persona' }],
  ] as const)('refuses a picture that is given to it in %s', (field, request) => {
    expect(Object.keys(refusal(request, blind).fields!)).toEqual([field]);
  });
});
