import { describe, expect, it } from '@jest/globals';
import type { Plans, Role } from '#identity';
import { assertMay, refusalOf, ROLES_POLICY, type TeamAction } from './roles-policy.ts';

/**
 * What happens when somebody in the role `caller` does it to nobody in particular, to the owner, an admin, a member.
 * (To themselves: the cell of their own role. Removing themselves is `leave`.)
 */
const TABLE = `
  action               caller   nobody     owner                admin      member
  see_team             owner    yes        yes                  yes        yes
  see_team             admin    yes        yes                  yes        yes
  see_team             member   yes        yes                  yes        yes
  see_members          owner    yes        yes                  yes        yes
  see_members          admin    yes        yes                  yes        yes
  see_members          member   forbidden  forbidden            forbidden  forbidden
  see_usage_of_others  owner    yes        yes                  yes        yes
  see_usage_of_others  admin    yes        yes                  yes        yes
  see_usage_of_others  member   forbidden  forbidden            forbidden  forbidden
  add_members          owner    yes        yes                  yes        yes
  add_members          admin    yes        yes                  yes        yes
  add_members          member   forbidden  forbidden            forbidden  forbidden
  manage_invitations   owner    yes        yes                  yes        yes
  manage_invitations   admin    yes        yes                  yes        yes
  manage_invitations   member   forbidden  forbidden            forbidden  forbidden
  leave                owner    yes        owner_not_removable  yes        yes
  leave                admin    yes        owner_not_removable  yes        yes
  leave                member   yes        owner_not_removable  yes        yes
  remove_members       owner    yes        owner_not_removable  yes        yes
  remove_members       admin    yes        owner_not_removable  yes        yes
  remove_members       member   forbidden  forbidden            forbidden  forbidden
  change_roles         owner    yes        invalid_role_change  yes        yes
  change_roles         admin    forbidden  forbidden            forbidden  forbidden
  change_roles         member   forbidden  forbidden            forbidden  forbidden
  transfer_ownership   owner    yes        invalid_role_change  yes        yes
  transfer_ownership   admin    forbidden  forbidden            forbidden  forbidden
  transfer_ownership   member   forbidden  forbidden            forbidden  forbidden`;

const [head, ...rows] = TABLE.trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/));
const cells = rows.flatMap(([action, caller, ...verdicts]) =>
  verdicts.map((verdict, column) => [caller!, action!, head![column + 2]!, verdict] as const),
);

describe('the roles policy', () => {
  it.each(cells)('%s, %s, on %s: %s', (caller, action, target, verdict) => {
    const refusal = refusalOf(
      caller as Role,
      action as TeamAction,
      target === 'nobody' ? undefined : (target as Role),
    );
    expect(refusal ?? 'yes').toBe(verdict);
  });

  it('has no action that the table leaves out', () => {
    expect(new Set(rows.map(([action]) => action))).toEqual(new Set(Object.keys(ROLES_POLICY)));
    expect(cells).toHaveLength(Object.keys(ROLES_POLICY).length * 3 * 4);
  });
});

describe('what a caller may do', () => {
  const plans: Plans = {
    free: { id: 'free', monthlyCredits: 0, teams: false },
    studio: { id: 'studio', monthlyCredits: 0, teams: true },
  };
  const refused = (plan: string, role: Role, action: TeamAction, target?: Role) => {
    try {
      assertMay({ plan, role }, plans, action, target);
      return 'nothing';
    } catch (error) {
      return (error as { code: string }).code;
    }
  };

  it('takes a team plan, whatever their role, and before it', () => {
    expect(refused('studio', 'owner', 'see_team')).toBe('nothing');
    for (const role of ['owner', 'admin', 'member'] as const) {
      expect(refused('free', role, 'see_team')).toBe('plan_required');
      expect(refused('free', role, 'transfer_ownership')).toBe('plan_required');
      expect(refused('discontinued', role, 'see_team')).toBe('plan_required');
    }
  });

  it('is said in words that tell what to do', () => {
    const message = (role: Role, action: TeamAction, target?: Role) => {
      let said = '';
      try {
        assertMay({ plan: 'studio', role }, plans, action, target);
      } catch (error) {
        said = (error as Error).message;
      }
      return said;
    };
    expect(message('member', 'add_members')).toBe('only owner and admin may do this');
    expect(message('admin', 'change_roles')).toBe('only owner may do this');
    expect(message('admin', 'remove_members', 'owner')).toMatch(/transfer the ownership first/);
    expect(message('owner', 'change_roles', 'owner')).toMatch(/transferring the ownership/);
  });
});
