import { describe, expect, it } from '@jest/globals';
import {
  after,
  afterSearch,
  backoffSeconds,
  downloadSeconds,
  downloadWaitSeconds,
  fetchAgainSeconds,
  intend,
  intendResend,
  intendRetry,
  isCancelExpired,
  isSearchOver,
  isTimedOut,
  maySend,
  nextCheckAt,
  nextCheckSeconds,
  nextStep,
  recheckInconclusive,
  retrySubmitSeconds,
  searchDelaySeconds,
  searchStart,
  type EndedSubmission,
  type Submission,
  type SubmissionResult,
  type UnknownSubmission,
} from './submission.ts';
import { NO_INPUTS } from '../testing/builders.ts';

const at = new Date('2026-03-14T10:00:00Z');
const KEY = '6b1f7c1e-0000-4000-8000-000000000001';
const intended = intend({ generationId: 1, provider: 'vendor', requestKey: KEY, pictures: NO_INPUTS }, 600, at);
const unknown: UnknownSubmission = { ...intended, state: 'unknown', hasReceivedWebhook: false, refusal: null };
const submitted = { ...intended, state: 'submitted', handle: { id: '1' }, checks: 1, inconclusiveSince: null } as const;
const failure = { code: 'provider_unavailable', message: 'it has failed', retryable: true };
const outputs = [{ url: 'https://vendor.test/1.png', label: null, score: null }];

const ended = (result: SubmissionResult, number = 1): EndedSubmission => ({
  ...intended,
  state: 'ended',
  number,
  result,
});

describe('the next step of a run', () => {
  it.each<[string, Submission | null, string]>([
    ['submits when nothing was submitted', null, 'submit'],
    ['never sends a POST that another run may have sent', intended, 'mark_unknown'],
    ['searches the provider when the outcome is unknown', unknown, 'find'],
    ['does nothing while the job is pending', submitted, 'nothing'],
    ['fetches the outputs of an ended job', ended({ outputs, cost: null }), 'fetch'],
    ['submits again after a retryable failure', ended({ failure }), 'submit'],
    ['submits a third time', ended({ failure }, 2), 'submit'],
    ['does not submit a fourth time', ended({ failure }, 3), 'fail'],
    ['fails after a final failure', ended({ failure: { ...failure, retryable: false } }), 'fail'],
    ['leaves a canceling submission to the cancel job', { ...intended, state: 'canceling', handle: null }, 'nothing'],
    ['does nothing for a closed submission', { ...intended, state: 'closed' }, 'nothing'],
  ])('%s', (_, submission, step) => {
    expect(nextStep(submission).do).toBe(step);
  });

  it('gives each new submission its own request key, and the deadline of the first', () => {
    const later = after(at, 60);
    const retry = intendRetry(ended({ failure }), 'other', later);
    expect(retry).toEqual({ ...intended, requestKey: 'other', number: 2, intendedAt: later });
    expect(retry.deadline).toEqual(after(at, 600));
    expect(nextStep(retry)).toEqual({ do: 'mark_unknown', submission: retry });
  });

  it('resends a submission that the provider has not received with the same request key', () => {
    expect(intendResend(unknown, after(at, 9))).toEqual({ ...intended, intendedAt: after(at, 9) });
  });

  it('sends a POST within four seconds or not at all, always before the search', () => {
    expect([maySend(intended, after(at, 3.999)), maySend(intended, after(at, 4))]).toEqual([true, false]);
    expect(searchDelaySeconds(intended, false, at)).toBeGreaterThan(4);
  });
});

describe('a submission with an unknown outcome', () => {
  it('is searched for after 5 s, or after 30 s when a webhook may arrive', () => {
    expect(searchDelaySeconds(intended, false, at)).toBe(5);
    expect(searchDelaySeconds(intended, true, after(at, 10))).toBe(20);
    expect(searchDelaySeconds(intended, true, after(at, 99))).toBe(0);
    // The clock was set back.
    expect(searchDelaySeconds(intended, true, after(at, -3_600))).toBe(30);
  });

  it('is searched for from its intention, or back by the time limit when the clock was set back', () => {
    expect(searchStart(unknown, after(at, 30))).toEqual(at);
    expect(searchStart(unknown, after(at, -3_600))).toEqual(after(at, -3_600 - 600));
  });

  it('is searched for until ten minutes after the deadline, or after a refusal until the deadline', () => {
    const over = (refusal: UnknownSubmission['refusal']) =>
      [599, 600, 1_199, 1_200].map((seconds) => isSearchOver({ ...unknown, refusal }, after(at, seconds)));
    expect([over(null), over('provider_busy')]).toEqual([
      [false, false, false, true],
      [false, true, true, true],
    ]);
  });

  it.each([
    ['found', false, 'record'],
    ['found', true, 'record'],
    ['absent', false, 'submit'],
    ['unknown', false, 'fail'],
    ['unknown', true, 'fail'],
    // The webhook proves that the job exists.
    ['absent', true, 'fail'],
  ] as const)('search %s (webhook received: %s): %s', (found, hasReceivedWebhook, next) => {
    expect(afterSearch({ ...unknown, hasReceivedWebhook }, found, after(at, 599.9))).toBe(next);
  });

  it.each([
    ['found', false, 'record'],
    ['absent', false, 'submit'],
    ['unknown', false, 'submit'],
    ['absent', true, 'fail'],
    ['unknown', true, 'fail'],
  ] as const)('after a refusal, search %s (webhook received: %s): %s', (found, hasReceivedWebhook, next) => {
    const refused: UnknownSubmission = { ...unknown, hasReceivedWebhook, refusal: 'provider_busy' };
    expect(afterSearch(refused, found, after(at, 599.9))).toBe(next);
    expect(afterSearch(refused, found, after(at, 600))).toBe(next === 'submit' ? 'time_out' : next);
  });

  it.each([
    ['found', false, 'record'],
    ['absent', false, 'time_out'],
    ['absent', true, 'fail'],
    ['unknown', false, 'fail'],
  ] as const)('at the deadline, search %s (webhook received: %s): %s', (found, hasReceivedWebhook, next) => {
    expect(afterSearch({ ...unknown, hasReceivedWebhook }, found, after(at, 600))).toBe(next);
  });
});

describe('a submission that the provider refuses for now', () => {
  it('is retried after 1 s, 2 s, 4 s, … up to a minute', () => {
    expect([1, 2, 3, 6, 7, 50].map(backoffSeconds)).toEqual([1, 2, 4, 32, 60, 60]);
    expect(retrySubmitSeconds(3, null, after(at, 600), at)).toBe(4);
  });

  it('is retried after the delay that the provider requests, at the latest at its deadline', () => {
    expect(retrySubmitSeconds(1, 90, after(at, 600), at)).toBe(90);
    expect(retrySubmitSeconds(1, 90, after(at, 30), at)).toBe(30);
    expect(retrySubmitSeconds(1, 90, at, at)).toBeNull();
  });
});

describe('status checks', () => {
  it('start after 1 s, at intervals that grow by half', () => {
    expect([0, 1, 2, 6].map((checks) => nextCheckSeconds(checks, false))).toEqual([1, 1.5, 2.25, 11.390625]);
    expect([nextCheckSeconds(7, false), nextCheckSeconds(1000, false)]).toEqual([15, 15]);
    expect([nextCheckSeconds(8, true), nextCheckSeconds(9, true)]).toEqual([25.62890625, 30]);
  });

  it('follow the interval that the provider requests, from half a second to a minute', () => {
    expect([0, 0.5, 7, 60, 600].map((requested) => nextCheckSeconds(20, true, requested))).toEqual([
      0.5, 0.5, 7, 60, 60,
    ]);
  });

  it('are repeated for half a minute while they are inconclusive', () => {
    expect(recheckInconclusive(submitted, at)).toEqual({ since: at, isFinal: false, checkAfterSeconds: 10 });
    const later = (seconds: number) => recheckInconclusive({ ...submitted, inconclusiveSince: at }, after(at, seconds));
    expect([10, 29.9, 30].map((seconds) => later(seconds).isFinal)).toEqual([false, false, true]);
    expect(later(20).since).toEqual(at);
  });

  it('include one at the deadline', () => {
    expect(nextCheckAt(submitted, 15, after(at, 580))).toEqual(after(at, 595));
    expect(nextCheckAt(submitted, 15, after(at, 590))).toEqual(after(at, 600));
    expect(nextCheckAt(submitted, 15, after(at, 601))).toEqual(after(at, 616));
    expect([isTimedOut(submitted, after(at, 599.9)), isTimedOut(submitted, after(at, 600))]).toEqual([false, true]);
  });
});

it('cancellation expires a day after the deadline', () => {
  const canceling = { ...intended, state: 'canceling', handle: { id: '1' } } as const;
  expect([after(at, 86_999), after(at, 87_000)].map((now) => isCancelExpired(canceling, now))).toEqual([false, true]);
});

describe('outputs that are on record', () => {
  const made = { ...ended({ outputs, cost: null }), deadline: after(at, 3_600) };

  it('are fetched whatever the time limit was', () => {
    expect(nextStep({ ...made, deadline: at })).toEqual({
      do: 'fetch',
      submission: { ...made, deadline: at },
      outputs,
    });
  });

  it('are fetched again after 1 s, 2 s, 4 s, … up to a minute, as long as the vendor keeps them', () => {
    const again = (attempt: number, seconds: number) => fetchAgainSeconds(attempt, made, after(at, seconds));
    expect([again(1, 0), again(3, 601), again(50, 3_599.9), again(1, 3_600)]).toEqual([1, 4, 60, null]);
  });

  it('have ten minutes for each download, and half an hour if they are the weights of a style', () => {
    expect([downloadSeconds('image'), downloadSeconds('video'), downloadSeconds('style')]).toEqual([600, 600, 1_800]);
  });

  it('wait 1 s, 2 s, and then 4 s each time for a download', () => {
    expect([1, 2, 3, 4, 9].map(downloadWaitSeconds)).toEqual([1, 2, 4, 4, 4]);
  });
});
