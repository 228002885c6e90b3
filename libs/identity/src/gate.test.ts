import { beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '#testing/kernel';
import type { Actor } from './domain/user.ts';
import { Gate } from './gate.ts';
import { anActor } from './testing/index.ts';

const plans = { enterprise: { id: 'enterprise', monthlyCredits: 1, teams: true } };

describe('the gate', () => {
  const clock = new ManualClock();
  const admin = anActor({ role: 'admin', plan: 'enterprise', isTeam: true });
  /** The callers of valid tokens at this moment, by token. */
  let callers: Map<number, Actor>;
  let lookUps: (readonly number[])[];
  let isSuspended: boolean;
  let gate: Gate;
  let strictGate: Gate;
  beforeEach(() => {
    callers = new Map([[admin.tokenId, admin]]);
    lookUps = [];
    isSuspended = false;
    const tokens = {
      callers: async (ids: readonly number[], now: Date) => {
        expect(now).toEqual(clock.now());
        lookUps.push(ids);
        return new Map([...callers].filter(([id]) => ids.includes(id)));
      },
    };
    const workspaces = { holdSuspension: async () => isSuspended };
    gate = new Gate(tokens, workspaces, { plans, requiresVerifiedEmail: false }, clock);
    strictGate = new Gate(tokens, workspaces, { plans, requiresVerifiedEmail: true }, clock);
  });

  const become = (changes: Partial<Actor>) => void callers.set(admin.tokenId, { ...admin, ...changes });
  const codeOf = async (decide: () => unknown): Promise<string> => {
    try {
      await decide();
      return 'allowed';
    } catch (error) {
      return (error as { code: string }).code;
    }
  };

  it('reports a plan without teams before a role that is too low', async () => {
    const member = { ...admin, role: 'member', plan: 'free' } as const;
    expect(await codeOf(() => gate.authorize(member, { action: 'team.invite', scopes: [] }))).toBe('plan_required');
    expect(await codeOf(() => gate.authorize(member, { action: 'board.update', scopes: [] }))).toBe('forbidden');
    expect(await codeOf(() => gate.authorize(admin, { action: 'team.invite', scopes: [] }))).toBe('allowed');
  });

  it('reports a scope that is missing first, and again before the effects', async () => {
    const caller = { ...admin, role: 'member', plan: 'free', scopes: ['boards'] } as const;
    const requirements = { action: 'team.invite', scopes: ['team'] } as const;
    expect(await codeOf(() => gate.authorize(caller, requirements))).toBe('insufficient_scope');
    expect(await codeOf(() => gate.authorize(caller, { scopes: ['boards'] }))).toBe('allowed');
    become(caller);
    expect(await codeOf(() => gate.confirm(caller, requirements))).toBe('insufficient_scope');
  });

  it.each<[string, () => void, readonly string[]]>([
    ['nothing changes', () => {}, ['allowed', 'allowed', 'allowed']],
    [
      'the token is revoked or expires',
      () => void callers.clear(),
      ['unauthenticated', 'unauthenticated', 'unauthenticated'],
    ],
    ['the membership ends', () => become({ workspaceId: 2, role: 'owner' }), ['forbidden', 'forbidden', 'forbidden']],
    ['the role is lowered', () => become({ role: 'member' }), ['forbidden', 'allowed', 'forbidden']],
    ['the role is raised', () => become({ role: 'owner' }), ['allowed', 'allowed', 'allowed']],
    ['the plan changes', () => become({ plan: 'free' }), ['allowed', 'plan_required', 'allowed']],
  ])('decides on an effect by the current rights: %s', async (_, change, expected) => {
    change();
    const verdicts = [];
    for (const action of ['board.update', 'team.read', undefined] as const) {
      verdicts.push(await codeOf(() => gate.confirm(admin, { action, scopes: [] })));
    }
    expect(verdicts).toEqual(expected);
    expect(lookUps).toEqual([[1], [1], [1]]);
  });

  it('lets an unverified account call only what needs no verified address, where the operator requires that', async () => {
    const unverified = { ...admin, emailVerified: false };
    const verdicts = async (caller: Actor, by = strictGate) => [
      await codeOf(() => by.authorize(caller, { scopes: [] })),
      await codeOf(() => by.authorize(caller, { scopes: [], verified: false })),
    ];
    expect(await verdicts(unverified)).toEqual(['email_unverified', 'allowed']);
    expect(await verdicts(admin)).toEqual(['allowed', 'allowed']);
    expect(await verdicts(unverified, gate)).toEqual(['allowed', 'allowed']);
  });

  it('lets members of a suspended workspace read it, and refuses what changes it, at once and before the effects', async () => {
    const change = { scopes: [], changesWorkspace: true } as const;
    const suspended = { ...admin, isSuspended: true };
    const verdicts = async (caller: Actor) => [
      await codeOf(() => gate.authorize(caller, { scopes: [] })),
      await codeOf(() => gate.authorize(caller, change)),
      await codeOf(() => gate.authorize({ ...caller, plan: 'free' }, { ...change, action: 'team.invite' })),
    ];
    expect(await verdicts(suspended)).toEqual(['allowed', 'workspace_suspended', 'workspace_suspended']);
    expect(await verdicts(admin)).toEqual(['allowed', 'allowed', 'plan_required']);
    become({ isSuspended: true });
    expect(await codeOf(() => gate.confirm(admin, change))).toBe('workspace_suspended');
    expect(await codeOf(() => gate.confirm(admin, { scopes: [] }))).toBe('allowed');
  });

  it('decides on effects of others than members by the suspension alone', async () => {
    expect(await codeOf(() => gate.requireActive(1))).toBe('allowed');
    isSuspended = true;
    expect(await codeOf(() => gate.requireActive(1))).toBe('workspace_suspended');
  });

  it('lets callers follow events while their token is valid in the same workspace, with one look-up', async () => {
    const second: Actor = { ...admin, workspaceId: 3, tokenId: 2 };
    const moved: Actor = { ...admin, tokenId: 3 };
    const revoked: Actor = { ...admin, tokenId: 4 };
    const again = { ...admin };
    callers.set(2, second).set(3, { ...moved, workspaceId: 2 });
    become({ plan: 'free' });
    expect(await gate.stillActing([admin, second, moved, revoked, again])).toEqual(new Set([admin, second, again]));
    expect(lookUps).toEqual([[1, 2, 3, 4]]);
  });

  it('lets callers follow events no longer once their role is lowered', async () => {
    const member: Actor = { ...admin, role: 'member' };
    const { role: _, ...any } = admin;
    become({ role: 'member' });
    expect(await gate.stillActing([admin, member, any])).toEqual(new Set([member, any]));
    become({ role: 'owner' });
    expect(await gate.stillActing([admin])).toEqual(new Set([admin]));
  });
});
