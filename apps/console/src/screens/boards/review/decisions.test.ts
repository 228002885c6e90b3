import { describe, expect, it } from '@jest/globals';
import { decisionIn, isReviewed, nextUndecided } from './decisions.ts';

const item = (id: number, decision: 'none' | 'approved' | 'changes_requested' = 'none', comments_count = 0) => ({
  ...{ id, decision, comments_count },
});

describe('the next undecided item', () => {
  const media = [item(1), item(2, 'approved'), item(3, 'changes_requested'), item(4), item(5, 'approved')];

  it('comes after the open one, and after the last one from the beginning', () => {
    expect(nextUndecided(media, 1)).toMatchObject({ id: 4 });
    expect(nextUndecided(media, 4)).toMatchObject({ id: 1 });
    expect(nextUndecided(media, 5)).toMatchObject({ id: 1 });
  });

  it('is never the open one, and none where all others are decided', () => {
    expect(nextUndecided([item(1), item(2, 'approved')], 1)).toBeNull();
    expect(nextUndecided([], 1)).toBeNull();
  });
});

it('the decision of an address is one that there is, or none', () => {
  expect(decisionIn('approved')).toBe('approved');
  for (const text of ['', 'constructor', 'APPROVED']) expect(decisionIn(text)).toBeNull();
});

it('are reviewed from the first comment or decision on', () => {
  expect(isReviewed([item(1), item(2)])).toBe(false);
  expect(isReviewed([item(1), item(2, 'approved')])).toBe(true);
  expect(isReviewed([item(1, 'none', 1)])).toBe(true);
});
