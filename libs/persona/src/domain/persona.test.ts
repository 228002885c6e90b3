import { describe, expect, it } from '@jest/globals';
import { checkedProfile, MAX_PERSONA_NAME, MAX_PROFILE_TEXT } from './persona.ts';

describe('a profile', () => {
  it('has a name without the white space around it', () => {
    expect(checkedProfile({ name: '  Ada Lovelace \n' })).toEqual({ name: 'Ada Lovelace' });
  });

  it('has a name of 1 to 100 characters, however many bytes they take', () => {
    const longest = '🦊'.repeat(MAX_PERSONA_NAME);
    expect(checkedProfile({ name: 'A' })).toEqual({ name: 'A' });
    expect(checkedProfile({ name: longest })).toEqual({ name: longest });
    for (const name of ['', '   ', `${longest}!`, 'two\nlines']) {
      expect(() => checkedProfile({ name })).toThrow(
        expect.objectContaining({
          code: 'validation_failed',
          fields: { name: ['must have 1 to 100 characters, on one line'] },
        }),
      );
    }
  });

  it.each(['title', 'knows', 'profession'] as const)('has a %s of at most 10,000 characters', (field) => {
    const longest = '🦊'.repeat(MAX_PROFILE_TEXT);
    for (const text of [null, '', longest]) {
      expect(checkedProfile({ [field]: text })).toEqual({ [field]: text });
    }
    expect(() => checkedProfile({ [field]: `${longest}!` })).toThrow(
      expect.objectContaining({ code: 'validation_failed', message: `${field} must have at most 10000 characters` }),
    );
  });

  it('says nothing of what was not given', () => {
    expect(checkedProfile({})).toEqual({});
  });
});
