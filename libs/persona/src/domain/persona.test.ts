import { describe, expect, it } from '@jest/globals';
import { assertMayDelete, checkedProfile, MAX_PERSONA_NAME, MAX_PROFILE_TEXT } from './persona.ts';

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
      expect.objectContaining({
        code: 'validation_failed',
        message: `${field} must have at most 10000 characters`,
      }),
    );
  });

  it('says nothing of what was not given', () => {
    expect(checkedProfile({})).toEqual({});
  });
});

describe('a persona', () => {
  const persona = { createdBy: 5 };

  it('may be deleted by the member who made it, and by any admin and owner', () => {
    for (const actor of [
      { userId: 5, role: 'member' },
      { userId: 6, role: 'admin' },
      { userId: 6, role: 'owner' },
    ] as const) {
      expect(() => assertMayDelete(actor, persona)).not.toThrow();
    }
  });

  it('may not be deleted by another member', () => {
    expect(() => assertMayDelete({ userId: 6, role: 'member' }, persona)).toThrow(
      expect.objectContaining({ code: 'forbidden' }),
    );
  });
});
