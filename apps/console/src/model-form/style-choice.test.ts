import { describe, expect, it } from '@jest/globals';
import { styleChoiceOf, withStyleChoice } from './style-choice.ts';

const picture = { url: 'https://a.example/owl.png', content_type: 'image/png', name: 'owl.png' };
const choices = [7, 8, 'picture', 'none'] as const;

describe('the style of a generation', () => {
  it.each(choices)('that was chosen is what is shown: %s', (choice) => {
    for (const style of ['none', null] as const) {
      expect(styleChoiceOf(withStyleChoice({ style, trainedStyle: null }, choice, 7), 7, true)).toBe(choice);
    }
  });

  it('is none when the persona’s is left out, as the active one is left out with it', () => {
    expect(styleChoiceOf({ style: 'none', trainedStyle: null }, 7, true)).toBe('none');
    expect(withStyleChoice({ style: null, trainedStyle: null }, 'none', 7)).toEqual({
      style: 'none',
      trainedStyle: 'none',
    });
  });

  it('is the active one by default, else the style picture', () => {
    expect(styleChoiceOf({ style: null, trainedStyle: null }, 7, true)).toBe(7);
    expect(styleChoiceOf({ style: null, trainedStyle: null }, null, true)).toBe('picture');
    expect(styleChoiceOf({ style: null, trainedStyle: null }, null, false)).toBe('none');
  });

  it('keeps a picture that was chosen in the form, but for none', () => {
    for (const choice of choices) {
      const { style } = withStyleChoice({ style: picture, trainedStyle: null }, choice, 7);
      expect(style).toBe(choice === 'none' ? 'none' : picture);
    }
  });

  it('of a model without a style picture is a trained one or none', () => {
    expect(styleChoiceOf({ style: 'none', trainedStyle: null }, 7, false)).toBe(7);
    expect(styleChoiceOf({ style: null, trainedStyle: 'none' }, 7, false)).toBe('none');
  });
});
