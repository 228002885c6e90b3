import { describe, expect, it } from '@jest/globals';
import { filtersSet, NO_FILTER, queryOf } from './audit-query.ts';
import { actorOf, deedOf, detailsOf, targetOf } from './sentence.ts';

const ada = { user_id: 3, email: 'ada@example.com' };
const board = { type: 'board', id: 7, name: 'Moods' } as const;
const own = { type: 'user', id: 3, name: 'ada@example.com' } as const;
const other = { type: 'user', id: 4, name: 'bob@example.com' } as const;
const plain = { actor: ada, target: own, details: {} };

describe('an entry of the audit log', () => {
  it('names who did it, also if the account is gone', () => {
    expect(actorOf({ actor: ada })).toBe('ada@example.com');
    expect(actorOf({ actor: { user_id: 3, email: null } })).toBe('User 3, who is gone');
    expect(actorOf({ actor: 'operator' })).toBe('An operator');
    expect(actorOf({ actor: 'system' })).toBe('The service');
  });

  it('names its target by e-mail, by name in quotes, or by number', () => {
    expect(targetOf({ target: board })).toBe('“Moods”');
    expect(targetOf({ target: other })).toBe('bob@example.com');
    expect(targetOf({ target: { type: 'media', id: 9, name: null } })).toBe('item 9');
  });

  const deed = (action: string, part: object = {}) => ({ ...plain, action, ...part }) as Parameters<typeof deedOf>[0];
  const token = { type: 'token', id: 1, name: 'CI' };
  const workspace = { type: 'workspace', id: 1, name: null };
  it.each([
    ['signed in with a sign-in link', deed('account.sign_in', { details: { by: 'link' } })],
    ['did not get in: the code was wrong', deed('account.sign_in_failed', { details: { by: 'code' } })],
    [
      'changed the name and picture of their account',
      deed('account.update', { details: { fields: ['name', 'avatar'] } }),
    ],
    ['turned off two-factor for the account of bob@example.com', deed('account.two_factor_off', { target: other })],
    [
      'removed the operator rights of bob@example.com',
      deed('account.operator_change', { target: other, details: { operator: false } }),
    ],
    [
      'created the token “CI” with the scopes read, generate',
      deed('token.create', { target: token, details: { scopes: ['read', 'generate'], expires: null } }),
    ],
    [
      'made bob@example.com an admin, before a member',
      deed('team.role_change', { target: other, details: { from: 'member', to: 'admin' } }),
    ],
    ['left the team', deed('team.member_remove', { details: { left: true } })],
    ['deleted 2 items of the board “Moods”', deed('media.delete', { target: board, details: { items: [1, 2] } })],
    ['deleted the board “Moods” for good', deed('board.erase', { target: board })],
    ['granted 1 credit', deed('credits.grant', { target: workspace, details: { amount: 1 } })],
  ])('reads: %s', (sentence, entry) => expect(deedOf(entry)).toBe(sentence));

  it('has details in words', () => {
    const details = { by: 'code', changed: true, left: false, expires: null, items: [1, 2] };
    expect(detailsOf({ details }, String)).toEqual([
      ['By', 'code'],
      ['Changed', 'Yes'],
      ['Left', 'No'],
      ['Expires', 'None'],
      ['Items', '1, 2'],
    ]);
    const expires = '2026-11-22T12:00:00.000Z';
    expect(detailsOf({ details: { expires } }, (at) => at.toUTCString())).toEqual([
      ['Expires', 'Sun, 22 Nov 2026 12:00:00 GMT'],
    ]);
  });
});

describe('the filters of the audit log', () => {
  it('ask for everything when there are none', () => {
    expect(JSON.parse(JSON.stringify(queryOf(NO_FILTER)))).toEqual({});
    expect(filtersSet({ ...NO_FILTER, open: 3 })).toEqual([]);
  });

  it('include both days, whole, and leave out days that are none', () => {
    const days = { after: '2026-11-21', before: '2026-11-30' };
    expect(queryOf({ ...NO_FILTER, ...days, target: ' board:7 ' })).toMatchObject({
      target: 'board:7',
      after: new Date(2026, 10, 21).toISOString(),
      before: new Date(2026, 11, 1).toISOString(),
    });
    expect(queryOf({ ...NO_FILTER, after: 'monday' }).after).toBeUndefined();
    expect(filtersSet({ ...NO_FILTER, ...days, actor: 'system' })).toEqual(['actor', 'after', 'before']);
  });
});
