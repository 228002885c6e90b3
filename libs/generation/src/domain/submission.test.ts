import { describe, expect, it } from '@jest/globals';
import {
  after,
  afterUnknown,
  backoffSeconds,
  doubt,
  fetchSeconds,
  fetchUntil,
  intend,
  intendAgain,
  intendAnother,
  isForgotten,
  isTimedOut,
  maySend,
  nextCheckAt,
  nextCheckSeconds,
  nextStep,
  outcomeWaitSeconds,
  placeWaitSeconds,
  retrySubmitSeconds,
  searchedSince,
  type Over,
  type Submission,
  type SubmissionResult,
  type UnknownOutcome,
} from './submission.ts';

const at = new Date('2026-03-14T10:00:00Z');
const KEY = '6b1f7c1e-0000-4000-8000-000000000001';
const pictures = { image: null, style: null, references: [], mask: null, control: null };
const intended = intend({ generationId: 1, provider: 'vendor', requestKey: KEY, pictures }, 600, at);
const unknown: UnknownOutcome = { ...intended, state: 'unknown', wasHeardOf: false, refusal: null };
const pending = { ...intended, state: 'submitted', handle: { id: '1' }, checks: 1, doubtfulSince: null } as const;
const failure = { code: 'provider_unavailable', message: 'it has failed', retryable: true };
const outputs = [{ url: 'https://vendor.test/1.png', label: null, score: null }];

const over = (result: SubmissionResult, number = 1): Over => ({ ...intended, state: 'ended', number, result });

describe('a run of a generation on a remote provider', () => {
  it.each<[string, Submission | null, string]>([
    ['submits where nothing was submitted', null, 'submit'],
    ['never sends a POST where another run may have sent it', intended, 'lose'],
    ['asks the provider where the outcome is unknown', unknown, 'find'],
    ['leaves to the checks what the provider works on', pending, 'leave'],
    ['fetches what the provider has made', over({ outputs, cost: null }), 'fetch'],
    ['submits again what the provider has ended, and may try again', over({ failure }), 'submit'],
    ['submits it three times', over({ failure }, 2), 'submit'],
    ['submits it no fourth time', over({ failure }, 3), 'fail'],
    ['fails with what may not be tried again', over({ failure: { ...failure, retryable: false } }), 'fail'],
    ['leaves what is canceled to its job', { ...intended, state: 'canceling', handle: null }, 'leave'],
    ['has nothing to do for what has ended', { ...intended, state: 'closed' }, 'leave'],
  ])('%s', (_, submission, step) => {
    expect(nextStep(submission).do).toBe(step);
  });

  it('gives each new submission a key of its own, and all of them together the time of the first', () => {
    const later = after(at, 60);
    const another = intendAnother(over({ failure }), 'other', later);
    expect(another).toEqual({ ...intended, requestKey: 'other', number: 2, intendedAt: later });
    expect(another.giveUpAt).toEqual(after(at, 600));
    expect(nextStep(another)).toEqual({ do: 'lose', submission: another });
  });

  it('submits what the provider has not got with the same key', () => {
    expect(intendAgain(unknown, after(at, 9))).toEqual({ ...intended, intendedAt: after(at, 9) });
  });

  it('sends a POST within four seconds or not at all, so that it can not come after the question for it', () => {
    expect([maySend(intended, after(at, 3.999)), maySend(intended, after(at, 4))]).toEqual([true, false]);
    expect(outcomeWaitSeconds(intended, false, at)).toBeGreaterThan(4);
  });
});

describe('a submission whose outcome is unknown', () => {
  it('waits 5 s, or 30 s for a webhook, before the provider is asked', () => {
    expect(outcomeWaitSeconds(intended, false, at)).toBe(5);
    expect(outcomeWaitSeconds(intended, true, after(at, 10))).toBe(20);
    expect(outcomeWaitSeconds(intended, true, after(at, 99))).toBe(0);
    // The clock was set back.
    expect(outcomeWaitSeconds(intended, true, after(at, -3_600))).toBe(30);
  });

  it.each([
    ['there', false, 'there'],
    ['there', true, 'there'],
    ['absent', false, 'submit'],
    ['cannot_tell', false, 'fail'],
    ['cannot_tell', true, 'fail'],
    // The provider has called for it: it has it.
    ['absent', true, 'fail'],
  ] as const)('that the provider finds %s (heard of: %s): %s', (found, wasHeardOf, next) => {
    expect(afterUnknown({ ...unknown, wasHeardOf }, found, after(at, 599.9))).toBe(next);
  });

  it.each([
    ['there', false, 'there'],
    ['absent', false, 'submit'],
    ['cannot_tell', false, 'submit'],
    // It has called for it.
    ['absent', true, 'fail'],
    ['cannot_tell', true, 'fail'],
  ] as const)('that the provider says not to have, and finds %s (heard of: %s): %s', (found, wasHeardOf, next) => {
    const refused: UnknownOutcome = { ...unknown, wasHeardOf, refusal: 'provider_busy' };
    expect(afterUnknown(refused, found, after(at, 599.9))).toBe(next);
    expect(afterUnknown(refused, found, after(at, 600))).toBe(next === 'submit' ? 'time_out' : next);
  });

  it.each([
    ['there', false, 'there'],
    ['absent', false, 'time_out'],
    ['absent', true, 'fail'],
    ['cannot_tell', false, 'fail'],
  ] as const)('whose time is over, that the provider finds %s (heard of: %s): %s', (found, wasHeardOf, next) => {
    expect(afterUnknown({ ...unknown, wasHeardOf }, found, after(at, 600))).toBe(next);
  });
});

it('is looked for since it was intended, or since its time limit ago where the clock was set back', () => {
  expect(searchedSince(unknown, after(at, 30))).toEqual(at);
  expect(searchedSince(unknown, after(at, -3_600))).toEqual(after(at, -3_600 - 600));
});

describe('a submission that its provider does not take now', () => {
  it('waits 1 s, 2 s, 4 s, … up to a minute', () => {
    expect([1, 2, 3, 6, 7, 50].map(backoffSeconds)).toEqual([1, 2, 4, 32, 60, 60]);
    expect(retrySubmitSeconds(3, null, after(at, 600), at)).toBe(4);
  });

  it('waits as long as the provider wants, and no longer than its time', () => {
    expect(retrySubmitSeconds(1, 90, after(at, 600), at)).toBe(90);
    expect(retrySubmitSeconds(1, 90, after(at, 30), at)).toBe(30);
    expect(retrySubmitSeconds(1, 90, at, at)).toBeNull();
  });
});

describe('checks', () => {
  it('are 1 s after the submission, and then each half as long again after the last', () => {
    expect([0, 1, 2, 6].map((checks) => nextCheckSeconds(checks, false))).toEqual([1, 1.5, 2.25, 11.390625]);
    expect([nextCheckSeconds(7, false), nextCheckSeconds(1000, false)]).toEqual([15, 15]);
    expect([nextCheckSeconds(8, true), nextCheckSeconds(9, true)]).toEqual([25.62890625, 30]);
  });

  it('are when the provider wants them, from half a second to a minute', () => {
    expect([0, 0.5, 7, 60, 600].map((wanted) => nextCheckSeconds(20, true, wanted))).toEqual([0.5, 0.5, 7, 60, 60]);
  });

  it('go on for half a minute while the provider does not know the submission', () => {
    const first = doubt(pending, at);
    expect(first).toEqual({ since: at, isBelieved: false, checkAfterSeconds: 10 });
    const later = (seconds: number) => doubt({ ...pending, doubtfulSince: at }, after(at, seconds));
    expect([10, 29.9, 30].map((seconds) => later(seconds).isBelieved)).toEqual([false, false, true]);
    expect(later(20).since).toEqual(at);
  });

  it('include one at the moment when it is given up', () => {
    expect(nextCheckAt(pending, 15, after(at, 580))).toEqual(after(at, 595));
    expect(nextCheckAt(pending, 15, after(at, 590))).toEqual(after(at, 600));
    expect(nextCheckAt(pending, 15, after(at, 601))).toEqual(after(at, 616));
    expect([isTimedOut(pending, after(at, 599.9)), isTimedOut(pending, after(at, 600))]).toEqual([false, true]);
  });
});

describe('a submission whose provider does not answer that it is to stop', () => {
  it('is forgotten a day after its time', () => {
    const canceling = { ...intended, state: 'canceling', handle: { id: '1' } } as const;
    expect([after(at, 86_999), after(at, 87_000)].map((now) => isForgotten(canceling, now))).toEqual([false, true]);
  });
});

describe('outputs', () => {
  it('are fetched within the time of the generation, or within a minute when they were made at its end', () => {
    expect(fetchUntil(pending, after(at, 539))).toEqual(after(at, 600));
    expect(fetchUntil(pending, after(at, 541))).toEqual(after(at, 601));
    expect(fetchUntil(pending, after(at, 9_000))).toEqual(after(at, 9_060));
  });

  it('have no time left then', () => {
    const made = over({ outputs, cost: null });
    expect([590, 600, 601].map((seconds) => fetchSeconds(made, after(at, seconds)))).toEqual([10, 0, 0]);
  });

  it('wait for a free place 1 s, 2 s, and then 4 s each time', () => {
    expect([1, 2, 3, 4, 9].map(placeWaitSeconds)).toEqual([1, 2, 4, 4, 4]);
  });
});
