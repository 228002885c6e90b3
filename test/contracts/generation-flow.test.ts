/** @tier test */
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { systemClock } from '#kernel';
import { GenerationStage } from '../support/generation-store.ts';
import { rounds } from '../support/rounds.ts';

/** The statements of the transaction that was committed last. */
let lastTransaction: string[] = [];

const stage = await GenerationStage.open({ poolSize: 20, clock: systemClock, storesJobs: true });
stage.db.pool.on('connect', (client) => record(client, (statements) => (lastTransaction = statements)));
afterAll(() => stage.close());

describe('concurrent generations', () => {
  beforeEach(() => stage.enter());

  const ledgerOf = async (generationId: number): Promise<string[]> => {
    const { kysely } = stage.db.database;
    const entries = kysely.selectFrom('credit_entries').select('kind').orderBy('id');
    return (await entries.where('generation_id', '=', generationId).execute()).map(({ kind }) => kind);
  };

  /** Outputs that were stored in vain are scheduled for deletion. */
  const expectNoLeftovers = async (): Promise<void> => {
    const jobs = await stage.db.database.kysely
      .selectFrom('jobs')
      .select('payload')
      .where('name', '=', 'files.reclaim')
      .execute();
    const deletable = jobs.flatMap(({ payload }) => ('fileIds' in payload ? payload.fileIds : []));
    const { pictures, kept } = await stage.outputFiles();
    expect(deletable).toEqual(expect.arrayContaining(pictures.filter((id) => !kept.includes(id))));
  };

  it('are accepted with six statements at most, both inputs being stored files', async () => {
    const [image, style] = [await stage.newFile(), await stage.newFile()];
    await stage.request({ image: image.url, styleTransfer: style.url });
    const words = lastTransaction.map((statement) => /\w+/.exec(statement)![0].toLowerCase());
    expect(words).toEqual(['with', 'select', 'select', 'insert', 'insert', 'with']);
  });

  it('end once when canceled just as they finish, and the ledger agrees', async () => {
    const outcomes = new Set<string>();
    // Goes on until each has been first once, however slow the machine is.
    for (let round = 0; round < 2 * rounds() || outcomes.size < 2; round++) {
      const id = await stage.accepted();
      await Promise.all([
        stage.run(id),
        sleep((round % 20) ** 2 * (1 + Math.floor(round / 20)))
          .then(() => stage.generations.cancel(stage.actor, id))
          .catch(() => undefined),
      ]);
      const { state, outputs } = await stage.view(id);
      outcomes.add(state);
      expect(outputs).toHaveLength(state === 'succeeded' ? 1 : 0);
      expect(await ledgerOf(id)).toEqual(['reserve', state === 'succeeded' ? 'settle' : 'release']);
    }
    await expectNoLeftovers();
  });

  it('end once when two runs have them at once', async () => {
    stage.work = async () => {
      await sleep(Math.random() * 10);
      return [stage.aPicture];
    };
    for (let round = 0; round < rounds(); round++) {
      const id = await stage.accepted();
      await Promise.all([stage.run(id, { attempt: 1 }), sleep(3).then(() => stage.run(id, { attempt: 2 }))]);
      const { state, outputs } = await stage.view(id);
      expect([state, outputs.length]).toEqual(['succeeded', 1]);
      expect(await ledgerOf(id)).toEqual(['reserve', 'settle']);
    }
    // Each output with its thumbnail.
    expect((await stage.outputFiles()).kept).toHaveLength(2 * rounds());
    await expectNoLeftovers();
  });
});

/** Collects the statements between `begin` and `commit`. */
function record(client: PoolClient, committed: (statements: string[]) => void): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  let statements: string[] | null = null;
  client.query = ((...args: unknown[]) => {
    const text = typeof args[0] === 'string' ? args[0] : (args[0] as { text: string }).text;
    if (/^(begin|start transaction)/i.test(text)) statements = [];
    else if (/^commit/i.test(text)) {
      if (statements) committed(statements);
      statements = null;
    } else statements?.push(text.trim());
    return query(...args);
  }) as typeof client.query;
}
