import { afterEach, describe, expect, it } from '@jest/globals';
import {
  expectFailed,
  NO_RESPONSE,
  outcomes,
  pending,
  secondsSince,
  endedGeneration,
  stage,
  useRemoteStage,
  vendor,
  view,
} from '../../../test/support/remote-generations.ts';
import { anOutput } from '../../../test/support/remote-stage.ts';
import { NotAccepted, OutcomeUnknown, ProviderFailure, type FailureCode, type VendorState } from './ports.ts';

useRemoteStage();

describe('a generation on a remote provider', () => {
  it('is submitted with a key, a seed and a webhook URL, then checked and stored', async () => {
    vendor.hasWebhooks = true;
    const id = await endedGeneration();
    expect(await view(id)).toMatchObject({ state: 'succeeded', progress: 1, outputs: [{ contentType: 'image/png' }] });
    const [{ key, task }] = vendor.started as [(typeof vendor.started)[0]];
    expect(task).toMatchObject({ requestKey: key, model: { id: 'remote' }, parameters: { seed: expect.any(Number) } });
    expect(vendor.options[0]?.webhookUrl).toBe(`https://we.test/vendor?key=${key}`);
    expect([vendor.posts, vendor.asked, outcomes()]).toEqual([1, ['check'], ['submitted', 'ended']]);
    expect(await stage.ledgerOf(id)).toEqual(['reserve', 'settle']);
  });

  it('occupies no worker while the vendor works, and shows progress that never decreases', async () => {
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
    await stage.runToEnd(id);
    expect([seen.at(-1), (await view(id)).state]).toEqual([0.5, 'succeeded']);
  });

  it('is checked at once after a webhook, and otherwise when the vendor asks for it', async () => {
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
    await stage.runToEnd(id);
    expect(await submissions.checkNow(vendor.started[0]!.key, start)).toBe(false);
    expect(await submissions.checkNow('00000000-0000-4000-8000-000000000000', start)).toBe(false);
  });

  it('continues after any error of a check', async () => {
    const id = await pending();
    const responses = [NO_RESPONSE, new ProviderFailure('invalid_input', 'lies'), new TypeError('a bug')];
    vendor.onCheck = () => {
      const error = responses.shift();
      if (error) throw error;
      return { state: 'ended', outputs: [anOutput()], cost: null };
    };
    await stage.runToEnd(id);
    expect((await view(id)).state).toBe('succeeded');
  });

  const inconclusive = (code: FailureCode, retryable = false): VendorState => ({
    state: 'inconclusive',
    failure: new ProviderFailure(code, 'not known', { retryable }),
  });

  it('continues if the vendor occasionally does not find it', async () => {
    const id = await pending();
    const unknown = inconclusive('provider_outcome_unknown');
    const known: VendorState = { state: 'pending', progress: null, checkAfterSeconds: null };
    const responses = [unknown, unknown, unknown, known, unknown, NO_RESPONSE, unknown];
    vendor.onCheck = () => {
      const response = responses.shift() ?? { state: 'ended', outputs: [anOutput()], cost: null };
      if (response instanceof Error) throw response;
      return response;
    };
    await stage.runToEnd(id);
    expect([(await view(id)).state, responses, vendor.posts]).toEqual(['succeeded', [], 1]);
  });

  it('fails if the vendor does not find it in four checks within half a minute', async () => {
    const id = await pending();
    vendor.asked = [];
    vendor.onCheck = () => inconclusive('provider_outcome_unknown');
    await stage.runToEnd(id);
    await expectFailed(id, 'provider_outcome_unknown');
    expect([vendor.asked.length, vendor.posts]).toEqual([4, 1]);
  });

  it('is submitted again if the vendor does not find it and cannot be running it', async () => {
    const id = await pending();
    vendor.onCheck = () =>
      vendor.posts === 1
        ? inconclusive('provider_unavailable', true)
        : { state: 'ended', outputs: [anOutput()], cost: null };
    await stage.runToEnd(id);
    expect([(await view(id)).state, vendor.posts]).toEqual(['succeeded', 2]);
    expect(await stage.ledgerOf(id)).toEqual(['reserve', 'settle']);
  });

  it('times out, releases its credits, and is canceled at the vendor', async () => {
    const start = stage.clock.now();
    const id = await pending();
    await stage.runToEnd(id);
    await expectFailed(id, 'timed_out');
    expect(secondsSince(start)).toBe(600);
    expect(outcomes()).toEqual(['submitted', 'timed_out', 'canceled']);
    expect(vendor.started[0]?.isCanceled).toBe(true);
  });

  it('is not ended by a step of the clock: its time is what has passed', async () => {
    const id = await pending();
    const [one, other] = [stage.program().checks, stage.program().checks];
    const check = (checks: typeof one) => checks.check(vendor.id, new AbortController().signal);
    const deadline = async () => (await stage.submissionOf(id))!.deadline.getTime();
    for (const checks of [one, other]) {
      stage.clock.advance(3);
      await check(checks);
    }
    const before = await deadline();
    stage.clock.step(3_600);
    await check(one);
    expect([(await view(id)).state, (await deadline()) - before]).toEqual(['running', 3_600_000]);
    // The other process has noticed the same step.
    stage.clock.advance(20);
    await check(other);
    expect((await deadline()) - before).toBe(3_600_000);
    stage.clock.advance(500);
    await check(one);
    expect((await stage.submissionOf(id))?.state).toBe('submitted');
    stage.clock.advance(100);
    await check(one);
    await stage.runToEnd(id);
    await expectFailed(id, 'timed_out');
  });

  it('counts the time of a restart: a new process knows what is recorded', async () => {
    const id = await pending();
    stage.clock.step(3_600);
    await stage.runToEnd(id);
    await expectFailed(id, 'timed_out');
  });

  const WRONG_KEY = new ProviderFailure('provider_misconfigured', 'the key is wrong');

  it('fails for the key, and is canceled at the vendor, if the key is refused until the time limit', async () => {
    const id = await pending();
    vendor.onCheck = () => {
      throw WRONG_KEY;
    };
    await stage.runToEnd(id);
    await expectFailed(id, 'provider_misconfigured');
    expect([vendor.posts, vendor.started[0]?.isCanceled]).toEqual([1, true]);
  });

  it('is found again if the key is mended within the time limit', async () => {
    const id = await pending();
    const start = stage.clock.now();
    vendor.onCheck = () => {
      if (secondsSince(start) < 590) throw WRONG_KEY;
      return { state: 'ended', outputs: [anOutput()], cost: null };
    };
    await stage.runToEnd(id);
    expect([(await view(id)).state, vendor.posts]).toEqual(['succeeded', 1]);
  });

  it.each([
    ['content_rejected', false, 1],
    ['provider_unavailable', true, 3],
  ] as const)(
    'after the failure %s (retryable: %s) at the vendor is submitted %s times in total',
    async (code, retryable, posts) => {
      vendor.onCheck = () => ({ state: 'failed', failure: new ProviderFailure(code, 'no', { retryable }) });
      const id = await endedGeneration();
      await expectFailed(id, code);
      expect([vendor.posts, new Set(vendor.started.map(({ key }) => key)).size]).toEqual([posts, posts]);
    },
  );

  it('fails after a cancellation at the vendor', async () => {
    vendor.onCheck = () => ({ state: 'canceled' });
    await expectFailed(await endedGeneration(), 'provider_unavailable');
  });

  it('retries fetching an output a limited number of times', async () => {
    vendor.onFetch = () => {
      throw NO_RESPONSE;
    };
    await expectFailed(await endedGeneration(), 'unusable_output');
    expect(vendor.posts).toBe(1);
  });

  it('stores outputs that the vendor sends in its response', async () => {
    vendor.onSubmit = () => ({
      outputs: [{ file: `${stage.generations.folder}/made.png`, label: null, score: null }],
      cost: 0.04,
    });
    const id = await endedGeneration();
    expect([(await view(id)).state, (await stage.submissionOf(id))?.state]).toEqual(['succeeded', 'closed']);
    expect(vendor.asked).toEqual([]);
  });
});

describe('while as many outputs of its workspace wait as may, a generation', () => {
  const wait = (count: number) =>
    stage.generations.db.query(
      `insert into jobs (name, queue, payload, workspace_id, due_at, created_at)
       select 'generation.finish', 'outputs', '{"generationId": 0}', $1, $2, $2 from generate_series(1, $3::integer)`,
      [stage.generations.actor.workspaceId, stage.clock.now(), count],
    );
  afterEach(() => stage.generations.db.query(`delete from jobs where payload ->> 'generationId' = '0'`));

  it('is not submitted, and its time has not begun', async () => {
    await wait(32);
    const id = await stage.accepted();
    for (let steps = 0; steps < 4; steps++) await stage.step(id);
    stage.clock.advance(700);
    await stage.step(id);
    expect([(await view(id)).state, vendor.posts]).toEqual(['queued', 0]);
    await stage.generations.db.query(`delete from jobs where payload ->> 'generationId' = '0'`);
    vendor.onSubmit = (_, start) => {
      if (vendor.posts < 3) throw new NotAccepted('provider_busy', null);
      return start();
    };
    await stage.runToEnd(id);
    expect([(await view(id)).state, vendor.posts]).toEqual(['succeeded', 3]);
  });

  it('is submitted if fewer wait, or its workspace is another', async () => {
    await wait(31);
    expect((await view(await endedGeneration())).state).toBe('succeeded');
    await wait(1);
    await stage.generations.enter();
    expect((await view(await endedGeneration())).state).toBe('succeeded');
  });

  it('is searched for and fetched if it was submitted before', async () => {
    vendor.onSubmit = (_, start) => {
      start();
      throw new OutcomeUnknown();
    };
    const id = await stage.accepted();
    await stage.step(id);
    await wait(32);
    await stage.runToEnd(id);
    expect([(await view(id)).state, vendor.posts]).toEqual(['succeeded', 1]);
  });
});

describe('a canceled generation', () => {
  it('is canceled at the vendor, with retries until it responds', async () => {
    const id = await pending();
    let asked = 0;
    vendor.onCancel = () => {
      if (++asked < 4) throw NO_RESPONSE;
      return 'canceled';
    };
    await stage.generations.generations.cancel(stage.generations.actor, id);
    expect((await stage.submissionOf(id))?.state).toBe('canceling');
    expect(await stage.ledgerOf(id)).toEqual(['reserve', 'release']);
    await stage.runToEnd(id);
    expect([asked, vendor.started[0]?.isCanceled, vendor.asked]).toEqual([4, true, []]);
    expect((await stage.submissionOf(id))?.state).toBe('closed');
  });

  it.each(['too_late', 'unsupported'] as const)(
    'discards the outputs of a vendor that does not cancel it (%s)',
    async (response) => {
      const id = await pending();
      vendor.onCancel = () => response;
      await stage.generations.generations.cancel(stage.generations.actor, id);
      vendor.onCheck = () => ({ state: 'ended', outputs: [anOutput()], cost: null });
      await stage.runToEnd(id);
      expect(await view(id)).toMatchObject({ state: 'canceled', outputs: [] });
      expect(outcomes().at(-1)).toBe(response);
    },
  );

  it('is reported and closed if the vendor does not respond for a day', async () => {
    const id = await pending();
    vendor.onCancel = () => {
      throw NO_RESPONSE;
    };
    await stage.generations.generations.cancel(stage.generations.actor, id);
    await stage.step(id);
    stage.clock.advance(90_000);
    await stage.runToEnd(id);
    expect([outcomes().at(-1), (await stage.submissionOf(id))?.state]).toEqual(['not_told', 'closed']);
  });

  it('also results from the deletion of its persona', async () => {
    const id = await pending();
    await stage.generations.generations.endOfPersona(stage.generations.personaId, new AbortController().signal);
    await expectFailed(id, 'no_persona');
    await stage.runToEnd(id);
    expect(vendor.started[0]?.isCanceled).toBe(true);
  });
});

it('a submission whose provider is no longer in the catalogue fails at the time limit', async () => {
  const id = await pending();
  const { checks } = stage.generations.program({}, []);
  expect(await checks.expireAbandoned()).toBe(0);
  stage.clock.advance(600);
  expect(await stage.program().checks.expireAbandoned()).toBe(0);
  expect(await checks.expireAbandoned()).toBe(1);
  await stage.runToEnd(id);
  await expectFailed(id, 'timed_out');
});
