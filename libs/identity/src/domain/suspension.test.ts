import { describe, expect, it } from '@jest/globals';
import { assertActive, changesWorkspace } from './suspension.ts';

describe('a suspended workspace', () => {
  it('refuses what changes it, with its own code', () => {
    expect(() => assertActive(false)).not.toThrow();
    expect(() => assertActive(true)).toThrow(expect.objectContaining({ code: 'workspace_suspended' }));
  });

  it.each([
    ['generations.create', true],
    ['uploads.create', true],
    ['team.members.add', true],
    ['team.invitations.send', true],
    ['authors.create', true],
    ['auth.session.delete', false],
    ['auth.tokens.create', false],
    ['team.members.remove', false],
    ['results.read', false],
    ['downloads.create', false],
  ])('%s changes it: %s', (operation, changes) => {
    expect(changesWorkspace(operation, { isRead: false })).toBe(changes);
    expect(changesWorkspace(operation, { isRead: true })).toBe(false);
  });

  it('is changed by one GET: that which finalizes an upload', () => {
    expect(changesWorkspace('uploads.finalize', { isRead: true })).toBe(true);
  });
});
