import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { QUEUES } from '#adapters/queue';
import { eventually } from './eventually.ts';
import { startService, type TestService, type TestUser } from './service.ts';

const TOKEN = 'operators-only-0123456789-abcdefghijk';

/** Contract of the dashboard wherever the queues are, which `env` says. */
export function dashboardSuite(
  name: string,
  env: () => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>,
): void {
  describe(name, () => {
    let service: TestService;
    let user: TestUser;

    beforeAll(async () => {
      service = await startService({ ...(await env()), ADMIN_TOKEN: TOKEN }, { worker: false });
      user = await service.signUp();
    });
    afterAll(() => service?.stop());

    const basic = (password: string, name = 'operator') =>
      `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
    const get = (path: string, authorization?: string, method = 'GET') =>
      fetch(`${service.baseUrl}${path}`, {
        method,
        redirect: 'manual',
        headers: authorization === undefined ? {} : { authorization },
      });

    it('asks a browser for the password, and opens with the token as that or as a bearer', async () => {
      const closed = await get('/admin/queues');
      expect(closed.status).toBe(401);
      expect(closed.headers.get('www-authenticate')).toMatch(/^Basic realm=/);
      expect(await closed.json()).toMatchObject({ status: false, code: 'unauthenticated' });
      for (const authorization of [basic(TOKEN), basic(TOKEN, ''), `Bearer ${TOKEN}`]) {
        const open = await get('/admin/queues', authorization);
        expect(open.status).toBe(200);
        expect(open.headers.get('content-type')).toMatch(/^text\/html/);
        expect(open.headers.get('set-cookie')).toBeNull();
        expect(open.headers.get('x-powered-by')).toBeNull();
        expect(open.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
      }
    });

    it('shows the jobs of every queue, with ids and nothing of their payloads', async () => {
      const { body } = await service.call('POST', '/v2/personas', { token: user.token, form: { name: 'Secret' } });
      await service.call('DELETE', `/v2/personas/${body.persona.id}`, { token: user.token });
      const form = { model: 'local-image', prompt: 'a confidential prompt' };
      await service.call('POST', '/v2/generate', { token: user.token, form });
      const job = await service.database.one<{ id: number }>(`select id from jobs where name = 'generation.run'`);
      type Shown = { name: string; counts: Record<string, number>; jobs: { id: string; data: object }[] };
      const shown = async () => {
        const response = await get('/admin/queues/api/queues?activeQueue=generations&page=1', basic(TOKEN));
        const text = await response.text();
        expect(text).not.toContain('confidential');
        const { queues } = JSON.parse(text) as { queues: Shown[] };
        return queues.find((each) => each.name === 'generations')?.counts.waiting ? queues : null;
      };
      const queues = await eventually(shown);
      expect(queues.map((queue) => queue.name).sort()).toEqual([...QUEUES].sort());
      const generations = queues.find((queue) => queue.name === 'generations')!;
      expect(generations.counts.waiting).toBe(1);
      expect(generations.jobs.map(({ id, data }) => ({ id, data }))).toEqual([
        { id: `job-${job!.id}-0`, data: { jobId: job!.id, delivery: 0, isNew: true } },
      ]);
      for (const path of [`queues/generations/job-${job!.id}-0`, 'redis/stats']) {
        expect((await get(`/admin/queues/api/${path}`, basic(TOKEN))).status).toBe(200);
      }
    });

    it('changes nothing, whatever it is asked', async () => {
      for (const change of ['PUT pause', 'PUT empty', 'PUT obliterate', 'POST add', 'DELETE job-1-0']) {
        const [method, path] = change.split(' ');
        expect((await get(`/admin/queues/api/queues/generations/${path}`, basic(TOKEN), method)).status).toBe(405);
      }
    });

    it('tells whether a worker takes the jobs', async () => {
      const haveWorkers = async () => {
        const response = await get('/admin/queues/api/queues', basic(TOKEN));
        const { queues } = (await response.json()) as { queues: { hasWorkers: boolean | null }[] };
        return queues.map(({ hasWorkers }) => hasWorkers);
      };
      expect(await haveWorkers()).toEqual(QUEUES.map(() => false));
      await service.startWorker();
      // In PostgreSQL it is not known who they are, which makes it `null`.
      expect(await haveWorkers()).not.toContain(false);
      await service.stopWorker();
    });

    it('opens by no other way of writing its address', async () => {
      for (const path of [
        '/admin/queues/',
        '/ADMIN/QUEUES',
        '/admin//queues',
        '//admin/queues',
        '/admin/queues/static/../api/queues',
        '/admin/queues%2fapi%2fqueues',
        '/admin/%71ueues/api/queues',
        '/admin/queues/api/queues?x=1',
      ]) {
        const { status } = await get(path);
        expect([401, 404]).toContain(status);
        expect((await get(path, `Bearer ${user.token}`)).status).not.toBe(200);
      }
    });

    // The last one: afterwards this address has to wait.
    it('makes a client that guesses wait, but never with the right token', async () => {
      const statuses: number[] = [];
      for (let attempt = 0; attempt < 12; attempt++) {
        statuses.push((await get('/admin/queues', basic(`guess ${attempt}`))).status);
      }
      expect(statuses.at(-1)).toBe(429);
      expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(10);
      const waiting = await get('/admin/queues', basic('guess'));
      expect(waiting.status).toBe(429);
      expect(Number(waiting.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await get('/admin/queues', basic(TOKEN))).status).toBe(200);
    });
  });
}
