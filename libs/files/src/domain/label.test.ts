import { describe, expect, it } from '@jest/globals';
import { labelOf } from './label.ts';

describe('a label', () => {
  it('has the text that is given, or that of the operator', () => {
    expect(labelOf(' Made with AI ', 'AI-generated')).toBe('Made with AI');
    expect(labelOf(true, 'AI-generated')).toBe('AI-generated');
  });

  it('is none with false and null', () => {
    expect([labelOf(false, 'AI-generated'), labelOf(null, 'AI-generated')]).toEqual([null, null]);
  });

  it('is one line of 1 to 60 characters', () => {
    expect(labelOf('🦊'.repeat(60), '')).toHaveLength(120);
    for (const text of ['🦊'.repeat(61), '', ' ', 'two\nlines']) {
      expect(() => labelOf(text, '')).toThrow(expect.objectContaining({ code: 'validation_failed' }));
    }
  });
});
