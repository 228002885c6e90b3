import { describe, expect, it } from '@jest/globals';
import { decisionOf, MAX_DECISION_TEXT, VERDICTS } from './decision.ts';

describe('a decision', () => {
  it.each(VERDICTS)('may have a text or none: %s', (verdict) => {
    expect(decisionOf(verdict, null)).toEqual({ verdict, text: null });
    expect(decisionOf(verdict, '  ')).toEqual({ verdict, text: null });
    expect(decisionOf(verdict, ' warmer\r\nplease ')).toEqual({ verdict, text: 'warmer\nplease' });
  });

  it('has a text of at most 4,000 characters', () => {
    expect(decisionOf('approved', '🌊'.repeat(MAX_DECISION_TEXT)).text).toHaveLength(2 * MAX_DECISION_TEXT);
    expect(() => decisionOf('approved', 'x'.repeat(MAX_DECISION_TEXT + 1))).toThrow('text must have 0 to 4000');
  });
});
