import { describe, expect, it } from '@jest/globals';
import type { MemberDto } from '../../api/index.ts';
import { actionsFor, countInvitationsBy, findMembers, standingOf, tokenIn } from './members.ts';

const person = (email: string, more: Partial<MemberDto> = {}): MemberDto => ({
  ...{ id: 1, user_id: 1, email, name: null, role: 'member', level: 1 },
  ...{ joined_at: '2026-11-01T00:00:00.000Z', added_by: null, is_confirmed: true },
  ...more,
});

describe('members', () => {
  const grace = person('grace@example.com', { name: 'Grace Hopper', role: 'owner', level: 99 });
  const ada = person('ada@example.com', { name: 'Ada', role: 'admin', level: 2 });
  const late = person('late@example.com');
  const numbered = ['Zed 10', 'zed 9'].map((name) => person('z@example.com', { name }));
  const asked = person('asked@example.com', { joined_at: null, is_confirmed: false });
  const early = person('early@example.com');
  const all = [late, asked, ada, grace, early];

  it('are sorted by name, or e-mail without a name, after the owner', () => {
    const sorted = [grace, ada, asked, early, late];
    expect(findMembers([...numbered, ...all], '', '')).toEqual([...sorted, ...numbered.toReversed()]);
  });

  it.each([
    ['HOP', '', [grace]],
    ['hopper grace@', '', [grace]],
    ['hopper ada', '', []],
    ['', 'admin', [ada]],
    ['l', 'member', [asked, early, late]],
  ])('are found by %j among the role %j', (search, role, found) => {
    expect(findMembers(all, search, role)).toEqual(found);
  });

  it('have joined, have never signed in, or are invited', () => {
    expect([ada, { ...ada, is_confirmed: false }, asked].map(standingOf)).toEqual(['member', 'unused', 'invited']);
  });
});

describe('the offered actions', () => {
  const ada = person('ada@example.com', { user_id: 2, role: 'admin', level: 2 });
  const member = person('m@example.com', { user_id: 3 });
  const asked = person('asked@example.com', { user_id: 4, joined_at: null, is_confirmed: false });
  const grace = person('grace@example.com', { user_id: 9, role: 'owner', level: 99 });

  it.each([
    ['owner', 9, grace, []],
    ['owner', 9, ada, ['makeMember', 'makeOwner', 'remove']],
    ['owner', 9, member, ['makeAdmin', 'makeOwner', 'remove']],
    ['owner', 9, asked, ['sendAgain', 'remove']],
    ['admin', 2, grace, []],
    ['admin', 2, ada, ['leave']],
    ['admin', 2, member, ['remove']],
    ['admin', 7, ada, ['remove']],
  ] as const)('to the %s %d', (role, user_id, target, offered) => {
    expect(actionsFor(target, { user_id, role })).toEqual(offered);
  });
});

it('counts the invitations of one person', () => {
  const by = (invited_by: string) => ({ invited_by }) as Parameters<typeof countInvitationsBy>[1][number];
  expect(countInvitationsBy('a@x.org', [by('a@x.org'), by('b@x.org'), by('a@x.org')])).toBe(2);
});

describe('the token of an invitation', () => {
  const token = `x12_${'aB3-_'.repeat(8)}xyz`;
  it.each([
    token,
    ` ${token}\n`,
    `https://x12.example.com/console/invitation#token=${token}`,
    `take this:\n${token}\n.`,
  ])('is found in %j', (text) => expect(tokenIn(text)).toBe(token));

  it.each(['', 'x12_short', `${token}z`, `z${token}`])('is not found in %j', (text) => {
    expect(tokenIn(text)).toBeNull();
  });
});
