import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import {
  PostgresCreditLedger,
  PostgresFiles,
  PostgresGenerations,
  PostgresGenerationViews,
  PostgresPersonas,
  PostgresPersonaSlots,
  PostgresUnitOfWork,
  PostgresUploads,
} from '#adapters/postgres';
import { Outbox, type Queues } from '#adapters/queue';
import { CryptoRandomTokens, DiskObjectStorage } from '#adapters/storage';
import {
  CancelGeneration,
  EndGeneration,
  GiveUpGeneration,
  ModelCatalog,
  RequestGeneration,
  RunGeneration,
  type AcceptedCall,
  type GenerateCall,
  type GenerationProvider,
} from '#generation';
import type { Actor } from '#identity';
import { systemClock, type JobRun } from '#kernel';
import { AdoptFile, StoreFile } from '#files';
import { aModel } from '#testing/generation';
import { createDatabase, type TestDatabase } from '../support/database.ts';

const PLANS = { free: { id: 'free', monthlyCredits: 1_000_000, teams: false } };
const forEver = new AbortController().signal;

/** The use cases on PostgreSQL and the disk store; only the provider and the input pictures are made up. */
describe('generations from call to end', () => {
  let db: TestDatabase;
  let folder: string;
  let files: PostgresFiles;
  let storage: DiskObjectStorage;
  let request: RequestGeneration;
  let runGeneration: RunGeneration;
  let cancelGeneration: CancelGeneration;
  let giveUp: GiveUpGeneration;
  let views: PostgresGenerationViews;
  let provide: GenerationProvider['run'];
  let storeFile: StoreFile;
  let actor: Actor;
  let personaId: number;
  /** Statements that the open transaction of each connection has had so far, and those of the last to commit. */
  let lastTransaction: string[] = [];

  beforeAll(async () => {
    db = await createDatabase({ poolSize: 20 });
    db.pool.on('connect', (client) => record(client, (statements) => (lastTransaction = statements)));
    folder = await mkdtemp(join(tmpdir(), 'generation-flow-'));
    await writeFile(join(folder, 'made.png'), 'a picture, as far as this test goes');
    storage = new DiskObjectStorage({
      root: join(folder, 'files'),
      publicUrl: 'http://store.test',
      secret: 'x'.repeat(32),
      clock: systemClock,
    });
    const unitOfWork = new PostgresUnitOfWork(db.database);
    files = new PostgresFiles(db.database);
    const tokens = new CryptoRandomTokens();
    const generations = new PostgresGenerations(db.database);
    const ledger = new PostgresCreditLedger(db.database);
    const personas = new PostgresPersonas(db.database);
    const slots = new PostgresPersonaSlots(db.database, storage);
    const queue = { addBulk: async () => [] };
    const queues = { generations: queue, pictures: queue, housekeeping: queue } as unknown as Queues;
    const jobs = new Outbox(db.database, unitOfWork, queues, systemClock, (error) => {
      throw error;
    });
    const adoptFile = new AdoptFile(files, new PostgresUploads(db.database), storage, tokens, systemClock);
    storeFile = new StoreFile(files, storage, tokens, systemClock);
    const model = aModel({
      parameters: {
        count: { type: 'integer', description: 'Outputs', minimum: 1, maximum: 100, default: 1 },
      },
    });
    const provider: GenerationProvider = {
      id: 'test',
      models: [model],
      run: (task, watch) => provide(task, watch),
    };
    const end = new EndGeneration(generations, ledger, jobs);
    views = new PostgresGenerationViews(db.database, storage);
    cancelGeneration = new CancelGeneration(generations, end, unitOfWork, systemClock);
    giveUp = new GiveUpGeneration(generations, end, unitOfWork, systemClock);
    request = new RequestGeneration(
      new ModelCatalog([model]),
      slots,
      adoptFile,
      generations,
      ledger,
      PLANS,
      jobs,
      unitOfWork,
      systemClock,
    );
    runGeneration = new RunGeneration(
      generations,
      [provider],
      {
        run: async () => ({ file: join(folder, 'made.png'), contentType: 'image/png', width: 4, height: 3 }),
      },
      storeFile,
      personas,
      { use: (work) => work(folder) },
      end,
      jobs,
      unitOfWork,
      systemClock,
    );
  });
  afterAll(async () => {
    await db.drop();
    await rm(folder, { recursive: true });
  });

  const insert = async (sql: string, values: unknown[] = []): Promise<number> =>
    (await db.database.one<{ id: number }>(`${sql} returning id`, values))!.id;

  beforeEach(async () => {
    provide = async () => [
      { file: join(folder, 'made.png'), contentType: 'image/png', width: 4, height: 3, duration: null },
    ];
    const userId = await insert('insert into users (email, created_at) values ($1, now())', [
      `${Math.random()}@example.com`,
    ]);
    const workspaceId = await insert(
      `insert into workspaces (kind, plan, created_at) values ('personal', 'free', now())`,
    );
    await db.database.query(
      `insert into memberships (workspace_id, user_id, is_team, role, joined_at) values ($1, $2, false, 'owner', now())`,
      [workspaceId, userId],
    );
    actor = { userId, workspaceId, role: 'owner', plan: 'free', isTeam: false, tokenId: 1 };
    personaId = await insert(
      `insert into personas (workspace_id, created_by, name, created_at, updated_at)
       values ($1, $2, 'P', now(), now())`,
      [workspaceId, userId],
    );
  });

  const call = (overrides: Partial<GenerateCall> = {}): Promise<AcceptedCall> =>
    request.run(actor, {
      model: 'test-image',
      personaId,
      styleTransfer: null,
      image: null,
      prompt: 'a fox',
      fields: {},
      dryRun: false,
      ...overrides,
    });
  const accepted = async (overrides: Partial<GenerateCall> = {}): Promise<number> =>
    (await call(overrides)).id!;
  const run = (id: number, about: Partial<JobRun> = {}): Promise<void> =>
    runGeneration.run(id, { attempt: 1, signal: forEver, ...about });
  const view = (id: number) => views.get(actor.workspaceId, id);
  const store = async (): Promise<string> => {
    const { workspaceId } = actor;
    const stored = await storeFile.run({
      workspaceId,
      personaId,
      bytes: Buffer.from('bytes'),
      origin: 'import',
      filename: 'input.png',
      contentType: 'image/png',
    });
    return storage.publicUrl(stored.key);
  };
  const used = async (): Promise<number> =>
    (await db.database.one<{ used: number }>('select used from credit_months where workspace_id = $1', [
      actor.workspaceId,
    ]))!.used;
  /** The files of the workspace, and how many of them are outputs of generations. */
  const outputFiles = async (): Promise<{ files: number; kept: number }> =>
    (await db.database.one(
      `select count(*) as files, count(o.file_id) as kept
         from files f left join generation_outputs o on o.file_id = f.id
        where f.workspace_id = $1 and f.origin = 'output'`,
      [actor.workspaceId],
    ))!;
  const reclaiming = async (): Promise<number[]> =>
    (
      await db.database.query<{ payload: { fileIds: number[] } }>(
        `select payload from jobs where name = 'files.reclaim' order by id`,
      )
    ).flatMap(({ payload }) => payload.fileIds);

  it('accepts a call with six statements at most, both inputs being stored files', async () => {
    const [image, styleTransfer] = [await store(), await store()];
    await call({ image, styleTransfer });
    expect(lastTransaction.map(firstWord)).toEqual(['with', 'select', 'select', 'insert', 'insert', 'with']);
  });

  it('keeps nothing of a call that there are not enough credits for', async () => {
    await call();
    await db.database.query('update credit_months set used = 999998 where workspace_id = $1', [
      actor.workspaceId,
    ]);
    await expect(call()).rejects.toMatchObject({ code: 'insufficient_credits' });
    const { items } = await views.list(actor.workspaceId, { limit: null, after: null });
    expect(items).toHaveLength(1);
  });

  it('ends succeeded, charged once, with its output among the files of the persona', async () => {
    const id = await accepted({ fields: { count: 2 } });
    await run(id);
    await run(id, { attempt: 2 });
    await giveUp.run(id, new Error('late'));
    expect(await view(id)).toMatchObject({ state: 'succeeded', progress: 1, error: null });
    expect((await view(id)).outputs[0]!.url).toMatch(/^http:\/\/store\.test\/.*generation-\d+\.png$/);
    expect(await used()).toBe(8);
    expect(await outputFiles()).toEqual({ files: 1, kept: 1 });
  });

  it('ends once, when it is canceled just as it finishes, and the ledger says the same', async () => {
    const outcomes = new Set<string>();
    for (let round = 0; round < 40; round++) {
      const id = await accepted();
      await Promise.all([
        run(id),
        // From at once to far too late, so that both win, on a busy machine too.
        sleep((round % 20) ** 2)
          .then(() => cancelGeneration.run(actor, id))
          .catch(() => undefined),
      ]);
      const { state, outputs } = await view(id);
      outcomes.add(state);
      expect(outputs).toHaveLength(state === 'succeeded' ? 1 : 0);
      const entries = await db.database.query<{ kind: string }>(
        'select kind from credit_entries where generation_id = $1 order by id',
        [id],
      );
      expect(entries.map(({ kind }) => kind)).toEqual([
        'reserve',
        state === 'succeeded' ? 'settle' : 'release',
      ]);
    }
    expect([...outcomes].sort()).toEqual(['canceled', 'succeeded']);
    const { files: all, kept } = await outputFiles();
    expect((await reclaiming()).length).toBeGreaterThanOrEqual(all - kept);
  });

  it('ends once, when two runs have it at once', async () => {
    for (let round = 0; round < 20; round++) {
      const id = await accepted();
      provide = async ({ folder: into }) => {
        await sleep(Math.random() * 10);
        return [
          { file: join(into, 'made.png'), contentType: 'image/png', width: 4, height: 3, duration: null },
        ];
      };
      await Promise.all([run(id, { attempt: 1 }), sleep(3).then(() => run(id, { attempt: 2 }))]);
      const { state, outputs } = await view(id);
      expect(state).toBe('succeeded');
      expect(outputs).toHaveLength(1);
    }
    expect(await used()).toBe(20 * 4);
    const { files: all, kept } = await outputFiles();
    expect(kept).toBe(20);
    expect((await reclaiming()).length).toBeGreaterThanOrEqual(all - kept);
  });

  it('lets a run that slept through its own replacement write nothing', async () => {
    const id = await accepted();
    let wake = (): void => undefined;
    const made = await provide({} as never, {} as never);
    provide = () => new Promise((resolve) => (wake = () => resolve(made)));
    const zombie = run(id, { attempt: 1 });
    await sleep(50);
    provide = async () => made;
    await run(id, { attempt: 2 });
    const before = await view(id);
    wake();
    await zombie;
    expect(await view(id)).toEqual(before);
    expect(await used()).toBe(4);
    const { files: all, kept } = await outputFiles();
    expect([all, kept]).toEqual([2, 1]);
  });

  it('gives the credits back when it is given up, however often that happens', async () => {
    const id = await accepted();
    await Promise.all([1, 2, 3, 4].map(() => giveUp.run(id, new Error('no'))));
    expect(await view(id)).toMatchObject({ state: 'failed', error: { code: 'internal_error' } });
    expect(await used()).toBe(0);
  });

  it('never sells more than there is, however many call at once', async () => {
    await call();
    await db.database.query(`update credit_months set used = 999956 where workspace_id = $1`, [
      actor.workspaceId,
    ]);
    const calls = await Promise.allSettled(Array.from({ length: 50 }, () => call()));
    const refusals = calls.filter((each) => each.status === 'rejected').map((each) => each.reason as object);
    expect(refusals).toHaveLength(39);
    for (const refusal of refusals) expect(refusal).toMatchObject({ code: 'insufficient_credits' });
    expect(await used()).toBe(1_000_000);
  });

  it('fails with its persona: nothing is kept and the credits come back', async () => {
    const id = await accepted();
    provide = async () => {
      await db.database.query('update personas set deleted_at = now() where id = $1', [personaId]);
      return [
        { file: join(folder, 'made.png'), contentType: 'image/png', width: 4, height: 3, duration: null },
      ];
    };
    const failure = await run(id).catch((error: unknown) => error);
    await giveUp.run(id, failure);
    expect(await view(id)).toMatchObject({ state: 'failed', error: { code: 'no_persona' }, outputs: [] });
    expect(await used()).toBe(0);
    expect((await outputFiles()).kept).toBe(0);
  });

  it('keeps the file of an input as long as it is open, and lets it go when it ends', async () => {
    const image = await store();
    const id = await accepted({ image });
    const fileId = (await files.holdByKey(actor.workspaceId, storage.keyOf(image)!))!.id;
    const references = async () =>
      (await db.database.one<{ count: number }>('select count(*) from generations where image_file_id = $1', [
        fileId,
      ]))!.count;
    expect(await references()).toBe(1);
    await run(id);
    expect(await references()).toBe(0);
    expect(await reclaiming()).toContain(fileId);
    expect((await view(id)).imageUrl).toBe(image);
  });
});

function firstWord(statement: string): string {
  return /\w+/.exec(statement)![0].toLowerCase();
}

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
