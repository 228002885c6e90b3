import { describe, expect, it } from '@jest/globals';
import { assertMayChange, authorOf, byGuest, type Reviewer } from './reviewer.ts';

const member = (userId: number, role: 'member' | 'admin' | 'owner' = 'member'): Reviewer => ({
  workspaceId: 1,
  userId,
  role,
});
const guest = (id: number | null): Reviewer => ({ workspaceId: 1, guest: { id, name: 'Grace' } });
const may = (reviewer: Reviewer, author: Reviewer): boolean => {
  try {
    assertMayChange(reviewer, authorOf(author));
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'forbidden' });
    return false;
  }
};

describe('a comment', () => {
  it('is changed by its author, and by admins and the owner', () => {
    expect(may(member(1), member(1))).toBe(true);
    expect(may(member(2), member(1))).toBe(false);
    for (const role of ['admin', 'owner'] as const) {
      expect([may(member(2, role), member(1)), may(member(2, role), guest(1))]).toEqual([true, true]);
    }
  });

  it('of a guest is changed by that guest, and guests change no other', () => {
    expect([may(guest(1), guest(1)), may(guest(2), guest(1))]).toEqual([true, false]);
    expect([may(guest(1), member(1)), may(member(1), guest(1))]).toEqual([false, false]);
    // A guest who is no longer known is nobody.
    expect(may(guest(null), guest(null))).toBe(false);
  });

  it('says in the audit log that a guest did it, without the name', () => {
    expect([byGuest(guest(1)), byGuest(member(1))]).toEqual([{ guest: true }, {}]);
  });
});
