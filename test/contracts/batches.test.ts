/** @tier test */
import { afterAll, afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { PostgresAudit } from '#adapters/postgres';
import { cellsOf, readMatrix, type BatchCall, type BatchView, type CellFields } from '#batch';
import type { GenerateCall, GenerationFilter } from '#generation';
import { NO_CUSTOM_DATA, type DomainError } from '#kernel';
import { aModel } from '#testing/catalogue';
import { ManualClock } from '#testing/kernel';
import { creditStoreOn } from '../support/credit-store.ts';
import { aCall, GenerationStage, MONTHLY_CREDITS } from '../support/generation-store.ts';
import { itInRounds } from '../support/rounds.ts';

const COST = 4;
const HOUR = 3_600;
const FIRST_PAGE = { limit: 200, after: null };
const clock = new ManualClock(new Date());
const SEED = { seed: { type: 'integer', minimum: 0, maximum: 2_000_000 } } as const;

const stage = await GenerationStage.open({
  poolSize: 20,
  clock,
  models: [
    aModel({ parameters: SEED }),
    aModel({ id: 'test-other', target: 'test-other', cost: { credits: 7, parameter: null, per: 'output' } }),
  ],
  storesJobs: true,
});
afterAll(() => stage.close());
beforeEach(() => stage.enter());
afterEach(async () => {
  const findings = await new PostgresAudit(stage.db.database).findings();
  // The stage fills slots and deletes personas without jobs.
  expect(findings.filter(({ rule }) => !/training|trash/.test(rule))).toEqual([]);
});

/** Fields of a cell as the API reads them. */
const toCall = ({ model, pid, style_transfer, image, prompt, ...fields }: CellFields): GenerateCall =>
  aCall({
    model: model as string,
    personaId: (pid as number | undefined) ?? stage.personaId,
    styleTransfer: (style_transfer as string | undefined) ?? null,
    image: (image as string | undefined) ?? null,
    prompt: (prompt as string | undefined) ?? null,
    fields,
  });
const batchCall = (rows: readonly CellFields[], more: Partial<BatchCall> = {}): BatchCall => {
  return { name: 'Foxes', webhook: null, ...NO_CUSTOM_DATA, content: { rows }, dryRun: false, toCall, ...more };
};
const rowsOf = (count: number): CellFields[] =>
  Array.from({ length: count }, (_, seed) => ({ model: 'test-image', prompt: 'a fox', seed }));
const create = async (rows = rowsOf(3), more: Partial<BatchCall> = {}): Promise<number> =>
  (await stage.batches.create(stage.actor, batchCall(rows, more))).id!;
const view = (id: number): Promise<BatchView> => stage.batchViews.get(stage.actor.workspaceId, id);
const cells = async (id: number) => (await stage.batchViews.cells(stage.actor.workspaceId, id, FIRST_PAGE, null)).items;
const ids = async (id: number) => (await cells(id)).map(({ generation }) => generation.id);
const used = () => stage.used(clock.now());
/** The runs of cells that are scheduled. */
const scheduled = async (id: number) =>
  (
    await stage.db.query<{ generation: number }>(
      `select (payload ->> 'generationId')::bigint as generation from jobs
       where name = 'generation.run' and batch_id = $1 order by id`,
      [id],
    )
  ).map(({ generation }) => Number(generation));
const deliveries = async (id: number) => {
  await stage.publish();
  return stage.db.query('select id from webhook_deliveries where batch_id = $1', [id]);
};
/** Runs a generation as its job does, to its end. */
async function run(id: number): Promise<void> {
  await stage.run(id).catch((error: unknown) => stage.generations.fail(id, error));
  await stage.db.query(`delete from jobs where name = 'generation.run' and payload ->> 'generationId' = $1`, [`${id}`]);
}
const cancelJob = () => ({ attempt: 1, workspaceId: stage.actor.workspaceId, signal: new AbortController().signal });
async function cancelCells(id: number): Promise<void> {
  await stage.batches.cancelCells(id, cancelJob());
  await stage.db.query(`delete from jobs where name = 'batch.cancel'`);
}
/** A batch whose cells have all failed. */
async function failed(rows = rowsOf(3), more: Partial<BatchCall> = {}): Promise<number> {
  const id = await create(rows, more);
  stage.work = () => Promise.reject(new Error('out of order'));
  for (const each of await ids(id)) await run(each);
  stage.work = async () => [stage.aPicture];
  return id;
}

describe('the acceptance of a batch', () => {
  it('lets others have their turn after twenty cells', async () => {
    let cellsInTurn = 0;
    let most = 0;
    const counting = (fields: CellFields) => {
      most = Math.max(most, ++cellsInTurn);
      setImmediate(() => (cellsInTurn = 0));
      return toCall(fields);
    };
    await create(rowsOf(100), { dryRun: true, toCall: counting });
    expect(most).toBe(20);
  });

  it('makes a generation of each cell, schedules it, and reserves its credits', async () => {
    const rows = [...rowsOf(2), { model: 'test-other', prompt: 'a hare' }];
    const { id, costs, cost } = await stage.batches.create(stage.actor, batchCall(rows));
    expect([costs, cost]).toEqual([[COST, COST, 7], 15]);
    expect(await view(id!)).toMatchObject({
      name: 'Foxes',
      state: 'running',
      total: 3,
      cells: { queued: 3, running: 0, succeeded: 0, failed: 0, canceled: 0 },
      cost: 15,
      used: 0,
    });
    const made = await cells(id!);
    expect(
      made.map(({ cell, generation: { request } }) => [cell, request.model, request.parameters, request.batch]),
    ).toEqual([
      [1, 'test-image', { seed: 0 }, { batchId: id, cell: 1 }],
      [2, 'test-image', { seed: 1 }, { batchId: id, cell: 2 }],
      [3, 'test-other', {}, { batchId: id, cell: 3 }],
    ]);
    expect(await scheduled(id!)).toEqual(made.map(({ generation }) => generation.id));
    expect(await used()).toBe(15);
  });

  it('adds the same rows as single calls do, whatever their inputs are', async () => {
    const file = await stage.newFile();
    await stage.fill(1, await stage.newFile());
    await stage.fill(7, { url: 'https://example.com/main.png' });
    const rows: CellFields[] = [
      { model: 'test-image', prompt: 'a "fox" \\ {"é": 1}', image: file.url, seed: 2_000_000 },
      { model: 'test-image', style_transfer: 'https://example.com/style.png' },
      { model: 'test-image', style_transfer: 'none', prompt: '' },
    ];
    const single = [];
    for (const row of rows) single.push((await stage.view(await stage.accepted(toCall(row)))).request);
    const inBatch = (await cells(await create(rows))).map(({ generation }) => generation.request);
    expect(inBatch.map((request) => ({ ...request, batch: null }))).toEqual(single);
  });

  it('of 500 cells takes little processor time and few statements', async () => {
    await stage.fill(1, await stage.newFile());
    const image = (await stage.newFile()).url;
    const matrix = readMatrix(
      {
        models: ['test-image'],
        prompts: ['{x}'],
        variables: { x: [...'abcde'] },
        seeds_count: 100,
        parameters: { image },
      },
      1,
    );
    await create();
    const sent = jest.spyOn(pg.Client.prototype, 'query');
    const cpu = process.threadCpuUsage();
    const id = await create([], { content: { matrix } });
    const statements = sent.mock.calls.length;
    const { user, system } = process.threadCpuUsage(cpu);
    sent.mockRestore();
    expect(await scheduled(id)).toHaveLength(500);
    expect(cellsOf({ matrix })).toHaveLength(500);
    expect(statements).toBeLessThan(20);
    // Processor time of this process; that of PostgreSQL varies beside other tests.
    expect(user + system).toBeLessThan(500_000);
  });

  it('of a dry run changes nothing', async () => {
    const accepted = await stage.batches.create(stage.actor, batchCall(rowsOf(2), { dryRun: true }));
    expect(accepted).toEqual({ id: null, costs: [COST, COST], cost: 2 * COST });
    expect([await used(), (await stage.batchViews.list(stage.actor.workspaceId, FIRST_PAGE)).items]).toEqual([0, []]);
  });

  it('is all or nothing: with too few credits it says how many cells they cover', async () => {
    await leaveCredits(2 * COST + 1);
    // A dry run just before changes nothing about it.
    await stage.batches.create(stage.actor, batchCall(rowsOf(3), { dryRun: true }));
    const message = 'the batch costs 12 credits, and the workspace has 9: enough for 2 of 3 cells';
    await expect(create()).rejects.toMatchObject({ code: 'insufficient_credits', message });
    expect(await used()).toBe(MONTHLY_CREDITS - 2 * COST - 1);
    expect((await stage.batchViews.list(stage.actor.workspaceId, FIRST_PAGE)).items).toEqual([]);
    await create(rowsOf(2));
  });

  itInRounds('never oversells: of four batches at once, two are accepted when credits are left for two', async () => {
    await stage.enter();
    await leaveCredits(2 * 5 * COST + 1);
    const results = await Promise.allSettled(Array.from({ length: 4 }, () => create(rowsOf(5))));
    const refused = results.flatMap((each) => (each.status === 'rejected' ? [each.reason as DomainError] : []));
    expect(refused.map(({ code }) => code)).toEqual(['insufficient_credits', 'insufficient_credits']);
    expect(await used()).toBe(MONTHLY_CREDITS - 1);
    expect((await stage.batchViews.list(stage.actor.workspaceId, FIRST_PAGE)).items).toHaveLength(2);
  });

  it('is refused by the budget of the token, which says how many cells it covers', async () => {
    const { tokenId } = await limitedActor(10);
    const actor = { ...stage.actor, tokenId, monthlyCredits: 10 };
    const refused = stage.batches.create(actor, batchCall(rowsOf(3)));
    const message = 'the batch costs 12 credits, and the budget of the API token has 10: enough for 2 of 3 cells';
    await expect(refused).rejects.toMatchObject({ code: 'budget_exceeded', message });
    await stage.batches.create(actor, batchCall(rowsOf(2)));
    await expect(stage.batches.create(actor, batchCall(rowsOf(1)))).rejects.toMatchObject({ code: 'budget_exceeded' });
    const recorded = await stage.db.query(
      'select type, facts from events where workspace_id = $1 and key is not null',
      [actor.workspaceId],
    );
    expect(recorded).toMatchObject([{ type: 'budget.exceeded', facts: { budget: 'token', token_id: tokenId } }]);
  });

  it('names the first twenty wrong cells, each with its fields, and accepts none', async () => {
    const wrong = { model: 'test-image', seed: 'x' };
    const many = [
      ...rowsOf(1),
      { model: 'nobody' },
      { ...rowsOf(1)[0]!, pid: 987_654 },
      ...Array<CellFields>(30).fill(wrong),
    ];
    const refusal = await create(many).catch((error: unknown) => error as DomainError);
    const fields = (refusal as DomainError).fields!;
    expect(Object.keys(fields)).toHaveLength(20);
    expect(Object.entries(fields).slice(0, 3)).toEqual([
      ['cells.2.model', ['must be one of test-image, test-other']],
      ['cells.3', ['no such persona']],
      ['cells.4.seed', ['must be an integer from 0 to 2000000']],
    ]);
    expect([await used(), (await stage.batchViews.list(stage.actor.workspaceId, FIRST_PAGE)).items]).toEqual([0, []]);
  });

  it('refuses a webhook that the service may not call', async () => {
    await expect(create(rowsOf(1), { webhook: 'https://private.example.com' })).rejects.toMatchObject({
      fields: { webhook: expect.anything() },
    });
  });
});

/** Reserves all credits of the workspace but these. */
async function leaveCredits(left: number): Promise<void> {
  const id = await stage.accepted();
  const { workspaceId } = stage.actor;
  const cost = MONTHLY_CREDITS - left;
  await stage.db.query(`update generations set cost = $1 where id = $2`, [cost, id]);
  await stage.db.query(`update credit_entries set amount = $1 where generation_id = $2`, [cost, id]);
  await stage.db.query(`update credit_months set used = $1 where workspace_id = $2`, [cost, workspaceId]);
  await stage.db.query(`update credit_usage set used = $1 where workspace_id = $2`, [cost, workspaceId]);
}

/** A token of the caller with a monthly budget. */
async function limitedActor(monthlyCredits: number): Promise<{ tokenId: number }> {
  const tokenId = await creditStoreOn(stage.db.database).newToken(stage.actor.userId);
  await stage.db.query('update api_tokens set monthly_credits = $1 where id = $2', [monthlyCredits, tokenId]);
  return { tokenId };
}

describe('the end of a batch', () => {
  it('comes with its last cell, however its cells end, and calls its webhook once', async () => {
    const id = await create(rowsOf(3), { webhook: 'https://example.com/hook' });
    const [first, second, third] = await ids(id);
    await run(first!);
    stage.work = () => Promise.reject(new Error('out of order'));
    await run(second!);
    expect([(await view(id)).state, await deliveries(id)]).toEqual(['running', []]);
    await stage.generations.cancel(stage.actor, third!);
    expect(await view(id)).toMatchObject({
      state: 'ended',
      endedAt: clock.now(),
      cells: { queued: 0, running: 0, succeeded: 1, failed: 1, canceled: 1 },
      used: COST,
    });
    expect(await deliveries(id)).toHaveLength(1);
    expect(await used()).toBe(COST);
  });

  itInRounds('comes once when its last cells end at the same time', async () => {
    const id = await create(rowsOf(4), { webhook: 'https://example.com/hook' });
    const [first, ...others] = await ids(id);
    await Promise.all([run(first!), ...others.map((each) => stage.generations.cancel(stage.actor, each))]);
    expect([(await view(id)).state, (await deliveries(id)).length]).toEqual(['ended', 1]);
  });

  it('comes when the model has disappeared: its cells fail and their credits come back', async () => {
    const id = await create([...rowsOf(2), { model: 'test-other' }]);
    stage.models = stage.models.filter(({ id: model }) => model !== 'test-image');
    const [first, second, other] = await ids(id);
    await expect(stage.run(first!)).rejects.toMatchObject({ name: 'JobPostponed' });
    await run(other!);
    clock.advance(HOUR);
    for (const each of [first!, second!]) {
      await stage.run(each, { attempt: 2 }).catch((error: unknown) => stage.generations.fail(each, error));
    }
    expect(await view(id)).toMatchObject({ state: 'ended', cells: { succeeded: 1, failed: 2 }, used: 7 });
    const [{ generation }] = (await cells(id)) as [Awaited<ReturnType<typeof cells>>[number]];
    expect(generation.error).toMatchObject({ code: 'provider_unavailable' });
    expect(await used()).toBe(7);
    await expect(stage.batches.retry(stage.actor, id, null)).rejects.toMatchObject({
      fields: { 'cells.1.model': expect.anything(), 'cells.2.model': expect.anything() },
    });
  });

  it('comes when its persona is deleted, also while it is paused', async () => {
    const id = await create();
    await stage.batches.pause(stage.actor, id);
    await stage.deletePersona();
    await stage.generations.endOfPersona(stage.personaId, new AbortController().signal);
    expect(await view(id)).toMatchObject({ state: 'ended', cells: { failed: 3 } });
    expect(await used()).toBe(0);
  });
});

describe('a pause', () => {
  it('holds the cells that have not started, and resuming schedules them', async () => {
    const id = await create(rowsOf(4));
    const [first, second, third, fourth] = await ids(id);
    await run(first!);
    await stage.db.query(
      `update jobs set started_at = now(), attempts = 1 where (payload ->> 'generationId')::bigint = $1`,
      [second],
    );
    await stage.batches.pause(stage.actor, id);
    await stage.batches.pause(stage.actor, id);
    expect([(await view(id)).state, await scheduled(id)]).toEqual(['paused', [second]]);
    await run(second!);
    expect(await view(id)).toMatchObject({ state: 'paused', cells: { queued: 2, succeeded: 2 } });
    await stage.batches.resume(stage.actor, id);
    await stage.batches.resume(stage.actor, id);
    expect([(await view(id)).state, await scheduled(id)]).toEqual(['running', [third, fourth]]);
    for (const each of [third!, fourth!]) await run(each);
    expect((await view(id)).state).toBe('ended');
    for (const command of ['pause', 'resume', 'cancel'] as const) {
      await expect(stage.batches[command](stage.actor, id)).rejects.toMatchObject({ code: 'conflict' });
    }
  });

  itInRounds('races with the end of the last cell: the batch has ended', async () => {
    const id = await create(rowsOf(1), { webhook: 'https://example.com/hook' });
    const [only] = await ids(id);
    const [, paused] = await Promise.allSettled([run(only!), stage.batches.pause(stage.actor, id)]);
    if (paused.status === 'rejected') expect(paused.reason).toMatchObject({ code: 'conflict' });
    expect([(await view(id)).state, (await deliveries(id)).length]).toEqual(['ended', 1]);
  });

  itInRounds('races with resuming: afterwards each queued cell of a running batch has one job', async () => {
    const id = await create(rowsOf(5));
    await Promise.all([
      stage.batches.pause(stage.actor, id),
      stage.batches.resume(stage.actor, id),
      stage.batches.pause(stage.actor, id),
      stage.batches.resume(stage.actor, id),
    ]);
    const isRunning = (await view(id)).state === 'running';
    expect((await scheduled(id)).toSorted()).toEqual(isRunning ? (await ids(id)).toSorted() : []);
  });

  it('of a batch of another workspace is refused as that of an unknown one', async () => {
    const id = await create();
    const stranger = { workspaceId: (await stage.newWorkspace()).workspaceId };
    for (const command of ['pause', 'resume', 'cancel'] as const) {
      for (const wrong of [id, 987_654]) {
        await expect(stage.batches[command](stranger, wrong)).rejects.toMatchObject({ code: 'not_found' });
      }
    }
  });
});

describe('the cancel of a batch', () => {
  it('holds the open cells at once and cancels them soon; their credits come back', async () => {
    const id = await create(rowsOf(4), { webhook: 'https://example.com/hook' });
    await run((await ids(id))[0]!);
    await stage.batches.cancel(stage.actor, id);
    await stage.batches.cancel(stage.actor, id);
    expect([(await view(id)).state, await scheduled(id)]).toEqual(['canceling', []]);
    await expect(stage.batches.resume(stage.actor, id)).rejects.toMatchObject({ code: 'conflict' });
    expect(await stage.db.query(`select payload from jobs where name = 'batch.cancel'`)).toEqual([
      { payload: { batchId: id } },
    ]);
    await cancelCells(id);
    expect(await view(id)).toMatchObject({ state: 'ended', cells: { succeeded: 1, canceled: 3 }, used: COST });
    expect([await used(), (await deliveries(id)).length]).toEqual([COST, 1]);
    await cancelCells(id);
  });

  itInRounds('races with the end of the last cell: the batch ends once and its credits are exact', async () => {
    await stage.enter();
    const id = await create(rowsOf(2), { webhook: 'https://example.com/hook' });
    const [first, second] = await ids(id);
    await run(first!);
    const cancel = async () => {
      await stage.batches.cancel(stage.actor, id);
      await cancelCells(id);
    };
    const [, canceled] = await Promise.allSettled([run(second!), cancel()]);
    if (canceled.status === 'rejected') expect(canceled.reason).toMatchObject({ code: 'conflict' });
    const { state, cells: counts, used: charged } = await view(id);
    expect([state, (await deliveries(id)).length]).toEqual(['ended', 1]);
    expect([charged, await used()]).toEqual([counts.succeeded * COST, counts.succeeded * COST]);
  });
});

describe('the retry of failed cells', () => {
  it('generates them again with the same inputs, and reserves their credits', async () => {
    const file = await stage.newFile();
    const id = await failed([{ model: 'test-image', prompt: 'a fox', seed: 3, image: file.url }, ...rowsOf(1)], {
      webhook: 'https://example.com/hook',
    });
    const before = await cells(id);
    expect([await used(), (await deliveries(id)).length]).toEqual([0, 1]);
    // Later changes of its slots do not matter.
    await stage.fill(1, await stage.newFile());
    await stage.batches.retry(stage.actor, id, null);
    const after = await cells(id);
    const requests = (views: typeof before) => views.map(({ cell, generation }) => ({ cell, ...generation.request }));
    const unfiled = (views: typeof before) =>
      requests(views).map(({ createdAt: _, inputs, ...request }) => ({
        ...request,
        image: inputs.image && 'key' in inputs.image && inputs.image.key,
        style: inputs.style,
      }));
    expect(unfiled(after)).toEqual(unfiled(before));
    expect(await view(id)).toMatchObject({
      state: 'running',
      endedAt: null,
      cells: { queued: 2, failed: 0 },
      cost: 2 * COST,
    });
    expect([await used(), await scheduled(id)]).toEqual([2 * COST, await ids(id)]);
    expect((await stage.view(before[0]!.generation.id)).request.batch).toEqual({ batchId: id, cell: null });
    for (const each of await ids(id)) await run(each);
    expect(await view(id)).toMatchObject({ state: 'ended', cells: { succeeded: 2, failed: 0 } });
    expect([await used(), (await deliveries(id)).length]).toEqual([2 * COST, 2]);
  });

  it('may name cells, and is refused when none of them has failed', async () => {
    const id = await failed();
    await stage.batches.retry(stage.actor, id, [2, 99]);
    expect(await view(id)).toMatchObject({ cells: { queued: 1, failed: 2 } });
    await expect(stage.batches.retry(stage.actor, id, [2])).rejects.toMatchObject({ code: 'conflict' });
    await run((await ids(id))[1]!);
    await expect(stage.batches.retry(stage.actor, id, [2])).rejects.toMatchObject({ code: 'conflict' });
  });

  it('of a paused batch waits for the resumption', async () => {
    const id = await create(rowsOf(2));
    stage.work = () => Promise.reject(new Error('out of order'));
    await run((await ids(id))[0]!);
    await stage.batches.pause(stage.actor, id);
    await stage.batches.retry(stage.actor, id, null);
    expect([(await view(id)).state, await scheduled(id)]).toEqual(['paused', []]);
    await stage.batches.resume(stage.actor, id);
    expect(await scheduled(id)).toHaveLength(2);
  });

  it('names the cells whose inputs are gone, and changes nothing', async () => {
    const file = await stage.newFile();
    const id = await failed([{ model: 'test-image', image: file.url }, ...rowsOf(1)]);
    await stage.db.query('delete from files where id = $1', [file.fileId]);
    await stage.db.query(`update storage_use set bytes = 0 where workspace_id = $1`, [stage.actor.workspaceId]);
    await stage.db.query(
      `update storage_use s set bytes = (select coalesce(sum(size), 0) from files where workspace_id = s.workspace_id)
       where workspace_id = $1`,
      [stage.actor.workspaceId],
    );
    await expect(stage.batches.retry(stage.actor, id, null)).rejects.toMatchObject({
      fields: { 'cells.1': ['no such file'] },
    });
    expect(await view(id)).toMatchObject({ state: 'ended', cells: { failed: 2 } });
    await stage.batches.retry(stage.actor, id, [2]);
  });

  itInRounds('at the same time as another makes each cell once', async () => {
    await stage.enter();
    const id = await failed(rowsOf(3));
    const retries = await Promise.allSettled([1, 2].map(() => stage.batches.retry(stage.actor, id, null)));
    const refused = retries.flatMap((each) => (each.status === 'rejected' ? [each.reason as DomainError] : []));
    expect(refused.map(({ code }) => code)).toEqual(['conflict']);
    expect(await view(id)).toMatchObject({ cells: { queued: 3, failed: 0 }, cost: 3 * COST });
    expect([await used(), (await scheduled(id)).length]).toEqual([3 * COST, 3]);
  });
});

describe('the list of cells', () => {
  it('has pages in the order of the cells, of all states or one', async () => {
    const id = await create(rowsOf(5));
    const all = await ids(id);
    for (const each of [all[1]!, all[3]!]) await run(each);
    const page = (after: number | null, state: 'succeeded' | 'queued' | null = null) =>
      stage.batchViews.cells(stage.actor.workspaceId, id, { limit: 2, after }, state);
    const numbers = async (...args: Parameters<typeof page>) => {
      const { items, next } = await page(...args);
      return [items.map(({ cell }) => cell), next];
    };
    expect(await numbers(null)).toEqual([[1, 2], 2]);
    expect(await numbers(2)).toEqual([[3, 4], 4]);
    expect(await numbers(4)).toEqual([[5], null]);
    expect(await numbers(null, 'succeeded')).toEqual([[2, 4], null]);
    expect(await numbers(1, 'queued')).toEqual([[3, 5], null]);
    const [first] = (await page(null, 'succeeded')).items;
    expect(first!.generation.outputs).toMatchObject([{ contentType: 'image/png', thumbnails: [{}] }]);
    const stranger = (await stage.newWorkspace()).workspaceId;
    expect((await stage.batchViews.cells(stranger, id, FIRST_PAGE, null)).items).toEqual([]);
    await expect(stage.batchViews.get(stranger, id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is in the list of generations too, with cells that a retry has replaced', async () => {
    await stage.accepted();
    const id = await failed(rowsOf(1));
    await stage.batches.retry(stage.actor, id, null);
    const list = async (filter: GenerationFilter) =>
      (await stage.views.list(stage.actor.workspaceId, FIRST_PAGE, filter)).items;
    const cells = [
      ['queued', 1],
      ['failed', null],
    ];
    for (const filter of [{ batchId: id }, { isSingle: false }]) {
      expect((await list(filter)).map(({ state, request }) => [state, request.batch?.cell])).toEqual(cells);
    }
    const single = await list({ isSingle: true });
    expect(single.map(({ request }) => request.batch)).toEqual([null]);
  });
});
