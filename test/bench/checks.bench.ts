import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createRemoteProvider } from '#adapters/providers';
import { PostgresSubmissions, PostgresUnitOfWork } from '#adapters/postgres';
import { SubmissionChecks, type RemoteProvider, type VendorHandle } from '#generation';
import { systemClock } from '#kernel';
import { aModel } from '../../libs/generation/src/testing/builders.ts';
import { onBenchDatabase, type BenchDatabase } from './bench-database.ts';
import { countStatements, megabytes, memoryGrowth, timed } from './measure.ts';

const PENDING = Number(process.env.PENDING ?? 2000);
/** Processor time of a check, in ms: 500 a second for each core. */
const MOST_CPU_MS = 2;
const MOST_STATEMENTS = 0.1;
const MOST_GROWTH = 150e6;

const FIRST_PORT = 4300;
const TARGETS = { replicate: 'black-forest-labs/flux-schnell', fal: 'fal-ai/flux/dev' };

/** What it costs to ask for thousands of generations that are pending at a vendor. */
await onBenchDatabase(async (bench) => {
  await fill(bench);
  const statements = countStatements(bench.pool);
  const measure = async (name: string, remote: RemoteProvider, handle: VendorHandle): Promise<void> => {
    const due = `update submissions set provider = $1, handle = $2::jsonb, next_check_at = now(), checks = 0`;
    await bench.query(due, [remote.id, JSON.stringify(handle)]);
    await bench.query('vacuum analyze');
    const before = statements.count;
    const { result, growth } = await memoryGrowth(() => checked(bench, remote));
    const perSecond = (PENDING / result.milliseconds) * 1000;
    const each = (statements.count - before) / PENDING;
    console.log(
      `${PENDING} checks ${name}: ${perSecond.toFixed(0)} a second, ${result.cpuMs.toFixed(2)} ms of processor time and ` +
        `${each.toFixed(3)} statements each; memory grew by ${megabytes(growth)}`,
    );
    if (result.cpuMs > MOST_CPU_MS || each > MOST_STATEMENTS || growth > MOST_GROWTH) process.exitCode = 1;
  };

  const fakes = await startFakes(bench.folder);
  try {
    for (const [index, type] of ['replicate', 'fal'].entries()) {
      const baseUrl = `http://127.0.0.1:${FIRST_PORT + index}`;
      const settings = { id: type, type, baseUrl, key: 'fake-key', maxConcurrent: 2, submissionsPerMinute: null };
      const provider = await createRemoteProvider(settings, { allowedHosts: [], maxOutputBytes: 1_000_000 });
      await measure(`at ${type}`, provider, await submitted(provider, TARGETS[type as keyof typeof TARGETS]));
    }
  } finally {
    fakes.kill();
  }
  await measure('of a vendor that responds at once', respondingProvider(), { id: '1' });
});

/** In a process of their own, as vendors are. */
async function startFakes(folder: string): Promise<ChildProcess> {
  const busy = ['replicate', 'fal'].flatMap((name) => ['--behaviour', `${name}=never_ends`]);
  const args = ['test/support/vendors/run.ts', '--folder', folder, '--port', String(FIRST_PORT), ...busy];
  const fakes = spawn(process.execPath, [...process.execArgv, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(fakes.stdout, 'data');
  return fakes;
}

async function checked({ database }: BenchDatabase, remote: RemoteProvider) {
  const checks = new SubmissionChecks({
    submissions: new PostgresSubmissions(database),
    remotes: new Map([[remote.id, remote]]),
    webhooks: { isPublic: false },
    jobs: { announce: async () => {} },
    unitOfWork: new PostgresUnitOfWork(database),
    report: () => undefined,
    clock: systemClock,
  });
  const { user, system } = process.cpuUsage();
  const milliseconds = await timed(() => checks.check(remote.id, new AbortController().signal));
  const spent = process.cpuUsage();
  return { milliseconds, cpuMs: (spent.user - user + spent.system - system) / 1000 / PENDING };
}

/** A provider that responds at once. */
function respondingProvider(): RemoteProvider {
  const check = async () => ({ state: 'pending', progress: Math.random(), checkAfterSeconds: null }) as const;
  return { id: 'instant', hasWebhooks: false, check } as unknown as RemoteProvider;
}

async function submitted(provider: RemoteProvider, target: string): Promise<VendorHandle> {
  const model = aModel({ target, mapping: { prompt: '{prompt}' } });
  const inputs = { image: null, style: null, references: [], mask: null, control: null, pictures: [] };
  const call = { requestKey: crypto.randomUUID(), model, prompt: 'a fox', parameters: {} };
  const task = { ...call, inputs, trainedStyle: null, folder: '/tmp' };
  const submitted = await provider.submit(task, { webhookUrl: null, signal: new AbortController().signal });
  if ('outputs' in submitted) throw new Error('there is nothing to check');
  return submitted.handle;
}

async function fill({ query, newUser }: BenchDatabase): Promise<void> {
  await newUser();
  await query(
    `insert into generations (workspace_id, user_id, model, kind, state, parameters, cost, created_at)
     select 1, 1, 'remote', 'image', 'running', '{}', 4, now() from generate_series(1, $1::integer)`,
    [PENDING],
  );
  await query(
    `insert into submissions (generation_id, provider, request_key, attempt, state, intended_at, give_up_at)
     select id, 'vendor', gen_random_uuid(), 1, 'submitted', now(), now() + interval '1 hour' from generations`,
  );
}
