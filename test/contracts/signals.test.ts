/** @tier test */
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { connectPostgres, PostgresGenerations, PostgresSignals } from '#adapters/postgres';
import { cancel, succeed, type GenerationChange, type Queued } from '#generation';
import { aGenerationRequest } from '#testing/generation';
import { eventually } from '../support/eventually.ts';
import { GenerationStage } from '../support/generation-store.ts';

const at = new Date('2026-03-14T10:00:00Z');
/** Credits charged. */
const COST = 2;

const stage = await GenerationStage.open();
const signals = new PostgresSignals(stage.db.pool);
afterAll(async () => {
  await signals.close();
  await stage.close();
});
beforeEach(() => stage.enter());

describe('signals of generations', () => {
  const add = (): Promise<Queued> => {
    const { workspaceId, userId } = stage.actor;
    return stage.store.add(aGenerationRequest({ workspaceId, userId, personaId: stage.personaId }));
  };

  /** Collects the changes of a generation. */
  const follow = async (id: number, from = signals) => {
    const changes: Array<GenerationChange | 'missed'> = [];
    const stop = await from.watch(id, (change) => changes.push(change));
    const until = async (count: number) => {
      await eventually(() => changes.length >= count, { everyMs: 5 });
      return changes;
    };
    return { changes, stop, until };
  };

  /** All that was reported before has arrived: reports come in the order of the commits. */
  const allArrived = async (): Promise<number> => {
    const marker = await add();
    const { until, stop } = await follow(marker.id);
    await stage.store.save(cancel(marker, at));
    await until(1);
    stop();
    return marker.id;
  };

  it('report each change of state and progress in order', async () => {
    const queued = await add();
    const { changes, stop } = await follow(queued.id);
    const running = (await stage.store.claim(queued.id, 1, at))!;
    await stage.store.progress(running, 0.5);
    await stage.store.save(succeed(running, [], COST, at));
    await stage.store.save(cancel(running, at));
    await stage.store.claim(queued.id, 2, at);
    await allArrived();
    expect(changes).toEqual([
      { state: 'running', progress: 0 },
      { state: 'running', progress: 0.5 },
      { state: 'succeeded', progress: 1 },
    ]);
    stop();
  });

  it('reach each watcher of the generation until it stops', async () => {
    const [one, other] = [await add(), await add()];
    const [first, second, stopped] = [await follow(one.id), await follow(one.id), await follow(one.id)];
    const elsewhere = await follow(other.id);
    stopped.stop();
    await stage.store.save(cancel(one, at));
    for (const { until, stop } of [first, second]) {
      expect(await until(1)).toEqual([{ state: 'canceled', progress: 0 }]);
      stop();
    }
    expect([...elsewhere.changes, ...stopped.changes]).toEqual([]);
    elsewhere.stop();
  });

  it('reconnect after a lost connection, and report that changes may be missing', async () => {
    const queued = await add();
    const { until, stop } = await follow(queued.id);
    await stage.db.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query like 'listen %'`,
    );
    expect(await until(1)).toEqual(['missed']);
    await stage.store.save(cancel(queued, at));
    expect(await until(2)).toEqual(['missed', { state: 'canceled', progress: 0 }]);
    stop();
  });

  it('report changes of other processes after the commit', async () => {
    const [queued, marker] = [await add(), await add()];
    const otherProcess = new PostgresSignals(stage.db.pool);
    const { changes, until } = await follow(queued.id, otherProcess);
    const marked = await follow(marker.id, otherProcess);
    const [saved, looked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const saving = stage.unitOfWork.run(async () => {
      await stage.store.save(cancel(queued, at));
      saved.resolve();
      await looked.promise;
    });
    await saved.promise;
    await stage.store.save(cancel(marker, at));
    await marked.until(1);
    expect(changes).toEqual([]);
    looked.resolve();
    await saving;
    expect(await until(1)).toHaveLength(1);
    await otherProcess.close();
  });

  it('are not sent for what was rolled back, whole or to a savepoint', async () => {
    const [undone, kept] = [await add(), await add()];
    const { changes, stop } = await follow(undone.id);
    const failing = stage.unitOfWork.run(async () => {
      await stage.store.save(cancel(undone, at));
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    await stage.unitOfWork.late(
      async () => undefined,
      async () => {
        await stage.unitOfWork.run(() => stage.store.save(cancel(kept, at)));
        const work = async () => {
          await stage.store.save(cancel(undone, at));
          throw new Error('rolled back');
        };
        await expect(stage.unitOfWork.run(work)).rejects.toThrow('rolled back');
      },
      async () => undefined,
    );
    await allArrived();
    expect(changes).toEqual([]);
    stop();
  });

  it('are sent before a process that stops closes its connections', async () => {
    const [one, other] = [await add(), await add()];
    const [first, second] = [await follow(one.id), await follow(other.id)];
    const stopping = await connectPostgres(stage.db.url);
    const store = new PostgresGenerations(stopping.database);
    await store.save(cancel(one, at));
    await store.save(cancel(other, at));
    await stopping.close();
    for (const { until, stop } of [first, second]) {
      expect(await until(1)).toEqual([{ state: 'canceled', progress: 0 }]);
      stop();
    }
  });

  it('that were lost are made up for by a check, once for each change', async () => {
    const [queued, batchId] = [await add(), 12];
    const { changes, stop } = await follow(queued.id);
    const batch: unknown[] = [];
    const stopBatch = await signals.watchBatch(batchId, () => batch.push('changed'));
    await stage.db.pool.query(`update generations set state = 'running', progress = 0.5 where id = $1`, [queued.id]);
    await signals.check();
    expect(changes).toEqual([{ state: 'running', progress: 0.5 }]);
    expect(batch).toEqual(['changed']);
    stop();
    stopBatch();
  });

  it('cannot be watched after they are closed', async () => {
    const closed = new PostgresSignals(stage.db.pool);
    await closed.close();
    await expect(closed.watch(1, () => undefined)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('use one connection for any number of watchers', async () => {
    const watched = await Promise.all(Array.from({ length: 20 }, (_, id) => follow(id)));
    const listening = `select 1 from pg_stat_activity where datname = current_database() and query like 'listen %'`;
    expect((await stage.db.pool.query(listening)).rows).toHaveLength(1);
    for (const { stop } of watched) stop();
  });
});
