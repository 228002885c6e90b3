/** @tier deep, 70 s, about libs/adapters/queue */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectQueueToRedis } from '#adapters/queue';
import { connectRedis, inspectRedis } from '#adapters/redis';
import { readSettings } from '#config';
import { Api } from '../../apps/api/src/api.ts';
import { Worker } from '../../apps/worker/src/worker.ts';
import { auditFindings } from '../support/audit.ts';
import { runCommand } from '../support/command-line.ts';
import { eventually } from '../support/eventually.ts';
import { jobsContract } from '../support/jobs-contract.ts';
import { startService, type TestService, type TestUser } from '../support/service.ts';
import { ValkeyServer } from '../support/valkey-server.ts';
jobsContract('jobs on Valkey', async () => {
  const redis = await connectRedis(`${process.env.TEST_VALKEY_URL}/1`, { onError: () => undefined });
  return { ...connectQueueToRedis(redis), close: async () => redis.close() };
});

describe('a service whose queue is on Valkey', () => {
  let valkey: ValkeyServer;
  let service: TestService;
  let user: TestUser;

  beforeAll(async () => {
    valkey = await ValkeyServer.start([], 'open-sesame');
    service = await startService({ REDIS_URL: valkey.url, LOG_LEVEL: 'silent' });
    user = await service.signUp();
  });
  afterAll(async () => {
    await service?.stop();
    await valkey?.stop();
  });

  /** A request that causes a job, and gets its response whatever became of the queue. */
  async function causeJob(): Promise<void> {
    const { body } = await service.call('POST', '/v2/personas', { token: user.token, form: { name: 'Ada' } });
    const { status } = await service.call('DELETE', `/v2/personas/${body.persona.id}`, { token: user.token });
    expect(status).toBe(200);
  }
  const waiting = async () =>
    (await service.database.one<{ count: number }>('select count(*) as count from jobs'))!.count;

  const allDone = () => eventually(async () => (await waiting()) === 0);
  const readiness = async () => {
    const { status, body } = await service.call('GET', '/health/ready');
    const queue = (body.checks as { name: string; state: string }[]).find(({ name }) => name === 'queue');
    return { status, queue: queue?.state };
  };

  it('does its jobs, and also what a flushed server has forgotten', async () => {
    expect(await readiness()).toEqual({ status: 200, queue: 'up' });
    for (let count = 0; count < 20; count++) await causeJob();
    await allDone();
    await service.stopWorker();
    for (let count = 0; count < 50; count++) await causeJob();
    expect(await waiting()).toBe(50);
    await valkey.command('FLUSHALL');
    await service.startWorker();
    await allDone();
  });

  it('accepts what causes jobs while the server is full, and does them when it has room again', async () => {
    await valkey.command('CONFIG', 'SET', 'maxmemory', '1');
    try {
      for (let count = 0; count < 10; count++) await causeJob();
      expect(await readiness()).toEqual({ status: 200, queue: 'down' });
    } finally {
      await valkey.command('CONFIG', 'SET', 'maxmemory', '0');
    }
    await allDone();
    expect(await readiness()).toEqual({ status: 200, queue: 'up' });
  });

  it('accepts at once while the server is killed and started again under load, and loses nothing', async () => {
    let [accepted, over] = [0, false];
    const clients = Array.from({ length: 4 }, async () => {
      while (!over) {
        await causeJob();
        accepted++;
      }
    });
    for (let kill = 1; kill <= 3; kill++) {
      await eventually(() => accepted >= 10 * kill);
      await valkey.kill();
      // It has its response while the server is away.
      await causeJob();
      expect(await readiness()).toEqual({ status: 200, queue: 'down' });
      await valkey.restart();
    }
    over = true;
    await Promise.all(clients);
    await allDone();
    expect(await auditFindings(service.database.url)).toEqual([]);
  });

  it('accepts also while the server is silent, and its worker goes on when it speaks again', async () => {
    await valkey.freeze();
    await causeJob();
    expect(await readiness()).toEqual({ status: 200, queue: 'down' });
    await sleep(4000);
    await valkey.thaw();
    await allDone();
  });

  it('is found ill by the doctor when its server would evict jobs', async () => {
    await valkey.command('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
    const DATA_DIR = service.settings.data.folder;
    const env = { DATABASE_URL: service.database.url, REDIS_URL: valkey.url, DATA_DIR };
    const { out } = await runCommand(env, 'doctor', '--json');
    const advice = 'set `maxmemory-policy noeviction`';
    expect(JSON.parse(out)).toContainEqual(expect.objectContaining({ check: 'redis', state: 'ill', advice }));
    await valkey.command('CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
  });

  it('ends its worker although the server is away', async () => {
    await valkey.kill();
    await service.stopWorker();
    await valkey.restart();
    await service.startWorker();
    await causeJob();
    await allDone();
  });

  it('does not start where the server is away or refuses the password, and says so without telling it', async () => {
    for (const url of ['redis://:wrong-password@127.0.0.1:1', valkey.url.replace('open-sesame', 'wrong-password')]) {
      const env = { DATABASE_URL: service.database.url, REDIS_URL: url, LOG_LEVEL: 'silent' };
      const settings = readSettings(env, () => 'x'.repeat(43));
      for (const start of [() => Api.start(settings), () => Worker.start(settings)]) {
        const refusal = await start().then(String, (error: Error) => error.message);
        expect(refusal).toMatch(/^Redis at 127\.0\.0\.1:\d+ cannot be used: (WRONGPASS|connect ECONNREFUSED)/);
        expect(refusal).not.toContain('wrong-password');
      }
    }
  });
});

describe('a server for the queue', () => {
  const NO_CONFIG = ['SETUSER', 'default', '-config'];
  const FORGETS = ['--appendonly', 'no', '--save', ''];
  it.each<[string, string[], string[] | undefined, RegExp[]]>([
    ['evicts nothing and persists', ['--maxmemory-policy', 'noeviction'], undefined, []],
    ['makes snapshots', ['--appendonly', 'no', '--save', '60 1'], undefined, []],
    [
      'would delete jobs and forget them',
      ['--maxmemory-policy', 'allkeys-lru', ...FORGETS],
      undefined,
      [
        /maxmemory-policy is allkeys-lru.*set `maxmemory-policy noeviction`/,
        /loses its data when it restarts.*set `appendonly yes`/,
      ],
    ],
    ['persists and forbids CONFIG', [], NO_CONFIG, []],
    ['would forget jobs and forbids CONFIG', FORGETS, NO_CONFIG, [/cannot be checked since CONFIG is forbidden/]],
  ])('that %s is reported as such, with what to change', async (_what, options, lock, flaws) => {
    const valkey = await ValkeyServer.start(options);
    try {
      if (lock) await valkey.command('ACL', ...lock);
      const redis = await connectRedis(valkey.url, { onError: () => undefined });
      const found = await inspectRedis(redis.client);
      redis.close();
      expect(found.server).toMatch(/^Valkey 8\./);
      const reported = found.flaws.map(({ finding, advice }) => `${finding}; ${advice}`);
      expect(reported).toEqual(flaws.map((flaw) => expect.stringMatching(flaw)));
    } finally {
      await valkey.stop();
    }
  });
});
