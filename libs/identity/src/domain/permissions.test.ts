import { describe, expect, it } from '@jest/globals';
import { ROLES } from '#kernel';
import { refusal } from '#testing/kernel';
import { assertMay, assertPlan, may, refusalOf, type Action } from './permissions.ts';

/** The verdict on each caller (the row's columns) without a target, and on the owner as a target. */
const TABLE: Record<Action, readonly [owner: string, admin: string, member: string, onOwner: string]> = {
  'team.read': ['yes', 'yes', 'yes', 'yes'],
  'team.read_members': ['yes', 'yes', 'forbidden', 'yes'],
  'team.read_usage_of_others': ['yes', 'yes', 'forbidden', 'yes'],
  'team.add_member': ['yes', 'yes', 'forbidden', 'yes'],
  'team.invite': ['yes', 'yes', 'forbidden', 'yes'],
  'team.leave': ['yes', 'yes', 'yes', 'owner_not_removable'],
  'team.remove_member': ['yes', 'yes', 'forbidden', 'owner_not_removable'],
  'team.change_role': ['yes', 'forbidden', 'forbidden', 'invalid_role_change'],
  'team.transfer_ownership': ['yes', 'forbidden', 'forbidden', 'invalid_role_change'],
  'board.update': ['yes', 'yes', 'forbidden', 'yes'],
  'board.delete': ['yes', 'yes', 'forbidden', 'yes'],
  'trash.manage': ['yes', 'yes', 'forbidden', 'yes'],
  'webhook.manage': ['yes', 'yes', 'forbidden', 'yes'],
  'event.read_of_team': ['yes', 'yes', 'forbidden', 'yes'],
  'audit.read': ['yes', 'yes', 'forbidden', 'yes'],
  'customer.manage': ['yes', 'yes', 'forbidden', 'yes'],
  'workspace.manage': ['yes', 'yes', 'forbidden', 'yes'],
  'persona.delete': ['yes', 'yes', 'forbidden', 'yes'],
  'preset.update': ['yes', 'yes', 'forbidden', 'yes'],
  'preset.delete': ['yes', 'yes', 'forbidden', 'yes'],
  'library.delete': ['yes', 'yes', 'forbidden', 'yes'],
  'search.change': ['yes', 'yes', 'forbidden', 'yes'],
  'comment.change': ['yes', 'yes', 'forbidden', 'yes'],
  'share.create': ['yes', 'yes', 'forbidden', 'yes'],
  'share.change': ['yes', 'yes', 'forbidden', 'yes'],
};
const rows = Object.entries(TABLE) as [Action, (typeof TABLE)[Action]][];

describe('permissions', () => {
  it.each(rows)('%s: owner %s, admin %s, member %s; on the owner %s', (action, ...[verdicts]) => {
    const onOwner = verdicts[3];
    for (const [column, role] of ROLES.entries()) {
      const caller = { userId: 1, role };
      const verdict = verdicts[column]!;
      for (const target of [undefined, { role: 'admin' }, { role: 'member' }, { createdBy: 2 }] as const) {
        expect(refusalOf(action, caller, target) ?? 'yes').toBe(verdict);
        expect(may(action, caller, target)).toBe(verdict === 'yes');
      }
      // An insufficient role is reported first.
      const expected = verdict === 'yes' ? onOwner : verdict;
      expect(refusalOf(action, caller, { role: 'owner' }) ?? 'yes').toBe(expected);
    }
  });

  it('let creators delete their persona or item and change their preset, search, comment or share link in any role, and nothing else', () => {
    const own: readonly string[] = [
      'persona.delete',
      'preset.update',
      'preset.delete',
      'library.delete',
      'search.change',
      'comment.change',
      'share.change',
    ];
    const creator = { userId: 7, role: 'member' } as const;
    for (const [action] of rows) {
      expect(may(action, creator, { createdBy: 7 })).toBe(own.includes(action) || may(action, creator));
    }
  });

  it('need a team plan for every action on teams, and for no other', () => {
    const plans = {
      free: { id: 'free', monthlyCredits: 0, teams: false },
      studio: { id: 'studio', monthlyCredits: 0, teams: true },
    };
    for (const [action] of rows) {
      expect(() => assertPlan(action, 'studio', plans)).not.toThrow();
      for (const plan of ['free', 'discontinued']) {
        const asserting = () => assertPlan(action, plan, plans);
        if (!action.startsWith('team.')) expect(asserting).not.toThrow();
        else expect(asserting).toThrow(expect.objectContaining({ code: 'plan_required' }));
      }
    }
  });

  it('are refused with a message that names the allowed roles or the remedy', () => {
    const refused = (action: Action, role: 'owner' | 'admin' | 'member', target = {}) =>
      refusal(() => assertMay(action, { userId: 1, role }, target)).message;
    expect(refused('team.add_member', 'member')).toBe('only owner and admin may do this');
    expect(refused('team.change_role', 'admin')).toBe('only owner may do this');
    expect(refused('persona.delete', 'member')).toBe('only the creator, owner and admin may do this');
    expect(refused('team.remove_member', 'admin', { role: 'owner' })).toMatch(/transfer the ownership first/);
    expect(refused('team.change_role', 'owner', { role: 'owner' })).toMatch(/transferring the ownership/);
    expect(() => assertMay('team.read', { userId: 1, role: 'member' }, {})).not.toThrow();
  });
});
