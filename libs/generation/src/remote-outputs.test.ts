import { describe, expect, it } from '@jest/globals';
import { PostgresCreditViews } from '#adapters/postgres';
import { monthOf } from '#credits';
import { DomainError } from '#kernel';
import {
  expectFailed,
  NO_RESPONSE,
  pending,
  secondsSince,
  endedGeneration,
  stage,
  useRemoteStage,
  vendor,
  view,
} from '../../../test/support/remote-generations.ts';
import { anOutput, REMOTE_MODEL, RemoteStage } from '../../../test/support/remote-stage.ts';
import { ProviderFailure } from './ports.ts';

const GONE = new ProviderFailure('unusable_output', 'it is gone');
const COUNT = { type: 'integer', minimum: 1, maximum: 8, default: 1 } as const;

useRemoteStage({ ...REMOTE_MODEL, parameters: { ...REMOTE_MODEL.parameters, count: COUNT } });

const endedFor = (count: number) => endedGeneration({ fields: { count } });

/** The vendor makes these outputs. */
function makes(count: number): void {
  const outputs = Array.from({ length: count }, (_, index) => anOutput(`https://vendor.test/${index + 1}`));
  vendor.onCheck = () => ({ state: 'ended', outputs, cost: null });
}

/** The outputs, the cost that is shown, the charge in the ledger, what the month has used, and what the usage shows. */
async function booksOf(id: number): Promise<(number | undefined)[]> {
  const { outputs, request } = await view(id);
  const { database } = stage.generations.db;
  const entries = database.kysely.selectFrom('credit_entries').select('amount').where('generation_id', '=', id);
  const charged = (await entries.execute()).reduce((sum, { amount }) => sum + amount, 0);
  const { workspaceId } = stage.generations.actor;
  const views = new PostgresCreditViews(database);
  const ofMonth = await views.usage(workspaceId, monthOf(stage.clock.now()), ['model'], { userId: null });
  const [usage, ...others] = ofMonth.entries;
  expect([usage?.generations, others]).toEqual([1, []]);
  return [outputs.length, request.cost, charged, await stage.used(), usage?.used];
}

describe('the outputs of a vendor', () => {
  it.each([
    [4, 2, 2, 14],
    [2, 3, 2, 14],
  ])(
    'for a call that asks for %s and gets %s is kept up to %s, and charged %s credits',
    async (asked, made, kept, credits) => {
      makes(made);
      const id = await endedFor(asked);
      expect(await booksOf(id)).toEqual([kept, credits, credits, credits, credits]);
      expect(await stage.ledgerOf(id)).toEqual(['reserve', 'settle']);
    },
  );

  it('costs nothing when it is nothing', async () => {
    makes(0);
    const id = await endedFor(4);
    await expectFailed(id, 'unusable_output');
    expect(await stage.used()).toBe(0);
  });

  it('are charged for usable outputs only', async () => {
    makes(4);
    vendor.onFetch = ({ url }) => {
      if (url.endsWith('2')) throw GONE;
    };
    const id = await endedFor(4);
    expect(await booksOf(id)).toEqual([3, 21, 21, 21, 21]);
  });

  it('that cannot be used at all costs nothing', async () => {
    makes(2);
    vendor.onFetch = () => {
      throw GONE;
    };
    await expectFailed(await endedFor(2), 'unusable_output');
    expect(await stage.used()).toBe(0);
  });

  it('is fetched again as a whole when one output cannot be had now', async () => {
    makes(3);
    let failures = 2;
    vendor.onFetch = ({ url }) => {
      if (url.endsWith('3') && failures-- > 0) throw NO_RESPONSE;
    };
    expect(await booksOf(await endedFor(3))).toEqual([3, 21, 21, 21, 21]);
  });

  it('label a mask of a prompt with the prompt if the vendor gives no label', async () => {
    const finder = await RemoteStage.open(vendor, { ...REMOTE_MODEL, kind: 'mask', mapping: { text: '{prompt}' } });
    try {
      await finder.generations.enter();
      const outputs = [{ ...anOutput(), label: 'sofa' }, anOutput('https://vendor.test/2')];
      vendor.onCheck = () => ({ state: 'ended', outputs, cost: null });
      const id = await finder.accepted({ prompt: 'a chair' });
      await finder.runToEnd(id);
      const made = (await finder.generations.view(id)).outputs;
      expect(made.map(({ label }) => label)).toEqual(['sofa', 'a chair']);
    } finally {
      await finder.close();
    }
  });
});

describe('outputs that are on record', () => {
  const makesOne = () => (vendor.onCheck = () => ({ state: 'ended', outputs: [anOutput()], cost: null }));

  /** A generation whose outputs are on record and not fetched. */
  async function madeAt(seconds: number): Promise<{ id: number; start: Date }> {
    const start = stage.clock.now();
    const id = await pending();
    stage.clock.advance(seconds - secondsSince(start));
    makesOne();
    await stage.step(id);
    return { id, start };
  }

  it.each([599, 3_000, 100_000])(
    'are fetched %s s after they were requested: nothing else has tried',
    async (later) => {
      const { id, start } = await madeAt(20);
      stage.clock.advance(later - secondsSince(start));
      await stage.runToEnd(id);
      expect([(await view(id)).state, vendor.posts]).toEqual(['succeeded', 1]);
    },
  );

  it('are fetched if they were made at the end of the time limit, or after it while nobody looked', async () => {
    for (const seconds of [599, 3_000]) {
      const { id } = await madeAt(seconds);
      stage.clock.advance(700);
      await stage.runToEnd(id);
      expect((await view(id)).state).toBe('succeeded');
    }
  });

  it('wait for a download beyond the time limit', async () => {
    const { id, start } = await madeAt(20);
    const { promise: others, resolve: free } = Promise.withResolvers<void>();
    const { downloads } = stage.generations;
    for (let running = 0; running < 6; running++) void downloads.tryRun(vendor.id, () => others);
    const since = secondsSince(start);
    for (let steps = 0; steps < 3; steps++) await stage.step(id);
    expect([(await view(id)).state, secondsSince(start) - since]).toEqual(['running', 1 + 2]);
    stage.clock.advance(5_000);
    await stage.step(id);
    free();
    await stage.runToEnd(id);
    expect((await view(id)).state).toBe('succeeded');
  });

  it('are fetched again after failures that may pass, as long as the vendor keeps them', async () => {
    const { id } = await madeAt(20);
    const start = stage.clock.now();
    vendor.onFetch = () => {
      stage.clock.advance(20);
      if (secondsSince(start) < 3_000) throw NO_RESPONSE;
    };
    await stage.runToEnd(id);
    expect((await view(id)).state).toBe('succeeded');
  });

  it('are fetched again when our storage was away, as long as the vendor keeps them', async () => {
    const { id } = await madeAt(20);
    const start = stage.clock.now();
    const { storage } = stage.generations;
    const put = storage.put.bind(storage);
    storage.put = (...args) =>
      secondsSince(start) < 3_500 ? Promise.reject(new DomainError('unavailable', 'away')) : put(...args);
    await stage.runToEnd(id);
    storage.put = put;
    expect([(await view(id)).state, vendor.posts]).toEqual(['succeeded', 1]);
  });

  it('are given up when the vendor keeps them no longer, and cost nothing', async () => {
    const { id } = await madeAt(20);
    const start = stage.clock.now();
    const fetchedAt: number[] = [];
    vendor.onFetch = () => {
      fetchedAt.push(secondsSince(start));
      throw NO_RESPONSE;
    };
    await stage.runToEnd(id);
    await expectFailed(id, 'unusable_output');
    expect(fetchedAt.slice(0, 4)).toEqual([0, 1, 3, 7]);
    expect(fetchedAt.filter((seconds) => seconds >= vendor.keepsOutputsSeconds)).toHaveLength(1);
  });

  it('are given up at once when the vendor has them no longer', async () => {
    const { id } = await madeAt(20);
    let fetches = 0;
    vendor.onFetch = () => {
      fetches++;
      throw GONE;
    };
    await stage.runToEnd(id);
    await expectFailed(id, 'unusable_output');
    expect(fetches).toBe(1);
  });
});
