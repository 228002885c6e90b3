import { describe, expect, it } from '@jest/globals';
import { chosenPassword, typedPassword } from './password.ts';

describe('a password that someone chooses', () => {
  const refusal = expect.objectContaining({ code: 'validation_failed', fields: { password: [expect.any(String)] } });

  it.each([10, 128])('may have %d characters', (length) => {
    expect(chosenPassword('x'.repeat(length))).toHaveLength(length);
  });

  it.each([0, 9, 129])('may not have %d characters', (length) => {
    expect(() => chosenPassword('x'.repeat(length))).toThrow(refusal);
  });

  it('is counted in characters, not in the units of an encoding', () => {
    expect(() => chosenPassword('🔑'.repeat(9))).toThrow(refusal);
    expect(chosenPassword('🔑'.repeat(128))).toBe('🔑'.repeat(128));
  });

  it('keeps the spaces it begins and ends with', () => {
    expect(chosenPassword('  twelve ch  ')).toBe('  twelve ch  ');
  });
});

describe('a password that someone types', () => {
  it('is the one they chose, however its accents are composed', () => {
    expect(typedPassword('cafe\u0301 cre\u0300me')).toBe(chosenPassword('caf\u00e9 cr\u00e8me'));
  });

  it('may be of any length', () => {
    expect(typedPassword('x')).toBe('x');
  });
});
