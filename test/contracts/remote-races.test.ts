/** @tier test, 10 s */
import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { OutcomeUnknown } from '#generation';
import { stage, useRemoteStage, vendor, view } from '../support/remote-generations.ts';
import { anOutput } from '../support/remote-stage.ts';
import { rounds } from '../support/rounds.ts';

useRemoteStage();

describe('concurrent work on a generation of a remote provider', () => {
  const run = (id: number, attempt: number) => {
    const { workspaceId } = stage.generations.actor;
    const { runs } = stage.program();
    return runs
      .run({ generationId: id }, { attempt, workspaceId, signal: new AbortController().signal })
      .catch(() => undefined);
  };
  const cancel = (id: number) =>
    stage.generations.generations.cancel(stage.generations.actor, id).catch(() => undefined);
  const check = () => stage.program().checks.check(vendor.id, new AbortController().signal);

  it('submits once, however many runs have it at once', async () => {
    vendor.onSubmit = async (_, start) => {
      await sleep(Math.random() * 10);
      return start();
    };
    for (let round = 0; round < rounds(); round++) {
      vendor.posts = 0;
      const id = await stage.accepted();
      await Promise.all([1, 2, 3].map((attempt) => sleep(Math.random() * 10).then(() => run(id, attempt))));
      // A run that a later one has replaced leaves its job to that.
      await stage.runToEnd(id);
      expect([vendor.posts, (await view(id)).state]).toEqual([1, 'succeeded']);
      expect(await stage.ledgerOf(id)).toEqual(['reserve', 'settle']);
    }
  });

  it("gives a vendor's job to one submission, however many find it at once", async () => {
    vendor.onSubmit = () => {
      throw new OutcomeUnknown();
    };
    for (let round = 0; round < rounds(); round++) {
      const canceled: string[] = [];
      vendor.onCancel = ({ id }) => {
        canceled.push(id);
        return 'canceled';
      };
      vendor.onFind = async () => {
        await sleep(Math.random() * 5);
        return { handle: { id: `job ${round}` } };
      };
      const ids = [await stage.accepted(), await stage.accepted()];
      for (const id of ids) await stage.step(id);
      await Promise.all(ids.map((id) => stage.step(id)));
      for (const id of ids) await stage.runToEnd(id);
      const ends = await Promise.all(ids.map(view));
      expect(ends.map(({ error }) => error?.code ?? 'succeeded').sort()).toEqual([
        'provider_outcome_unknown',
        'succeeded',
      ]);
      const ledgers = await Promise.all(ids.map((id) => stage.ledgerOf(id)));
      expect(ledgers.flat().sort()).toEqual(['release', 'reserve', 'reserve', 'settle']);
      expect(canceled).toEqual([]);
    }
  });

  it('cancels at the vendor after a cancellation during the submission', async () => {
    const ends = new Set<string>();
    // Goes on until the cancel came late enough once, however slow the machine is.
    for (let round = 0; round < 2 * rounds() || !ends.has('1 started'); round++) {
      vendor.started = [];
      vendor.onSubmit = async (_, start) => {
        await sleep(round % 4);
        return start();
      };
      const id = await stage.accepted();
      await Promise.all([run(id, 1), sleep((round % 10) * (1 + Math.floor(round / 20))).then(() => cancel(id))]);
      await stage.runToEnd(id);
      expect((await view(id)).state).toBe('canceled');
      expect(vendor.started.map(({ isCanceled }) => isCanceled)).toEqual(vendor.started.map(() => true));
      expect(await stage.ledgerOf(id)).toEqual(['reserve', 'release']);
      ends.add(`${vendor.started.length} started`);
    }
  });

  it('ends once when it is canceled just as the vendor has ended it', async () => {
    const states = new Set<string>();
    // Goes on until each has been first once, however slow the machine is.
    for (let round = 0; round < 2 * rounds() || states.size < 2; round++) {
      const delay = ((round % 20) ** 2 / 4) * (1 + Math.floor(round / 20));
      const id = await stage.accepted();
      await stage.step(id);
      stage.clock.advance(2);
      await Promise.all([check().then(() => stage.runToEnd(id)), sleep(delay).then(() => cancel(id))]);
      await stage.runToEnd(id);
      const { state, outputs } = await view(id);
      expect(outputs).toHaveLength(state === 'succeeded' ? 1 : 0);
      expect(await stage.ledgerOf(id)).toEqual(['reserve', state === 'succeeded' ? 'settle' : 'release']);
      expect((await stage.submissionOf(id))?.state).toBe('closed');
      states.add(state);
    }
  });

  it('checks and continues each submission once for concurrent workers', async () => {
    const ids = await Promise.all(Array.from({ length: 30 }, () => stage.accepted()));
    for (const id of ids) await stage.step(id);
    vendor.asked = [];
    vendor.onCheck = async () => {
      await sleep(Math.random() * 5);
      return { state: 'ended', outputs: [anOutput()], cost: null };
    };
    stage.clock.advance(5);
    const counts = await Promise.all([check(), check(), check(), check()]);
    expect([counts.reduce((sum, count) => sum + count), vendor.asked.length]).toEqual([30, 30]);
    for (const id of ids) {
      expect(await stage.jobsOf(id)).toHaveLength(1);
      await stage.runToEnd(id);
    }
  });

  it.each([3_600, 90])('checks postponed submissions at once after the clock was set back by %i s', async (seconds) => {
    const id = await stage.accepted();
    await stage.step(id);
    stage.clock.advance(-seconds);
    expect(await check()).toBe(1);
    await stage.runToEnd(id);
    expect((await view(id)).state).toBe('succeeded');
    stage.clock.advance(seconds);
  });

  it('asks for nothing again that another worker asks for, whose clock is a little ahead', async () => {
    const id = await stage.accepted();
    await stage.step(id);
    stage.clock.advance(15);
    vendor.onCheck = async () => {
      stage.clock.advance(-15);
      vendor.asked.push(`again: ${await check()}`);
      stage.clock.advance(15);
      return { state: 'ended', outputs: [anOutput()], cost: null };
    };
    vendor.asked = [];
    expect(await check()).toBe(1);
    expect(vendor.asked).toEqual(['check', 'again: 0']);
    await stage.runToEnd(id);
  });

  it('records nothing of a check whose lease has run out', async () => {
    const id = await stage.accepted();
    await stage.step(id);
    stage.clock.advance(5);
    const { promise: response, resolve } = Promise.withResolvers<void>();
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    vendor.onCheck = async () => {
      ask();
      await response;
      return { state: 'canceled' };
    };
    const late = check();
    await asked;
    stage.clock.advance(61);
    vendor.onCheck = () => ({ state: 'pending', progress: 0.5, checkAfterSeconds: null });
    await check();
    resolve();
    await late;
    expect((await stage.submissionOf(id))?.state).toBe('submitted');
    vendor.onCheck = () => ({ state: 'ended', outputs: [anOutput()], cost: null });
    await stage.runToEnd(id);
    expect((await view(id)).state).toBe('succeeded');
  });
});
