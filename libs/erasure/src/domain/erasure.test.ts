import { describe, expect, it } from '@jest/globals';
import { fateOf, finish, requestErasure, type Belonging } from '../index.ts';

const now = new Date('2026-11-25T12:00:00Z');
const home: Belonging = { workspaceId: 1, role: 'owner', members: 1 };
const team = (role: Belonging['role'], members: number): Belonging => ({ workspaceId: 2, role, members });

describe('the erasure of a person', () => {
  it('erases the personal workspace', () => {
    expect(fateOf(home)).toBe('erased');
  });

  it('erases a team whose owner is alone', () => {
    expect(fateOf(team('owner', 1))).toBe('erased');
  });

  it.each(['admin', 'member'] as const)('leaves the team of a member: %s', (role) => {
    expect(fateOf(team(role, 2))).toBe('left');
    const { erasure, leftIds } = requestErasure(7, [home, team(role, 2)], now);
    expect(erasure).toEqual({ state: 'requested', userId: 7, requestedAt: now, workspaceIds: [1] });
    expect(leftIds).toEqual([2]);
  });

  it('is refused to the owner of a team with another member', () => {
    expect(fateOf(team('owner', 2))).toBe('kept');
    const request = () => requestErasure(7, [home, team('owner', 2)], now);
    expect(request).toThrow(expect.objectContaining({ code: 'transfer_ownership_first' }));
  });

  it('is done once nothing is left to erase', () => {
    const { erasure } = requestErasure(7, [home], now);
    const doneAt = new Date(now.getTime() + 1000);
    expect(finish(erasure, doneAt)).toEqual({ state: 'done', userId: 7, requestedAt: now, doneAt });
  });
});
