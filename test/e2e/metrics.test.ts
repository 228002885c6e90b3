/** @tier deep, 35 s, about apps/wiring/src/metrics docs/monitoring */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { systemClock } from '#kernel';
import { freePort, RELEASE } from '#process';
import { ScheduledBackups } from '../../apps/cli/src/backup/scheduled-backups.ts';
import { eventually } from '../support/eventually.ts';
import { ROOT } from '../support/processes.ts';
import { prepared, useService } from '../support/use-service.ts';
const port = String(await freePort());
const workerUrl = `http://127.0.0.1:${port}`;
const service = useService({ WORKER_METRICS_PORT: port, SWEEP_INTERVAL_SECONDS: '1' });
const user = prepared(() => service.signUp());

/** The number of a series, `undefined` when there is no such series. */
async function value(at: string, series: string): Promise<number | undefined> {
  const text = await (await fetch(`${at}/metrics`)).text();
  const line = text.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

/** Waits until the number of a series is as it should be. */
async function until(at: string, series: string, isIt: (found: number) => boolean): Promise<void> {
  const found = async () => {
    const now = await value(at, series);
    return now !== undefined && isIt(now);
  };
  await eventually(found, { everyMs: 100 });
}

describe('metrics', () => {
  it('say the version that runs, as do the health check, the OpenAPI document and the command line', async () => {
    const { version } = RELEASE;
    const series = `x12_build_info{version="${version}",commit=""}`;
    expect([await value(service.baseUrl, series), await value(workerUrl, series)]).toEqual([1, 1]);
    expect((await service.call('GET', '/health/live')).body).toMatchObject({ version, commit: null });
    expect((await service.call('GET', '/openapi.json')).body.info).toMatchObject({ version });
    const commit = '1a2b3c4d5e6f';
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, X12_COMMIT: commit };
    const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'cli', '--', '--version'], {
      cwd: ROOT,
      env,
    });
    expect(stdout).toBe(`${version} (${commit})\n`);
  });

  it('count the credits, the job, the provider and the charge of a generation', async () => {
    const reserved = (await value(service.baseUrl, 'x12_credits_total{kind="reserved"}'))!;
    const form = { model: 'local-image', width: 128, height: 128, seed: 1 };
    expect((await service.call('POST', '/v2/generate', { token: user.token, form })).status).toBe(202);
    await until(service.baseUrl, 'x12_credits_total{kind="reserved"}', (found) => found > reserved);
    const cost = (await value(service.baseUrl, 'x12_credits_total{kind="reserved"}'))! - reserved;

    await until(workerUrl, 'x12_credits_total{kind="charged"}', (found) => found === cost);
    expect(await value(workerUrl, 'x12_credits_total{kind="released"}')).toBe(0);
    const job = 'x12_job_duration_seconds_count{job="generation.run",outcome="done"}';
    await until(workerUrl, job, (found) => found === 1);
    const provider = 'x12_provider_run_duration_seconds_count{provider="local",outcome="succeeded"}';
    expect(await value(workerUrl, provider)).toBe(1);
  });

  it('count the passes and findings of sweeps, and show the last success', async () => {
    const since = Date.now() / 1000;
    const passes = (await value(workerUrl, 'x12_sweep_duration_seconds_count{sweep="files"}')) ?? 0;
    await until(workerUrl, 'x12_sweep_duration_seconds_count{sweep="files"}', (found) => found > passes);
    const last = 'x12_sweep_last_success_timestamp_seconds{sweep="files"}';
    await until(workerUrl, last, (found) => found >= since);
    expect(await value(workerUrl, 'x12_sweep_failures_total{sweep="files"}')).toBe(0);

    await service.database.query(
      `insert into files (workspace_id, origin, key, filename, size, content_type, created_at, expires_at)
       select id, 'upload', 'files/metrics/a.png', 'a.png', 1, 'image/png', now() - interval '1 day', now()
       from workspaces limit 1`,
    );
    await until(workerUrl, 'x12_files_swept_total{kind="expired"}', (found) => found === 1);
    await until(workerUrl, 'x12_files_swept_total{kind="reclaimed"}', (found) => found >= 1);
    await until(workerUrl, 'x12_sweep_items_total{sweep="files"}', (found) => found >= 2);
  });

  it('show waiting jobs and their age while no worker runs', async () => {
    expect(await value(service.baseUrl, 'x12_jobs{queue="mail",state="active"}')).toBe(0);
    await service.stopWorker();
    const { body } = await service.call('POST', '/v2/personas', { token: user.token, form: { name: 'Ada' } });
    await service.call('DELETE', `/v2/personas/${body.persona.id}`, { token: user.token });
    await until(service.baseUrl, 'x12_jobs{queue="housekeeping",state="waiting"}', (found) => found === 1);
    await until(service.baseUrl, 'x12_outbox_oldest_job_age_seconds{until="done"}', (found) => found > 0);
    expect(await value(service.baseUrl, 'x12_outbox_oldest_job_age_seconds{until="relayed"}')).toBe(0);
    await service.startWorker();
    await until(service.baseUrl, 'x12_jobs{queue="housekeeping",state="waiting"}', (found) => found === 0);
  });

  it('show open event streams, zips that are sent, connections to the database and the space on the disk', async () => {
    const token = user.token;
    const stop = new AbortController();
    const { body } = await service.call('POST', '/boards', { token, json: { name: 'Lakes' } });
    const url = `${service.baseUrl}/boards/${body.board.id}/events`;
    const stream = await fetch(url, { headers: { authorization: `Bearer ${token}` }, signal: stop.signal });
    expect(stream.status).toBe(200);
    await until(service.baseUrl, 'x12_open_streams', (found) => found === 1);
    stop.abort();
    await until(service.baseUrl, 'x12_open_streams', (found) => found === 0);
    expect(await value(service.baseUrl, 'x12_running_zips')).toBe(0);
    for (const at of [service.baseUrl, workerUrl]) {
      expect(await value(at, 'x12_database_connections{state="waiting"}')).toBe(0);
      // A pool closes connections that nobody has used for ten seconds.
      await service.call('POST', '/boards', { token, json: { name: 'Rivers' } });
      await until(at, 'x12_database_connections{state="idle"}', (found) => found > 0);
      expect(await value(at, 'x12_disk_free_bytes')).toBeGreaterThan(0);
    }
  });

  it('include all metrics of the alerts, the dashboard and the documentation', async () => {
    const exposed = new Set<string>();
    const workerPort = (await freePort())!;
    const { log, metrics } = service.settings;
    const settings = { log, metrics: { ...metrics, workerPort }, backup: { schedule: '0 0 1 1 *', keep: 1 } };
    const none = () => Promise.reject(new Error('no backup is due'));
    const backups = new ScheduledBackups(settings, service.settings.data.backups, none, systemClock);
    await backups.start();
    for (const url of [service.baseUrl, workerUrl, `http://127.0.0.1:${workerPort}`]) {
      const text = await (await fetch(`${url}/metrics`)).text();
      for (const [, name] of text.matchAll(/^# TYPE (\w+)/gm)) exposed.add(name!);
    }
    await backups.stop();
    for (const file of [
      'monitoring/alerts.yml',
      'monitoring/alerts.test.yml',
      'monitoring/dashboard.json',
      'operations.md',
    ]) {
      // Volumes have names like those of metrics.
      const text = (await readFile(join(ROOT, 'docs', file), 'utf8')).replaceAll(/^docker volume .*$/gm, '');
      const named = [...text.matchAll(/\b(?:x12|http_request|process|nodejs)_[a-z0-9_]+(?![\w*])/g)].map(
        ([name]) => name,
      );
      const unknown = named.filter(
        (name) => !exposed.has(name) && !exposed.has(name.replace(/_(bucket|count|sum)$/, '')),
      );
      expect([file, unknown]).toEqual([file, []]);
      expect(named.length).toBeGreaterThan(10);
    }
  });

  it('of jobs are read by one statement, however many ask at once', async () => {
    await service.stopWorker();
    const sent = jest.spyOn(pg.Client.prototype, 'query');
    const reads = () => sent.mock.calls.filter((query) => /count\(\*\).*jobs/s.test(JSON.stringify(query))).length;
    const ask = () => fetch(`${service.baseUrl}/metrics`);
    await eventually(async () => (await ask()).ok && reads() > 0);
    const before = reads();
    await Promise.all(Array.from({ length: 20 }, ask));
    expect(reads() - before).toBeLessThanOrEqual(1);
    sent.mockRestore();
  });
});

describe('the alerts', () => {
  const promtool = (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'promtool'))
    .find((file) => existsSync(file));

  (promtool ? it : it.skip)('report what they are for, and nothing else', async () => {
    const run = (...args: string[]) => promisify(execFile)(promtool!, args, { cwd: join(ROOT, 'docs/monitoring') });
    await run('check', 'config', 'prometheus.yml');
    await run('test', 'rules', 'alerts.test.yml');
  });

  it('are each tested, and explained to operators', async () => {
    const [rules, tests, operations] = await Promise.all(
      ['monitoring/alerts.yml', 'monitoring/alerts.test.yml', 'operations.md'].map((file) =>
        readFile(join(ROOT, 'docs', file), 'utf8'),
      ),
    );
    const { groups } = parse(rules!) as { groups: { rules: { alert: string }[] }[] };
    const names = groups.flatMap((group) => group.rules.map(({ alert }) => alert));
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) {
      expect(tests).toMatch(new RegExp(`- alertname: ${name}\\n`));
      expect(operations).toMatch(new RegExp(`^\\| \`${name}\` `, 'm'));
    }
  });
});

it('the service is healthy if database, queue and storage are', async () => {
  const { status, body } = await service.call('GET', '/health/ready');
  const checks = ['database', 'queue', 'storage'].map((name) => ({
    name,
    state: 'up',
    latency_ms: expect.any(Number),
  }));
  expect([status, body]).toEqual([200, { status: true, checks }]);
});
