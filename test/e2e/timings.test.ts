/** @tier timings, 60 s */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { followBoard } from '../support/board-stream.ts';
import { startDemo, StartedService } from '../support/started-service.ts';
import { prepared, useService } from '../support/use-service.ts';

/** Seconds that the work takes. */
async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

describe('npm start', () => {
  it('ends within ten seconds on Ctrl-C', async () => {
    const { service, folder } = await startDemo();
    service.interrupt();
    expect(await secondsOf(() => service.ended())).toBeLessThan(10);
    await rm(folder, { recursive: true });
  });

  it('is refused within ten seconds where an engine is away', async () => {
    const DATA_DIR = await mkdtemp(join(tmpdir(), 'x12-refused-'));
    const service = new StartedService({ DATA_DIR, REDIS_URL: 'redis://127.0.0.1:1' });
    expect(await secondsOf(() => service.ended())).toBeLessThan(10);
    await rm(DATA_DIR, { recursive: true });
  });
});

describe('a service', () => {
  const service = useService();
  const user = prepared(() => service.signUp());

  it('ends the stream of a board within a second after its token is revoked', async () => {
    const { body } = await service.call('POST', '/boards', { token: user.token, form: { name: 'Summer' } });
    const stream = await followBoard(service.baseUrl, user.token, body.board.id);
    await service.database.query('delete from api_tokens where user_id = $1', [user.id]);
    expect(await secondsOf(() => stream.closed)).toBeLessThan(1);
  });

  it('stops its worker within five seconds, with work at hand', async () => {
    const { token } = await service.signUp();
    const form = { model: 'local-image', prompt: 'a lake', width: 512, height: 512 };
    expect((await service.call('POST', '/v2/generate', { token, form })).status).toBe(202);
    expect(await secondsOf(() => service.stopWorker())).toBeLessThan(5);
  });
});
