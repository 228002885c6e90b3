import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PostgresAudit } from '#adapters/postgres';
import { anOutput, RemoteStage, ScriptedVendor } from '../../../test/support/remote-stage.ts';
import { NotAccepted, OutcomeUnknown, ProviderFailure, type FailureCode, type VendorState } from './ports.ts';

const NO_ANSWER = new ProviderFailure('provider_unavailable', 'no answer', { retryable: true });

let vendor: ScriptedVendor;
let stage: RemoteStage;
beforeAll(async () => {
  vendor = new ScriptedVendor();
  stage = await RemoteStage.open(vendor, undefined, true);
});
afterAll(() => stage.close());
beforeEach(async () => {
  vendor.reset();
  await stage.generations.enter();
});
afterEach(async () => {
  const findings = await new PostgresAudit(stage.generations.db.database).findings();
  expect(findings.filter(({ rule }) => rule !== 'output file without a generation')).toEqual([]);
});

const view = (id: number) => stage.generations.view(id);
const outcomes = () => stage.generations.reports.map(({ outcome }) => outcome);
const secondsSince = (start: Date) => (stage.clock.now().getTime() - start.getTime()) / 1000;

async function settled(): Promise<number> {
  const id = await stage.accepted();
  await stage.settle(id);
  return id;
}

/** A generation that the vendor works on. */
async function pending(): Promise<number> {
  vendor.onCheck = () => ({ state: 'pending', progress: null, checkAfterSeconds: null });
  const id = await stage.accepted();
  await stage.step(id);
  expect((await stage.submissionOf(id))?.state).toBe('submitted');
  return id;
}

async function expectFailed(id: number, code: string): Promise<void> {
  expect(await view(id)).toMatchObject({ state: 'failed', error: { code } });
  expect(await stage.ledgerOf(id)).toEqual(['reserve', 'release']);
}

describe('a generation on a remote provider', () => {
  it('is submitted with its key, a seed and where to call, checked, and stored', async () => {
    vendor.hasWebhooks = true;
    const id = await settled();
    expect(await view(id)).toMatchObject({ state: 'succeeded', progress: 1, outputs: [{ contentType: 'image/png' }] });
    const [{ key, task }] = vendor.started as [(typeof vendor.started)[0]];
    expect(task).toMatchObject({ requestKey: key, model: { id: 'remote' }, parameters: { seed: expect.any(Number) } });
    expect(vendor.options[0]?.webhookUrl).toBe(`https://we.test/vendor?key=${key}`);
    expect([vendor.posts, vendor.asked, outcomes()]).toEqual([1, ['check'], ['submitted', 'ended']]);
    expect(await stage.ledgerOf(id)).toEqual(['reserve', 'settle']);
  });

  it('has no run while the vendor works, shows its progress, and never less', async () => {
    const id = await pending();
    expect(await stage.jobsOf(id)).toEqual([]);
    const seen: number[] = [];
    for (const progress of [0.25, 0.5, 0.4, null]) {
      vendor.onCheck = () => ({ state: 'pending', progress, checkAfterSeconds: null });
      await stage.step(id);
      seen.push((await view(id)).progress);
    }
    expect(seen).toEqual([0.25, 0.5, 0.5, 0.5]);
    vendor.onFetch = async () => void seen.push((await view(id)).progress);
    vendor.onCheck = () => ({ state: 'ended', outputs: [anOutput()], cost: null });
    await stage.settle(id);
    expect([seen.at(-1), (await view(id)).state]).toEqual([0.5, 'succeeded']);
  });

  it('is asked for at once when a webhook has come, and when the vendor wants it', async () => {
    const id = await pending();
    const start = stage.clock.now();
    vendor.onCheck = () => ({ state: 'pending', progress: null, checkAfterSeconds: 40 });
    const { submissions } = stage.generations;
    expect(await submissions.checkNow(vendor.started[0]!.key, start)).toBe(true);
    await stage.step(id);
    expect(secondsSince(start)).toBe(0);
    await stage.step(id);
    expect(secondsSince(start)).toBe(40);
    await stage.generations.generations.cancel(stage.generations.actor, id);
    await stage.settle(id);
    expect(await submissions.checkNow(vendor.started[0]!.key, start)).toBe(false);
    expect(await submissions.checkNow('00000000-0000-4000-8000-000000000000', start)).toBe(false);
  });

  it('goes on when the vendor does not answer, whatever it throws', async () => {
    const id = await pending();
    const answers = [NO_ANSWER, new ProviderFailure('invalid_input', 'lies'), new TypeError('a bug')];
    vendor.onCheck = () => {
      const error = answers.shift();
      if (error) throw error;
      return { state: 'ended', outputs: [anOutput()], cost: null };
    };
    await stage.settle(id);
    expect((await view(id)).state).toBe('succeeded');
  });

  const inconclusive = (code: FailureCode, retryable = false): VendorState => ({
    state: 'inconclusive',
    failure: new ProviderFailure(code, 'not known', { retryable }),
  });

  it('goes on when the vendor does not know it once, or now and then', async () => {
    const id = await pending();
    const unknown = inconclusive('provider_outcome_unknown');
    const known: VendorState = { state: 'pending', progress: null, checkAfterSeconds: null };
    const answers = [unknown, unknown, unknown, known, unknown, NO_ANSWER, unknown];
    vendor.onCheck = () => {
      const answer = answers.shift() ?? { state: 'ended', outputs: [anOutput()], cost: null };
      if (answer instanceof Error) throw answer;
      return answer;
    };
    await stage.settle(id);
    expect([(await view(id)).state, answers, vendor.posts]).toEqual(['succeeded', [], 1]);
  });

  it('has failed when the vendor does not know it for half a minute, in which it is asked three more times', async () => {
    const id = await pending();
    vendor.asked = [];
    vendor.onCheck = () => inconclusive('provider_outcome_unknown');
    await stage.settle(id);
    await expectFailed(id, 'provider_outcome_unknown');
    expect([vendor.asked.length, vendor.posts]).toEqual([4, 1]);
  });

  it('is submitted again where nothing can run at a vendor that does not know it', async () => {
    const id = await pending();
    vendor.onCheck = () =>
      vendor.posts === 1
        ? inconclusive('provider_unavailable', true)
        : { state: 'ended', outputs: [anOutput()], cost: null };
    await stage.settle(id);
    expect([(await view(id)).state, vendor.posts]).toEqual(['succeeded', 2]);
  });

  it('times out at the end of its time, gives the credits back, and is canceled at the vendor', async () => {
    const start = stage.clock.now();
    const id = await pending();
    await stage.settle(id);
    await expectFailed(id, 'timed_out');
    expect(secondsSince(start)).toBe(600);
    expect(outcomes()).toEqual(['submitted', 'timed_out', 'canceled']);
    expect(vendor.started[0]?.isCanceled).toBe(true);
  });

  it('takes what has ended by the end of its time', async () => {
    const start = stage.clock.now();
    const id = await pending();
    vendor.onCheck = (): VendorState =>
      secondsSince(start) >= 600
        ? { state: 'ended', outputs: [anOutput()], cost: null }
        : { state: 'pending', progress: null, checkAfterSeconds: null };
    await stage.settle(id);
    expect((await view(id)).state).toBe('succeeded');
  });

  it.each([
    ['content_rejected', false, 1],
    ['provider_unavailable', true, 3],
  ] as const)(
    'that the vendor has failed with %s (retryable: %s) is submitted %s times',
    async (code, retryable, posts) => {
      vendor.onCheck = () => ({ state: 'failed', failure: new ProviderFailure(code, 'no', { retryable }) });
      const id = await settled();
      await expectFailed(id, code);
      expect([vendor.posts, new Set(vendor.started.map(({ key }) => key)).size]).toEqual([posts, posts]);
    },
  );

  it('succeeds when a later submission does, and is charged once', async () => {
    const failure = new ProviderFailure('provider_unavailable', 'no', { retryable: true });
    const answers: VendorState[] = [
      { state: 'failed', failure },
      { state: 'ended', outputs: [anOutput()], cost: 1 },
    ];
    vendor.onCheck = () => answers.shift()!;
    const id = await settled();
    expect([(await view(id)).state, vendor.posts]).toEqual(['succeeded', 2]);
    expect(await stage.ledgerOf(id)).toEqual(['reserve', 'settle']);
  });

  it('fails when nothing was made, and when it was canceled at the vendor', async () => {
    vendor.onCheck = () => ({ state: 'ended', outputs: [], cost: null });
    await expectFailed(await settled(), 'unusable_output');
    vendor.onCheck = () => ({ state: 'canceled' });
    await expectFailed(await settled(), 'provider_unavailable');
  });

  it('fetches an output again that could not be fetched, but not for ever', async () => {
    let fetches = 0;
    vendor.onFetch = () => {
      if (++fetches < 3) throw NO_ANSWER;
    };
    expect((await view(await settled())).state).toBe('succeeded');
    vendor.onFetch = () => {
      throw NO_ANSWER;
    };
    await expectFailed(await settled(), 'unusable_output');
    expect(vendor.posts).toBe(2);
  });

  it('takes outputs that come with the answer', async () => {
    vendor.onSubmit = () => ({
      outputs: [{ file: `${stage.generations.folder}/made.png`, label: null, score: null }],
      cost: 0.04,
    });
    const id = await settled();
    expect([(await view(id)).state, (await stage.submissionOf(id))?.state]).toEqual(['succeeded', 'closed']);
    expect(vendor.asked).toEqual([]);
  });
});

describe('a vendor that takes no work now', () => {
  it('gets it later: as it asks, else after 1 s, 2 s, 4 s, …; nothing is recorded of what it did not take', async () => {
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
    await stage.settle(id);
    expect((await view(id)).state).toBe('succeeded');
  });

  it.each([
    ['is busy', new NotAccepted('provider_busy', null), 'provider_busy'],
    ['is down', NO_ANSWER, 'provider_unavailable'],
  ])('and %s until the end of its time fails it, only then', async (_, refusal, code) => {
    const start = stage.clock.now();
    vendor.onSubmit = () => {
      throw refusal;
    };
    const id = await settled();
    await expectFailed(id, code);
    expect(secondsSince(start)).toBe(600);
  });

  it.each(['provider_busy', 'provider_unavailable'] as const)(
    'and has all the same is not asked twice (%s)',
    async (code) => {
      vendor.onSubmit = (_, begin) => {
        begin();
        throw new NotAccepted(code, 2, { wasSent: true });
      };
      expect((await view(await settled())).state).toBe('succeeded');
      expect([vendor.posts, vendor.asked]).toEqual([1, ['find', 'check']]);
    },
  );

  it.each(['absent', 'unknown'] as const)('and has not (%s) gets it again with the same key', async (found) => {
    const keys: string[] = [];
    vendor.onFind = () => found;
    vendor.onSubmit = ({ requestKey }, begin) => {
      keys.push(requestKey);
      if (keys.length < 3) throw new NotAccepted('provider_busy', 20, { wasSent: true });
      return begin();
    };
    const start = stage.clock.now();
    expect((await view(await settled())).state).toBe('succeeded');
    expect([keys.length, new Set(keys).size, vendor.started.length]).toEqual([3, 1, 1]);
    expect(secondsSince(start)).toBeGreaterThanOrEqual(40);
  });

  it.each(['provider_busy', 'provider_unavailable'] as const)(
    'until the end of its time fails it with %s, although it gets each POST',
    async (code) => {
      const start = stage.clock.now();
      vendor.onSubmit = () => {
        throw new NotAccepted(code, null, { wasSent: true });
      };
      const id = await settled();
      await expectFailed(id, code);
      expect(secondsSince(start)).toBeGreaterThanOrEqual(600);
      expect(secondsSince(start)).toBeLessThan(610);
    },
  );

  it('is not asked again when it refuses the task', async () => {
    vendor.onSubmit = () => {
      throw new ProviderFailure('content_rejected', 'not this');
    };
    const id = await settled();
    await expectFailed(id, 'content_rejected');
    expect([vendor.posts, await stage.submissionOf(id)]).toEqual([1, null]);
  });
});

describe('a POST without an answer', () => {
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
  ])('is looked for after a while (webhooks: %s, after %s s), and gone on with', async (hasWebhooks, seconds) => {
    vendor.hasWebhooks = hasWebhooks;
    lose(true);
    const start = stage.clock.now();
    let found = 0;
    const find = vendor.onFind;
    vendor.onFind = (...asked) => {
      found = secondsSince(start);
      return find(...asked);
    };
    const id = await settled();
    expect([(await view(id)).state, vendor.posts, found]).toEqual(['succeeded', 1, seconds]);
  });

  /** A vendor with a job of somebody else that is a minute older, and looks the same. */
  const findOlder = () => {
    const older = stage.clock.now();
    stage.clock.advance(60);
    vendor.onFind = (_, since) => (since <= older ? { handle: { id: 'older' } } : 'absent');
  };

  it('is not looked for among what is older', async () => {
    lose(false);
    findOlder();
    const id = await settled();
    expect([(await view(id)).state, vendor.posts]).toEqual(['succeeded', 2]);
  });

  it('is not looked for among what is older to cancel it', async () => {
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
    await stage.settle(id);
    expect([canceled, outcomes().at(-1)]).toEqual([[], 'not_there']);
  });

  it('is sent again with the same key when the vendor has never got it', async () => {
    lose(false);
    const keys: string[] = [];
    const submit = vendor.onSubmit;
    vendor.onSubmit = (task, ...rest) => {
      keys.push(task.requestKey);
      return submit(task, ...rest);
    };
    const id = await settled();
    expect([(await view(id)).state, vendor.posts, vendor.started.length]).toEqual(['succeeded', 2, 1]);
    expect(new Set(keys).size).toBe(1);
  });

  it('is never sent again when the vendor can not tell, or has called for it', async () => {
    lose(false);
    vendor.onFind = () => 'unknown';
    await expectFailed(await settled(), 'provider_outcome_unknown');
    expect([vendor.posts, outcomes()]).toEqual([1, ['lost', 'outcome_unknown', 'not_there']]);
    vendor.reset();
    lose(false);
    const id = await stage.accepted();
    await stage.step(id);
    const { requestKey } = (await stage.submissionOf(id))!;
    await stage.generations.submissions.checkNow(requestKey, stage.clock.now());
    await stage.settle(id);
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
    await stage.settle(id);
    const { state, error } = await view(id);
    expect([error?.code ?? state, vendor.posts, vendor.started[0]?.isCanceled]).toEqual([end, 1, isCanceled]);
    expect(await stage.ledgerOf(id)).toEqual(['reserve', end === 'succeeded' ? 'settle' : 'release']);
  });

  it('is looked for as long as its time lasts', async () => {
    lose(true);
    vendor.onFind = () => {
      throw NO_ANSWER;
    };
    const start = stage.clock.now();
    const id = await stage.accepted();
    while ((await view(id)).state === 'running' || (await view(id)).state === 'queued') await stage.step(id);
    await expectFailed(id, 'provider_outcome_unknown');
    expect(secondsSince(start)).toBeGreaterThanOrEqual(600);
    vendor.onFind = ({ requestKey }) => ({ handle: { id: requestKey } });
    await stage.settle(id);
    expect([vendor.posts, vendor.started[0]?.isCanceled]).toEqual([1, true]);
  });
});

describe('a canceled generation', () => {
  it('is canceled at the vendor, as often as it takes to get an answer', async () => {
    const id = await pending();
    let asked = 0;
    vendor.onCancel = () => {
      if (++asked < 4) throw NO_ANSWER;
      return 'canceled';
    };
    await stage.generations.generations.cancel(stage.generations.actor, id);
    expect((await stage.submissionOf(id))?.state).toBe('canceling');
    expect(await stage.ledgerOf(id)).toEqual(['reserve', 'release']);
    await stage.settle(id);
    expect([asked, vendor.started[0]?.isCanceled, vendor.asked]).toEqual([4, true, []]);
    expect((await stage.submissionOf(id))?.state).toBe('closed');
  });

  it('is canceled at the vendor when it was canceled during the POST', async () => {
    const id = await stage.accepted();
    vendor.onSubmit = async (_, begin) => {
      await stage.generations.generations.cancel(stage.generations.actor, id);
      return begin();
    };
    await stage.settle(id);
    expect([(await view(id)).state, vendor.posts, vendor.started[0]?.isCanceled]).toEqual(['canceled', 1, true]);
  });

  it.each(['too_late', 'unsupported'] as const)(
    'drops what the vendor makes although it is told (%s)',
    async (answer) => {
      const id = await pending();
      vendor.onCancel = () => answer;
      await stage.generations.generations.cancel(stage.generations.actor, id);
      vendor.onCheck = () => ({ state: 'ended', outputs: [anOutput()], cost: null });
      await stage.settle(id);
      expect(await view(id)).toMatchObject({ state: 'canceled', outputs: [] });
      expect(outcomes().at(-1)).toBe(answer);
    },
  );

  it('is given up after a day of silence, and reported', async () => {
    const id = await pending();
    vendor.onCancel = () => {
      throw NO_ANSWER;
    };
    await stage.generations.generations.cancel(stage.generations.actor, id);
    await stage.step(id);
    stage.clock.advance(90_000);
    await stage.settle(id);
    expect([outcomes().at(-1), (await stage.submissionOf(id))?.state]).toEqual(['not_told', 'closed']);
  });

  it('is what a generation is whose persona was deleted: at once, and at the vendor too', async () => {
    const id = await pending();
    await stage.generations.generations.endOfPersona(stage.generations.personaId, new AbortController().signal);
    await expectFailed(id, 'no_persona');
    await stage.settle(id);
    expect(vendor.started[0]?.isCanceled).toBe(true);
  });
});

describe('a submission whose provider was taken out of the catalogue', () => {
  it('is given up at the end of its time', async () => {
    const id = await pending();
    const { checks } = stage.generations.program({}, []);
    expect(await checks.expireAbandoned()).toBe(0);
    stage.clock.advance(600);
    expect(await stage.program().checks.expireAbandoned()).toBe(0);
    expect(await checks.expireAbandoned()).toBe(1);
    await stage.settle(id);
    await expectFailed(id, 'timed_out');
  });
});
