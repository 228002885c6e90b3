import { describe, expect, it } from '@jest/globals';
import { verdictOf } from '#testing/kernel';
import { assertMayChange, assertMayDelete, authorOf, byGuest, type Reviewer } from './reviewer.ts';

const member = (userId: number, role: 'member' | 'admin' | 'owner' = 'member'): Reviewer => ({
  workspaceId: 1,
  userId,
  role,
});
const guest = (id: number | null): Reviewer => ({ workspaceId: 1, guest: { id, name: 'Grace' }, shareId: 3 });
const may = (reviewer: Reviewer, author: Reviewer): boolean => {
  const verdict = verdictOf(() => assertMayChange(reviewer, authorOf(author)));
  expect(['allowed', 'forbidden']).toContain(verdict);
  return verdict === 'allowed';
};

/** The verdict on deleting the comment of `author` with these replies. */
const deletion = (reviewer: Reviewer, author: Reviewer, ...replies: Reviewer[]) =>
  verdictOf(() => assertMayDelete(reviewer, authorOf(author), replies.map(authorOf)));

describe('a comment', () => {
  it('is not deleted by its author once somebody else has replied', () => {
    for (const author of [member(1), guest(1)]) {
      expect([deletion(author, author), deletion(author, author, author)]).toEqual(['allowed', 'allowed']);
      for (const other of [member(2), guest(2), guest(null)]) {
        expect(deletion(author, author, author, other)).toBe('conflict');
        expect(deletion(other, author, other)).toBe('forbidden');
      }
    }
    // The identifiers of members and of guests are not the same.
    expect([deletion(member(1), member(1), guest(1)), deletion(guest(1), guest(1), member(1))]).toEqual([
      ...['conflict', 'conflict'],
    ]);
  });

  it('is deleted with the replies of others by admins and the owner', () => {
    for (const role of ['admin', 'owner'] as const) {
      for (const author of [member(1), member(2, role), guest(1)]) {
        expect(deletion(member(2, role), author, member(3), guest(2))).toBe('allowed');
      }
    }
  });

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
