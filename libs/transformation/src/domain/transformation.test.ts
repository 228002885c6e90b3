import { describe, expect, it } from '@jest/globals';
import {
  canonicalText,
  FITS,
  FORMATS,
  formatFor,
  GRID,
  isInGrid,
  negotiated,
  QUALITIES,
  sizeOf,
  transformationOf,
  type Format,
  type Transformation,
} from './transformation.ts';

const asked = (query: string) => transformationOf(new URLSearchParams(query));
const textOf = (query: string) => canonicalText(asked(query)!);
const REFUSAL = expect.objectContaining({ code: 'validation_failed' });
const WHOLE = { width: null, height: null, fit: 'inside', quality: 80, format: 'auto', label: false } as const;

describe('the transformation that a URL asks for', () => {
  it.each(['', 'x=1', 'expires=1&signature=a&share=b', 'W=64', 'w[]=64'])('is none with %j', (query) => {
    expect(asked(query)).toBeNull();
  });

  it('has all options, and defaults for those that are not given', () => {
    expect(asked('w=640')).toEqual({ ...WHOLE, width: 640 });
    expect(asked('fm=webp')).toEqual({ ...WHOLE, format: 'webp' });
    for (const label of ['true', '1']) expect(asked(`label=${label}`)).toEqual({ ...WHOLE, label: true });
    for (const label of ['false', '0']) expect(asked(`label=${label}`)).toEqual(WHOLE);
    expect(asked('w=640&h=480&fit=cover&q=50&fm=avif&label=1&x=1')).toEqual({
      width: 640,
      height: 480,
      fit: 'cover',
      quality: 50,
      format: 'avif',
      label: true,
    });
  });

  it('snaps all widths and heights up to twelve', () => {
    const all = Array.from({ length: 2560 }, (_, index) => index + 1);
    for (const lengths of [
      all.map((length) => asked(`w=${length}&h=64&fit=cover`)!.width!),
      all.map((length) => asked(`w=64&h=${length}&fit=cover`)!.height!),
    ]) {
      expect([...new Set(lengths)]).toEqual([...GRID]);
      expect(lengths.every((length, index) => length >= all[index]!)).toBe(true);
      expect([64, 65, 2559].map((length) => lengths[length - 1])).toEqual([64, 128, 2560]);
    }
  });

  it('snaps all qualities to four', () => {
    const all = Array.from({ length: 100 }, (_, index) => asked(`q=${index + 1}`)!.quality);
    expect([...new Set(all)]).toEqual([...QUALITIES]);
    expect([50, 51, 90, 91].map((quality) => asked(`q=${quality}`)!.quality)).toEqual([50, 65, 90, 90]);
  });

  it.each([
    ...['w=0', 'w=2561', 'w=abc', 'w=', 'w=-1', 'w=1.5', 'w=99999999999', 'w=64&w=64', 'h=0', 'h=2561', 'w=%20640'],
    ...['q=0', 'q=101', 'q=high', 'fit=fill', 'fit=', 'fit=cover&fit=cover', 'fm=gif', 'fm=WEBP', 'fm=toString'],
    ...['label=', 'label=AI-generated', 'label=toString', 'label=true&label=true', 'label=true&label=false'],
  ])('is refused with %s', (query) => {
    expect(() => asked(query)).toThrow(REFUSAL);
  });
});

describe('the text of a transformation', () => {
  it('is the same for options in any order, unknown ones and lengths of the same step', () => {
    const text = 'w=640&h=480&fit=cover&q=80&fm=webp';
    expect(textOf('fm=webp&q=80&fit=cover&h=480&w=640')).toBe(text);
    expect(textOf('utm=1&w=600&h=470&fit=cover&q=70&fm=webp&expires=5')).toBe(text);
  });

  it('leaves out what makes no difference', () => {
    expect(textOf('w=640&fit=cover')).toBe('w=640&fit=inside&q=80&fm=auto');
    expect(textOf('w=2560&h=2560')).toBe('fit=inside&q=80&fm=auto');
    expect(textOf('w=2560&h=2560&fit=cover')).toBe('w=2560&h=2560&fit=cover&q=80&fm=auto');
    expect(textOf('w=64&q=50&fm=png')).toBe('w=64&fit=inside&fm=png');
    expect(textOf('w=64&label=0')).toBe(textOf('w=64'));
    expect(textOf('label=1&w=64')).toBe(`${textOf('w=64')}&label=true`);
  });

  it('is one of 14,688, whatever is asked for', () => {
    const texts = new Set<string>();
    const sides = [null, ...GRID];
    for (const width of sides)
      for (const height of sides)
        for (const fit of FITS)
          for (const q of QUALITIES)
            for (const fm of FORMATS)
              for (const label of ['true', '1', 'false', null]) {
                const given = Object.entries({ w: width, h: height, fit, q, fm, label });
                const options = given.filter(([, value]) => value !== null) as [string, string][];
                texts.add(textOf(new URLSearchParams(options).toString()));
              }
    // Inside: twelve widths and twelve heights, one of which is "any"; cover and contain: those of the grid.
    expect(texts.size).toBe((12 * 12 + 2 * 12 * 12) * (4 * 4 + 1) * 2);
  });
});

describe('options on the grid', () => {
  it.each(['w=640', 'w=2560&h=64&fit=cover&q=90&fm=avif', 'q=80', 'fm=auto', 'w=640&signature=x', 'w=640&label=true'])(
    'are %s',
    (query) => {
      expect(isInGrid(new URLSearchParams(query))).toBe(true);
    },
  );

  it.each(['', 'w=641', 'w=639', 'h=1', 'q=81', 'q=100'])('are not %s', (query) => {
    expect(isInGrid(new URLSearchParams(query))).toBe(false);
  });

  it.each(['w=0', 'w=640&w=640', 'fm=gif'])('are refused with %s', (query) => {
    expect(() => isInGrid(new URLSearchParams(query))).toThrow(REFUSAL);
  });
});

describe('the negotiated format', () => {
  it.each<[string | undefined, Format]>([
    ['image/avif,image/webp,*/*;q=0.8', 'avif'],
    ['image/webp,image/avif', 'avif'],
    ['image/webp', 'webp'],
    ['IMAGE/WEBP ; q=0.5 , text/html', 'webp'],
    ['image/avif;q=0, image/webp;q=0.001', 'webp'],
    ['image/avif;v=1;q=0.000', 'auto'],
    ['*/*', 'auto'],
    ['image/*', 'auto'],
    ['image/avifs', 'auto'],
    ['', 'auto'],
    [undefined, 'auto'],
  ])('of %j is %s', (accept, format) => {
    expect(formatFor('auto', accept)).toBe(format);
  });

  it('is the one that is asked for, whatever is accepted', () => {
    expect(formatFor('jpeg', 'image/avif')).toBe('jpeg');
  });
});

describe('a transformation of a picture', () => {
  const of = (query: string, size: { width: number; height: number } | null) =>
    canonicalText(negotiated(asked(query)!, undefined, size));
  const small = { width: 640, height: 200 };

  it('keeps the label, whatever is negotiated', () => {
    expect(of('w=640&fm=webp&label=1', small)).toBe('fit=inside&q=80&fm=webp&label=true');
    expect(of('w=64&h=64&fit=cover&label=1', null)).toBe('w=64&h=64&fit=cover&q=80&fm=auto&label=true');
  });

  it('has no side of its own that the picture does not reach', () => {
    expect(of('w=640&fm=webp', small)).toBe(of('fm=webp', small));
    expect(of('w=2560&h=320&fm=webp', small)).toBe(of('fm=webp', small));
    expect(of('w=480&h=320&fm=webp', small)).toBe('w=480&fit=inside&q=80&fm=webp');
    expect(of('w=640&h=320&fm=webp', { width: 641, height: 321 })).toBe('h=320&fit=inside&q=80&fm=webp');
  });

  it('has of two sides to fit into the tighter one, which gives the same size', () => {
    const large = { width: 3000, height: 2000 };
    expect(of('w=480&h=320', large)).toBe(of('w=480', large));
    expect(of('w=480&h=192', large)).toBe(of('h=192', large));
    for (const width of GRID) {
      for (const height of GRID) {
        const both = asked(`w=${width}&h=${height}`)!;
        expect(sizeOf(negotiated(both, undefined, large), large)).toEqual(sizeOf(both, large));
      }
    }
  });

  it('has the sides that give its proportions, and all before the picture is looked at', () => {
    expect(of('w=1280&h=960&fit=cover', small)).toBe('w=1280&h=960&fit=cover&q=80&fm=auto');
    expect(of('w=1280', null)).toBe('w=1280&fit=inside&q=80&fm=auto');
  });
});

describe('the size of a variant', () => {
  const sized = (options: Partial<Transformation>, width: number, height: number) => {
    const { width: w, height: h } = sizeOf({ ...WHOLE, ...options }, { width, height });
    return `${w}x${h}`;
  };

  it('inside keeps the proportions, and never exceeds the picture or the grid', () => {
    expect(sized({ width: 640 }, 6000, 4000)).toBe('640x427');
    expect(sized({ width: 640, height: 320 }, 6000, 4000)).toBe('480x320');
    expect(sized({ width: 640 }, 640, 480)).toBe('640x480');
    expect(sized({ width: 640 }, 100, 50)).toBe('100x50');
    expect(sized({}, 6000, 4000)).toBe('2560x1707');
    expect(sized({ width: 640 }, 1, 50_000)).toBe('1x2560');
  });

  it('that covers or contains has the proportions that are asked for, made smaller for a smaller picture', () => {
    const square = { width: 640, height: 640 };
    expect(sized({ ...square, fit: 'cover' }, 6000, 4000)).toBe('640x640');
    expect(sized({ ...square, fit: 'cover' }, 1000, 500)).toBe('500x500');
    expect(sized({ ...square, fit: 'contain' }, 1000, 500)).toBe('640x640');
    expect(sized({ ...square, fit: 'contain' }, 500, 100)).toBe('500x500');
    expect(sized({ width: 640, height: 64, fit: 'cover' }, 1, 50_000)).toBe('1x1');
  });
});
