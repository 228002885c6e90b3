import { describe, expect, it } from '@jest/globals';
import {
  expectFailed,
  NO_RESPONSE,
  outcomes,
  secondsSince,
  endedGeneration,
  stage,
  useRemoteStage,
  vendor,
  view,
} from '../../../test/support/remote-generations.ts';
import { anOutput } from '../../../test/support/remote-stage.ts';
import { NotAccepted, OutcomeUnknown, ProviderFailure } from './ports.ts';

useRemoteStage();

describe('a vendor that refuses a submission for now', () => {
  it('gets it again after its Retry-After, or else after 1 s, 2 s, 4 s, …; refusals are not recorded', async () => {
    const waits = [null, null, 30, null];
    const start = stage.clock.now();
    vendor.onSubmit = (_, begin) => {
      if (waits.length > 0) throw new NotAccepted('provider_busy', waits.shift()!);
      return begin();
    };
    const id = await stage.accepted();
    await stage.step(id);
    expect(await stage.submissionOf(id)).toBeNull();
    while (vendor.started.length === 0) await stage.step(id);
    expect([vendor.posts, secondsSince(start)]).toEqual([5, 1 + 2 + 30 + 8]);
    await stage.runToEnd(id);
    expect((await view(id)).state).toBe('succeeded');
  });

  it.each([
    ['is busy', new NotAccepted('provider_busy', null), 'provider_busy'],
    ['is down', NO_RESPONSE, 'provider_unavailable'],
    ['is busy after each POST', new NotAccepted('provider_busy', null, { wasSent: true }), 'provider_busy'],
    [
      'is down after each POST',
      new NotAccepted('provider_unavailable', null, { wasSent: true }),
      'provider_unavailable',
    ],
  ])('and %s until the time limit fails the generation then', async (_, refusal, code) => {
    const start = stage.clock.now();
    vendor.onSubmit = () => {
      throw refusal;
    };
    const id = await endedGeneration();
    await expectFailed(id, code);
    expect(Math.floor(secondsSince(start) / 10)).toBe(60);
  });

  it.each(['provider_busy', 'provider_unavailable'] as const)(
    'and has accepted it nevertheless (%s) gets no second POST',
    async (code) => {
      vendor.onSubmit = (_, begin) => {
        begin();
        throw new NotAccepted(code, 2, { wasSent: true });
      };
      expect((await view(await endedGeneration())).state).toBe('succeeded');
      expect([vendor.posts, vendor.asked]).toEqual([1, ['find', 'check']]);
    },
  );

  it.each(['absent', 'unknown'] as const)(
    'and has not accepted it (%s) gets it again with the same key',
    async (found) => {
      const keys: string[] = [];
      vendor.onFind = () => found;
      vendor.onSubmit = ({ requestKey }, begin) => {
        keys.push(requestKey);
        if (keys.length < 3) throw new NotAccepted('provider_busy', 20, { wasSent: true });
        return begin();
      };
      const start = stage.clock.now();
      expect((await view(await endedGeneration())).state).toBe('succeeded');
      expect([keys.length, new Set(keys).size, vendor.started.length]).toEqual([3, 1, 1]);
      expect(secondsSince(start)).toBeGreaterThanOrEqual(40);
    },
  );

  it('gets no second POST if it rejects the task', async () => {
    vendor.onSubmit = () => {
      throw new ProviderFailure('content_rejected', 'not this');
    };
    const id = await endedGeneration();
    await expectFailed(id, 'content_rejected');
    expect([vendor.posts, await stage.submissionOf(id)]).toEqual([1, null]);
  });
});

describe('a POST without a response', () => {
  const lose = (isStarted: boolean) => {
    let isFirst = true;
    vendor.onSubmit = (_, begin) => {
      const started = isStarted || !isFirst ? begin() : null;
      if (!isFirst) return started!;
      isFirst = false;
      throw new OutcomeUnknown();
    };
  };

  it.each([
    [false, 5],
    [true, 30],
  ])('is searched for later (webhooks: %s, after %s s), and its job is followed', async (hasWebhooks, seconds) => {
    vendor.hasWebhooks = hasWebhooks;
    lose(true);
    const start = stage.clock.now();
    let found = 0;
    const find = vendor.onFind;
    vendor.onFind = (...asked) => {
      found = secondsSince(start);
      return find(...asked);
    };
    const id = await endedGeneration();
    expect([(await view(id)).state, vendor.posts, found]).toEqual(['succeeded', 1, seconds]);
  });

  /** A vendor that finds a similar job, which is a minute older and belongs to another caller. */
  const findOlder = () => {
    const older = stage.clock.now();
    stage.clock.advance(60);
    vendor.onFind = (_, since) => (since <= older ? { handle: { id: 'older' } } : 'absent');
  };

  it('does not match older jobs of the vendor', async () => {
    lose(false);
    findOlder();
    const id = await endedGeneration();
    expect([(await view(id)).state, vendor.posts]).toEqual(['succeeded', 2]);
  });

  it('does not match older jobs of the vendor when it is canceled', async () => {
    lose(false);
    findOlder();
    const canceled: string[] = [];
    vendor.onCancel = ({ id }) => {
      canceled.push(id);
      return 'canceled';
    };
    const id = await stage.accepted();
    await stage.step(id);
    await stage.generations.generations.cancel(stage.generations.actor, id);
    await stage.runToEnd(id);
    expect([canceled, outcomes().at(-1)]).toEqual([[], 'not_there']);
  });

  it('is repeated with the same key if the vendor has not received it', async () => {
    lose(false);
    const keys: string[] = [];
    const submit = vendor.onSubmit;
    vendor.onSubmit = (task, ...rest) => {
      keys.push(task.requestKey);
      return submit(task, ...rest);
    };
    const id = await endedGeneration();
    expect([(await view(id)).state, vendor.posts, vendor.started.length]).toEqual(['succeeded', 2, 1]);
    expect(new Set(keys).size).toBe(1);
  });

  it('is never repeated if the vendor cannot search, or has sent a webhook for it', async () => {
    lose(false);
    vendor.onFind = () => 'unknown';
    await expectFailed(await endedGeneration(), 'provider_outcome_unknown');
    expect([vendor.posts, outcomes()]).toEqual([1, ['lost', 'outcome_unknown', 'not_there']]);
    vendor.reset();
    lose(false);
    const id = await stage.accepted();
    await stage.step(id);
    const { requestKey } = (await stage.submissionOf(id))!;
    await stage.generations.submissions.checkNow(requestKey, stage.clock.now());
    await stage.runToEnd(id);
    await expectFailed(id, 'provider_outcome_unknown');
    expect(vendor.posts).toBe(1);
  });

  it.each([
    ['has ended', 'succeeded', false],
    ['still runs', 'timed_out', true],
  ] as const)('that is found after its time and %s is %s', async (what, end, isCanceled) => {
    lose(true);
    const id = await stage.accepted();
    await stage.step(id);
    vendor.onCheck = () =>
      what === 'has ended'
        ? { state: 'ended', outputs: [anOutput()], cost: null }
        : { state: 'pending', progress: null, checkAfterSeconds: null };
    // No worker was there.
    stage.clock.advance(3_600);
    await stage.runToEnd(id);
    const { state, error } = await view(id);
    expect([error?.code ?? state, vendor.posts, vendor.started[0]?.isCanceled]).toEqual([end, 1, isCanceled]);
    expect(await stage.ledgerOf(id)).toEqual(['reserve', end === 'succeeded' ? 'settle' : 'release']);
  });

  it('is searched for beyond the time limit while the vendor cannot be asked: it may have ended in time', async () => {
    lose(true);
    const find = vendor.onFind;
    const start = stage.clock.now();
    vendor.onFind = (...asked) => {
      if (secondsSince(start) < 1_100) throw NO_RESPONSE;
      return find(...asked);
    };
    expect([(await view(await endedGeneration())).state, vendor.posts]).toEqual(['succeeded', 1]);
  });

  it('is searched for until ten minutes after the time limit', async () => {
    lose(true);
    vendor.onFind = () => {
      throw NO_RESPONSE;
    };
    const start = stage.clock.now();
    const id = await stage.accepted();
    while ((await view(id)).state === 'running' || (await view(id)).state === 'queued') await stage.step(id);
    await expectFailed(id, 'provider_outcome_unknown');
    expect(secondsSince(start)).toBeGreaterThanOrEqual(1_200);
    vendor.onFind = ({ requestKey }) => ({ handle: { id: requestKey } });
    await stage.runToEnd(id);
    expect([vendor.posts, vendor.started[0]?.isCanceled]).toEqual([1, true]);
  });
});
