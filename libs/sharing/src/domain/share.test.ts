import { describe, expect, it } from '@jest/globals';
import type { PasswordHash } from '#identity';
import {
  allowanceOf,
  assertAllows,
  expiryOf,
  guestNameOf,
  hasEntered,
  isOpen,
  namedGuest,
  shareNameOf,
  triesPassword,
  watermarkOf,
  type Guest,
} from './share.ts';

const NOW = new Date('2026-03-14T09:26:53.589Z');
const inDays = (days: number, ms = 0) => new Date(NOW.getTime() + days * 86_400_000 + ms);
const refusal = (field: string) =>
  expect.objectContaining({ code: 'validation_failed', fields: { [field]: expect.anything() } });
const guest = (passwordVersion: number, name: string | null = null): Guest => ({
  id: 1,
  shareId: 2,
  name,
  passwordVersion,
});

describe('a share link', () => {
  it('ends in the future, and within a year', () => {
    for (const end of [inDays(0, 1), inDays(366)]) expect(expiryOf(end, NOW)).toBe(end);
    for (const end of [inDays(0), inDays(-1), inDays(366, 1), new Date(NaN)]) {
      expect(() => expiryOf(end, NOW)).toThrow(refusal('expires_at'));
    }
  });

  it('is open until it expires, what it shows is deleted, or its workspace is erased', () => {
    const open = { expiresAt: null, hasContents: true, isWorkspaceErased: false };
    for (const expiresAt of [null, inDays(0, 1)]) expect(isOpen({ ...open, expiresAt }, NOW)).toBe(true);
    for (const closed of [{ expiresAt: NOW }, { hasContents: false }, { isWorkspaceErased: true }]) {
      expect(isOpen({ ...open, ...closed }, NOW)).toBe(false);
    }
  });

  it.each([
    ['name', shareNameOf, 255],
    ['name', guestNameOf, 60],
    ['watermark', watermarkOf, 80],
  ] as const)('takes a %s of one line', (field, read, max) => {
    expect(read(`  ${'🦊'.repeat(max)} `)).toBe('🦊'.repeat(max));
    expect(read('a')).toBe('a');
    for (const text of ['', ' \n ', 'x'.repeat(max + 1), 'a\nb', 'a\u0007', 'a\u2028b']) {
      expect(() => read(text)).toThrow(refusal(field));
    }
  });

  it('allows each thing once, and nothing else', () => {
    expect(allowanceOf(['decide', 'download', 'decide'])).toEqual(['download', 'decide']);
    expect(() => assertAllows({ allow: ['comment'] }, 'comment')).not.toThrow();
    expect(() => assertAllows({ allow: ['comment'] }, 'download')).toThrow(
      expect.objectContaining({ code: 'forbidden' }),
    );
  });
});

describe('a guest', () => {
  it('tries a password where the link has one and the guest sends one', () => {
    const closed = { passwordHash: 'hash' as PasswordHash };
    expect([triesPassword(closed, ''), triesPassword(closed, null)]).toEqual([true, false]);
    expect([triesPassword({ passwordHash: null }, 'secret'), triesPassword({ passwordHash: null }, null)]).toEqual([
      ...[false, false],
    ]);
  });

  it('needs no password where there is none, and otherwise the present one', () => {
    const open = { passwordHash: null, passwordVersion: 3 };
    for (const each of [null, guest(1), guest(3)]) expect(hasEntered(open, each)).toBe(true);
    const closed = { passwordHash: 'hash' as PasswordHash, passwordVersion: 3 };
    expect([null, guest(2), guest(3), guest(4)].map((each) => hasEntered(closed, each))).toEqual([
      ...[false, false, true, false],
    ]);
  });

  it('has a name before the first comment', () => {
    expect(namedGuest(guest(1, 'Grace')).name).toBe('Grace');
    for (const each of [null, guest(1)]) {
      expect(() => namedGuest(each)).toThrow(expect.objectContaining({ code: 'guest_name_required' }));
    }
  });
});
