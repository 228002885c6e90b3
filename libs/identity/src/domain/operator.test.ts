import { describe, expect, it } from '@jest/globals';
import { verdictOf } from '#testing/kernel';
import {
  assertOperatorChange,
  claimHas,
  operatorAfterSignIn,
  type OperatorChange,
  type OperatorGrant,
} from './operator.ts';

describe('an account that signs in at the issuer', () => {
  it.each<[now: OperatorGrant | null, claim: 'with' | 'without', then: OperatorGrant | null]>([
    [null, 'without', null],
    [null, 'with', 'claim'],
    ['claim', 'with', 'claim'],
    ['claim', 'without', null],
    ['cli', 'with', 'cli'],
    ['cli', 'without', 'cli'],
  ])('and is an operator by %s, %s the claim, is one by %s afterwards', (now, claim, then) => {
    expect(operatorAfterSignIn(now, claim === 'with')).toBe(then);
  });
});

describe('a claim', () => {
  it.each([['operator'], [['member', 'operator']]])('%j has the value `operator`', (claim) => {
    expect(claimHas(claim, 'operator')).toBe(true);
  });

  it.each([
    ...['operators', 'Operator', 'member operator', '', undefined, null, true, 7, { operator: true }],
    ...[[], ['operators'], [['operator']], [{ name: 'operator' }]],
  ])('%j has not', (claim) => {
    expect(claimHas(claim, 'operator')).toBe(false);
  });
});

const [ada, bob, eve] = [1, 2, 3];
const outcomeOf = (operators: readonly number[], change: Partial<OperatorChange>) =>
  verdictOf(() =>
    assertOperatorChange(operators, { userId: ada, isOperator: false, by: ada, hasAdminToken: false, ...change }),
  );

describe('the right of an operator', () => {
  it('is given and taken by operators, and by ADMIN_TOKEN', () => {
    expect(outcomeOf([ada], { userId: bob, isOperator: true })).toBe('allowed');
    expect(outcomeOf([ada, bob], { userId: bob })).toBe('allowed');
    expect(outcomeOf([ada, bob], {})).toBe('allowed');
    expect(outcomeOf([], { isOperator: true, by: null, hasAdminToken: true })).toBe('allowed');
  });

  it('is not changed by a user who is no operator any more', () => {
    expect(outcomeOf([bob], { userId: eve, isOperator: true })).toBe('forbidden');
    expect(outcomeOf([], {})).toBe('forbidden');
  });

  it('is not taken from the last operator, unless there is an ADMIN_TOKEN', () => {
    expect(outcomeOf([ada], {})).toBe('conflict');
    expect(outcomeOf([ada], { hasAdminToken: true })).toBe('allowed');
    expect(outcomeOf([ada], { by: null, hasAdminToken: true })).toBe('allowed');
    expect(outcomeOf([ada], { isOperator: true })).toBe('allowed');
    expect(outcomeOf([ada], { userId: bob })).toBe('allowed');
  });
});
