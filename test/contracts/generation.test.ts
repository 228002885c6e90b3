import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { PostgresGenerationSignals } from '#adapters/postgres';
import {
  cancel,
  fail,
  succeed,
  type EndedGeneration,
  type GenerationChange,
  type GenerationRequest,
  type Queued,
  type Running,
} from '#generation';
import { aGenerationRequest, anyError, anyFraction, anyOutput, anyRequest, anyTime } from '#testing/generation';
import { GenerationStage } from '../support/generation-store.ts';
import { rounds } from '../support/rounds.ts';

const at = new Date('2026-03-14T10:00:00Z');
const error = { code: 'not_an_image', message: 'the input image is not a picture' };
const UNKNOWN = 987_654_321;

let stage: GenerationStage;
let signals: PostgresGenerationSignals;
beforeAll(async () => {
  stage = await GenerationStage.open();
  signals = new PostgresGenerationSignals(stage.db.pool);
});
afterAll(async () => {
  await signals.close();
  await stage.close();
});
beforeEach(() => stage.enter());

const request = (overrides: Partial<GenerationRequest> = {}): GenerationRequest => {
  const { workspaceId, userId } = stage.actor;
  return aGenerationRequest({ workspaceId, userId, personaId: stage.personaId, ...overrides });
};
const add = (): Promise<Queued> => stage.store.add(request());
const addRunning = async (attempt = 1): Promise<Running> => (await stage.store.claim((await add()).id, attempt, at))!;
const read = (id: number) => stage.unitOfWork.run(() => stage.store.lock(id));
const outputOf = (fileId: number) => ({ fileId, contentType: 'image/png', width: 8, height: 8, duration: null });

function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

describe('stored generations', () => {
  it('read back as they were saved, whatever their values', async () => {
    const { store, personaId } = stage;
    const { workspaceId, userId } = stage.actor;
    const files = await Promise.all([stage.newFile(), stage.newFile(), stage.newFile()]);
    const setting = { workspaceId, userId, personaId, files };
    const life = fc.record({
      request: anyRequest(setting),
      attempt: fc.integer({ min: 1, max: 1_000 }),
      fraction: anyFraction,
      outputs: fc.array(anyOutput(setting), { maxLength: 4 }),
      error: anyError,
      end: fc.constantFrom('succeeded', 'failed', 'canceled'),
      startedAt: anyTime,
      finishedAt: anyTime,
    });
    await fc.assert(
      fc.asyncProperty(life, async ({ request: asked, attempt, fraction, startedAt, finishedAt, ...rest }) => {
        const queued = await store.add(asked);
        const { id } = queued;
        expect(queued).toEqual({ id, attempt: 0, request: asked, state: 'queued' });
        expect(await read(id)).toEqual(queued);

        const running = (await store.claim(id, attempt, startedAt))!;
        expect(running).toEqual({ id, attempt, request: asked, state: 'running', progress: 0 });
        expect(await store.progress(running, fraction)).toBe(true);
        expect(await read(id)).toEqual({ ...running, progress: fraction });

        const outputs = rest.outputs.map(({ output }) => output);
        const shown = rest.outputs.map(({ key, output }) => ({ ...output, fileId: undefined, key }));
        const ends: Record<string, EndedGeneration> = {
          succeeded: succeed(running, outputs, finishedAt),
          failed: fail(running, rest.error, finishedAt),
          canceled: cancel(running, finishedAt),
        };
        expect(await store.save(ends[rest.end]!)).toBe(true);
        expect(await read(id)).toEqual({ state: rest.end });
        const { image, styleReference } = asked.inputs;
        const unreferenced = {
          image: image && { ...image, fileId: null },
          styleReference: styleReference && { ...styleReference, fileId: null },
        };
        expect(await stage.view(id)).toEqual({
          id,
          request: { ...asked, inputs: unreferenced },
          state: rest.end,
          progress: rest.end === 'succeeded' ? 1 : fraction,
          outputs: rest.end === 'succeeded' ? shown : [],
          error: rest.end === 'failed' ? rest.error : null,
          startedAt,
          finishedAt,
        });
      }),
      { numRuns: 60 },
    );
  });

  it('are not found when unknown, or in another workspace than asked for', async () => {
    const { id } = await add();
    const { workspaceId: other } = await stage.newWorkspace();
    await stage.unitOfWork.run(async () => {
      expect(await stage.store.lock(id, stage.actor.workspaceId)).not.toBeNull();
      expect(await stage.store.lock(id, other)).toBeNull();
      expect(await stage.store.lock(UNKNOWN)).toBeNull();
    });
  });

  it('can end before a run has claimed them', async () => {
    const queued = await add();
    expect(await stage.store.save(cancel(queued, at))).toBe(true);
    expect(await stage.store.claim(queued.id, 1, at)).toBeNull();
  });

  it('can be claimed by a later run and by no other', async () => {
    const first = await addRunning(2);
    expect(await stage.store.claim(first.id, 1, at)).toBeNull();
    expect(await stage.store.claim(first.id, 2, at)).toBeNull();
    const later = new Date('2026-03-14T11:00:00Z');
    expect(await stage.store.claim(first.id, 3, later)).toMatchObject({ attempt: 3 });
    expect((await stage.view(first.id)).startedAt).toEqual(at);
  });

  it('take nothing from a run that a later one has replaced', async () => {
    const { store } = stage;
    const replaced = await addRunning(1);
    const current = (await store.claim(replaced.id, 2, at))!;
    expect(await store.isCurrent(replaced)).toBe(false);
    expect(await store.progress(replaced, 0.9)).toBe(false);
    expect(await store.save(succeed(replaced, [], at))).toBe(false);
    expect(await store.save(fail(replaced, error, at))).toBe(false);
    expect(await store.isCurrent(current)).toBe(true);
    expect(await read(replaced.id)).toEqual(current);
  });

  it('do not change once they have ended', async () => {
    const { store } = stage;
    const running = await addRunning();
    await store.save(fail(running, error, at));
    expect(await store.isCurrent(running)).toBe(false);
    expect(await store.progress(running, 0.9)).toBe(false);
    expect(await store.save(succeed(running, [], at))).toBe(false);
    expect(await store.claim(running.id, 2, at)).toBeNull();
    expect(await stage.view(running.id)).toMatchObject({ state: 'failed', error, progress: 0 });
  });

  it('end once when several end them concurrently', async () => {
    const output = outputOf((await stage.newFile()).fileId);
    for (let round = 0; round < rounds(); round++) {
      const running = await addRunning();
      const ends = [
        succeed(running, [output], at),
        fail(running, error, at),
        cancel(running, at),
        succeed(running, [output, output], at),
      ];
      const saved = await Promise.all(ends.map((end) => stage.store.save(end)));
      expect(saved.filter(Boolean)).toHaveLength(1);
      const { state, outputs } = await stage.view(running.id);
      expect([state, outputs.length]).toEqual(
        [
          ['succeeded', 1],
          ['failed', 0],
          ['canceled', 0],
          ['succeeded', 2],
        ][saved.indexOf(true)],
      );
    }
  });

  it('are claimed once by each attempt, and stay with the highest', async () => {
    for (let round = 0; round < rounds(); round++) {
      const { id } = await add();
      const claim = (attempt: number) => stage.store.claim(id, attempt, at);
      const claims = await Promise.all([1, 1, 1, 1].map(claim));
      expect(claims.filter(Boolean)).toHaveLength(1);
      await Promise.all([4, 2, 3, 5].map(claim));
      expect(await read(id)).toMatchObject({ state: 'running', attempt: 5 });
    }
  });

  it('are locked: a concurrent end waits, and then finds them ended', async () => {
    const { store, unitOfWork } = stage;
    const running = await addRunning();
    const order: string[] = [];
    const locked = gate();
    const canceling = unitOfWork.run(async () => {
      await store.lock(running.id);
      locked.open();
      await sleep(50);
      expect(await store.save(cancel(running, at))).toBe(true);
      order.push('cancel');
    });
    await locked.opened;
    expect(await store.save(succeed(running, [], at))).toBe(false);
    order.push('finish');
    await canceling;
    expect(order).toEqual(['cancel', 'finish']);
  });
});

describe('views of generations', () => {
  const view = (id: number) => stage.view(id);

  it('show progress, and the outputs in their order without those whose files are deleted', async () => {
    const running = await addRunning();
    await stage.store.progress(running, 0.25);
    expect(await view(running.id)).toMatchObject({ state: 'running', progress: 0.25, startedAt: at });

    const files = await Promise.all([stage.newFile(), stage.newFile(), stage.newFile()]);
    const video = { contentType: 'video/mp4', width: 640, height: 360, duration: 2.5 };
    const [first, deleted, last] = files.reverse();
    const outputs = files.map(({ fileId }) => ({ fileId, ...video }));
    await stage.store.save(succeed(running, outputs, at));
    const ended = await view(running.id);
    expect(ended).toMatchObject({ state: 'succeeded', progress: 1, error: null, finishedAt: at });
    expect(ended.outputs).toEqual(files.map(({ key }) => ({ key, ...video })));
    await stage.db.database.kysely.deleteFrom('files').where('id', '=', deleted!.fileId).execute();
    expect((await view(running.id)).outputs.map(({ key }) => key)).toEqual([first!.key, last!.key]);
  });

  it('do not tell an unknown generation from one of another workspace', async () => {
    const { id } = await add();
    await stage.enter();
    for (const each of [id, UNKNOWN]) {
      await expect(view(each)).rejects.toMatchObject({ code: 'not_found', message: 'no such generation' });
    }
  });

  it('list the newest first, page by page, and nothing of other workspaces', async () => {
    await add();
    await stage.enter();
    const ids: number[] = [];
    for (let count = 0; count < 5; count++) ids.unshift((await add()).id);
    const list = async (limit: number | null, after: number | null) => {
      const { items, next } = await stage.views.list(stage.actor.workspaceId, { limit, after });
      return { ids: items.map(({ id }) => id), next };
    };
    expect(await list(null, null)).toEqual({ ids, next: null });
    expect(await list(5, null)).toEqual({ ids, next: null });
    expect(await list(2, null)).toEqual({ ids: ids.slice(0, 2), next: ids[1] });
    expect(await list(2, ids[1]!)).toEqual({ ids: ids.slice(2, 4), next: ids[3] });
    expect(await list(2, ids[3]!)).toEqual({ ids: ids.slice(4), next: null });
  });
});

describe('signals of generations', () => {
  /** Collects the changes of a generation. */
  const follow = async (id: number, from = signals) => {
    const changes: Array<GenerationChange | 'missed'> = [];
    const stop = await from.watch(id, (change) => changes.push(change));
    const until = async (count: number) => {
      for (let wait = 0; changes.length < count && wait < 500; wait++) await sleep(10);
      return changes;
    };
    return { changes, stop, until };
  };
  const listening = async (): Promise<number> => {
    const { rows } = await stage.db.pool.query(
      `select 1 from pg_stat_activity where datname = current_database() and query like 'listen %'`,
    );
    return rows.length;
  };

  it('report every change of state and progress in order, and nothing else', async () => {
    const queued = await add();
    const { until, changes, stop } = await follow(queued.id);
    const running = (await stage.store.claim(queued.id, 1, at))!;
    await stage.store.progress(running, 0.5);
    await stage.store.save(succeed(running, [], at));
    await stage.store.save(cancel(running, at));
    await stage.store.claim(queued.id, 2, at);
    await until(3);
    await sleep(50);
    expect(changes).toEqual([
      { state: 'running', progress: 0 },
      { state: 'running', progress: 0.5 },
      { state: 'succeeded', progress: 1 },
    ]);
    stop();
  });

  it('reach each watcher of that generation until it stops', async () => {
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

  it('reconnect after the connection was lost, and report that changes may be missing', async () => {
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

  it('report the changes of another process, and only once they are committed', async () => {
    const queued = await add();
    const elsewhere = new PostgresGenerationSignals(stage.db.pool);
    const { changes, until } = await follow(queued.id, elsewhere);
    await stage.unitOfWork.run(async () => {
      await stage.store.save(cancel(queued, at));
      await sleep(50);
      expect(changes).toEqual([]);
    });
    expect(await until(1)).toHaveLength(1);
    await elsewhere.close();
  });

  it('can not be watched once they are closed', async () => {
    const closed = new PostgresGenerationSignals(stage.db.pool);
    await closed.close();
    await expect(closed.watch(1, () => undefined)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('take one connection, however many watch', async () => {
    const watched = await Promise.all(Array.from({ length: 20 }, (_, id) => follow(id)));
    expect(await listening()).toBe(1);
    for (const { stop } of watched) stop();
  });
});

describe('persona slots', () => {
  /** Whether another transaction could delete the row now. */
  const isFree = async (table: 'files' | 'personas', id: number): Promise<boolean> => {
    const select = `select id from ${table} where id = $1 for update skip locked`;
    return (await stage.db.pool.query(select, [id])).rows.length === 1;
  };
  const slots = (personaId = stage.personaId) => stage.slots.of(stage.actor.workspaceId, personaId);
  const first = () => stage.slots.firstOf(stage.actor.workspaceId, stage.actor.userId);

  it('are slots 1 and 7, each null while it is empty', async () => {
    expect(await slots()).toEqual({ master: null, main: null });
    const url = 'https://else.test/7.png';
    await stage.fill(7, { url });
    const main = { url, fileId: null };
    expect(await slots()).toEqual({ master: null, main });
    const { key, fileId, url: stored } = await stage.newFile();
    await stage.fill(1, { fileId, url: stored });
    expect(await slots()).toEqual({ master: { key, fileId }, main });
  });

  it('are null for a persona that is unknown, deleted, or in another workspace', async () => {
    const { workspaceId } = await stage.newWorkspace();
    expect(await stage.slots.of(workspaceId, stage.personaId)).toBeNull();
    expect(await slots(UNKNOWN)).toBeNull();
    await stage.deletePersona();
    expect(await slots()).toBeNull();
  });

  it('come from the oldest persona that the user created in the workspace and that is not deleted', async () => {
    const { workspaceId, userId } = await stage.newWorkspace();
    await stage.newPersona(workspaceId);
    await stage.newPersona(stage.actor.workspaceId, userId);
    expect(await first()).toBe(stage.personaId);
    const second = await stage.newPersona();
    expect(await first()).toBe(stage.personaId);
    await stage.deletePersona();
    expect(await first()).toBe(second);
    await stage.deletePersona(second);
    expect(await first()).toBeNull();
  });

  it('lock the persona and the files until the unit of work ends', async () => {
    const { personaId, unitOfWork } = stage;
    const file = await stage.newFile();
    await stage.fill(1, file);
    await unitOfWork.run(async () => {
      await slots();
      expect(await isFree('files', file.fileId)).toBe(false);
      expect(await isFree('personas', personaId)).toBe(false);
    });
    expect(await isFree('files', file.fileId)).toBe(true);
    await unitOfWork.run(async () => {
      await first();
      expect(await isFree('personas', personaId)).toBe(false);
    });
    expect(await isFree('personas', personaId)).toBe(true);
  });
});
