import { describe, expect, it } from '@jest/globals';
import { assertMayDelete, mayDelete } from './deletion.ts';

const by = (role: 'member' | 'admin' | 'owner', userId = 1) => ({ userId, role });

describe('the deletion of an item', () => {
  it.each([
    ['a member deletes an item that the member made', by('member'), 1, true],
    ['a member does not delete an item of another', by('member'), 2, false],
    ['a member does not delete an item whose maker is not known', by('member'), null, false],
    ['an admin deletes an item of another', by('admin'), 2, true],
    ['the owner deletes an item whose maker is not known', by('owner'), null, true],
  ])('%s', (_, caller, madeBy, expected) => {
    expect(mayDelete(caller, { madeBy })).toBe(expected);
  });

  it('is refused with the reason', () => {
    expect(() => assertMayDelete(by('member'), { madeBy: 2 })).toThrow(/^only the creator, .* may do this$/);
    expect(() => assertMayDelete(by('member'), { madeBy: 1 })).not.toThrow();
  });
});
