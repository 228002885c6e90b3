import { expect, it } from '@jest/globals';
import { Starts } from './starts.ts';

type Step = readonly [draft: string, at: number, outcome?: 'accepted' | 'refused' | 'unknown'];

it.each<[rule: string, first: Step, second: Step, key: 'none' | 'the same' | 'another']>([
  [
    'is one for both clicks of a double click, though accepted between',
    ['fox', 1_000, 'accepted'],
    ['fox', 1_200],
    'none',
  ],
  ['is not begun again while it is under way', ['fox', 0], ['fox', 5_000], 'none'],
  ['can be repeated a moment after it was accepted', ['fox', 0, 'accepted'], ['fox', 700], 'another'],
  ['can be tried again at once while its outcome is unknown', ['fox', 0, 'unknown'], ['fox', 100], 'the same'],
  ['has another key after it was refused: its refusal is kept', ['fox', 0, 'refused'], ['fox', 2_000], 'another'],
  ['has another key when the draft was changed', ['fox', 0, 'unknown'], ['hare', 2_000], 'another'],
  ['of another draft does not wait for the previous one', ['fox', 0], ['hare', 2_000], 'another'],
])('a start of a generation %s', (_, [draft, at, outcome], [next, later], key) => {
  const starts = new Starts();
  const first = starts.begin(draft, at)!;
  if (outcome) starts.end(first, outcome);
  const second = starts.begin(next, later);
  expect(second === null ? 'none' : second === first ? 'the same' : 'another').toBe(key);
});

it('a start of a generation is one for a key that is held', () => {
  const starts = new Starts();
  expect(starts.begin('fox', 0)).not.toBeNull();
  for (let now = 500; now < 5_000; now += 30) expect(starts.begin('fox', now)).toBeNull();
});

it('a start of a generation is under way when the one before it ends', () => {
  const starts = new Starts();
  const key = starts.begin('fox', 0)!;
  starts.begin('hare', 2_000);
  starts.end(key, 'accepted');
  expect(starts.begin('hare', 4_000)).toBeNull();
});
