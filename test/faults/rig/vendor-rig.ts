import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { connectPostgres, PostgresAudit, type PostgresConnection } from '#adapters/postgres';
import { callApi } from '../../support/call-api.ts';
import { sqlOn, type Sql } from '../../support/database.ts';
import { Processes } from '../../support/processes.ts';
import { signal, startDemo, type DemoService } from '../../support/started-service.ts';
import { startFakeComfyUi } from '../../support/vendors/comfyui.ts';
import { startFakeFal } from '../../support/vendors/fal.ts';
import type { FakeVendor, VendorBehaviour } from '../../support/vendors/fake-vendor.ts';
import { startFakeOpenAi } from '../../support/vendors/openai.ts';
import { startFakeReplicate } from '../../support/vendors/replicate.ts';
import type { Chance } from './chance.ts';

/** Seconds between two kills. */
const KILL_EVERY = 1.5;
/** Share of submissions that meet a fault. */
const FAULT_CHANCE = 0.1;

/** Faults of vendors; each accepts a task at most once by it. */
export const FAULTS: readonly VendorBehaviour[] = [
  'drops_before',
  'drops_after',
  'hangs',
  'busy',
  'down',
  'rejects',
  'moderates',
  'never_ends',
  'lies',
  'sends_html',
  'loses_output',
  'hangs_output',
];

/** How what a vendor makes may end badly, and nothing else. */
export const BAD_ENDS = [
  'content_rejected',
  'invalid_input',
  'unusable_output',
  'timed_out',
  'provider_busy',
  'provider_unavailable',
  'provider_outcome_unknown',
];

export type RigVendor = 'replicate' | 'fal' | 'openai' | 'comfyui';

/** A service with two workers, whose models are at the fakes of four vendors. */
export class VendorRig {
  private constructor(
    readonly folder: string,
    readonly demo: DemoService,
    readonly fakes: Readonly<Record<RigVendor, FakeVendor>>,
    readonly sql: Sql,
    private readonly beside: Processes,
    private readonly connection: PostgresConnection,
  ) {}

  /** @param files beside the catalogue */
  static async open(
    models: readonly object[],
    files: readonly string[],
    more: Record<string, string> = {},
  ): Promise<VendorRig> {
    const folder = await mkdtemp(join(tmpdir(), 'x12-vendors-'));
    const [replicate, fal, openai, comfyui] = await Promise.all([
      startFakeReplicate(),
      startFakeFal(),
      startFakeOpenAi(),
      startFakeComfyUi(),
    ]);
    await writeFile(join(folder, 'models.json'), JSON.stringify({ models }));
    for (const file of files) await cp(file, join(folder, basename(file)));
    const env = {
      MODELS_FILE: join(folder, 'models.json'),
      REPLICATE_API_TOKEN: 'r8_test',
      REPLICATE_BASE_URL: replicate.url,
      FAL_KEY: 'fal_test',
      FAL_BASE_URL: fal.url,
      OPENAI_API_KEY: 'sk-test',
      OPENAI_BASE_URL: openai.url,
      COMFYUI_URL: comfyui.url,
      WORKER_CONCURRENCY: '8',
      WORKSPACE_CONCURRENCY: '12',
      PLANS: '{"free":{"monthly_credits":100000},"enterprise":{"monthly_credits":100000,"teams":true}}',
      ...more,
    };
    const demo = await startDemo(env);
    const production = { PATH: process.env.PATH, ...env, NODE_ENV: 'production', LOG_LEVEL: 'fatal' };
    const beside = new Processes({ ...production, DATA_DIR: demo.folder, DATABASE_URL: demo.databaseUrl }, 300);
    beside.start('second', 'worker');
    const connection = await connectPostgres(demo.databaseUrl, { poolSize: 2 });
    const fakes = { replicate, fal, openai, comfyui };
    return new VendorRig(folder, demo, fakes, sqlOn(connection.database), beside, connection);
  }

  async call(path: string, form?: Record<string, string>, token = this.demo.token) {
    const { status, body } = await callApi(new URL(path, this.demo.baseUrl), form ? 'POST' : 'GET', { token, form });
    if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  /** Has vendors do something wrong now and then. */
  planFaults(chance: Chance, submissions: number, faults = FAULTS): void {
    for (const [name, fake] of Object.entries(this.fakes)) {
      const own = chance.fork(name);
      const next = Array.from({ length: submissions }, (): VendorBehaviour =>
        own.next() < FAULT_CHANCE ? own.pick(faults) : 'works',
      );
      fake.plan(next);
    }
  }

  /** Either worker: the supervisor waits longer before each start, the second one is back at once. */
  async killWorkers(chance: Chance, kills: number): Promise<void> {
    for (let killed = 0; killed < kills; killed++) {
      await sleep(KILL_EVERY * 1000);
      const supervised = this.demo.service.find(/apps\/worker\/src\/main\.js/)?.pid;
      const second = this.beside.pidOf('second');
      const victim = chance.next() < 0.5 ? (supervised ?? second) : second;
      if (victim !== undefined) signal(victim, 'SIGKILL');
    }
  }

  /** How often each task was started, as the vendors have counted it, by the text in it. */
  starts(text: RegExp): Map<string, number> {
    const counted = new Map<string, number>();
    for (const { fields } of Object.values(this.fakes).flatMap((fake) => fake.submissions)) {
      const [task] = text.exec(JSON.stringify(fields))!;
      counted.set(task, (counted.get(task) ?? 0) + 1);
    }
    return counted;
  }

  /** Nothing was charged but what has succeeded, and the audit finds nothing. */
  async expectCharged(credits: number): Promise<void> {
    expect((await this.call('/v2/credits')).credits.used).toBe(credits);
    expect(await new PostgresAudit(this.connection.database).findings()).toEqual([]);
  }

  async close(): Promise<void> {
    await this.connection.close();
    await this.beside.stop();
    await this.demo.stop();
    await Promise.all(Object.values(this.fakes).map((fake) => fake.close()));
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Makes `work` so many calls, a few at a time. */
export async function byCallers(callers: number, calls: number, work: (index: number) => Promise<unknown>) {
  let next = 0;
  const caller = async (): Promise<void> => {
    while (next < calls) await work(next++);
  };
  await Promise.all(Array.from({ length: callers }, caller));
}
