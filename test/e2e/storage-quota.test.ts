import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { startPictureServer, type PictureServer } from '../support/media-server.ts';
import { itHere, startService, type TestService, type TestUser } from '../support/service.ts';
/** Bytes that two users may store each, and bytes that fill it. */
const QUOTA = 200;

let server: PictureServer;
let service: TestService;
let ada: TestUser;
beforeAll(async () => {
  if (process.env.X12_URL) return;
  server = await startPictureServer();
  service = await startService({ FETCH_ALLOWED_HOSTS: server.host, STORAGE_QUOTAS: `{"free":${QUOTA}}` });
  ada = await service.signUp();
  await service.database.query(
    `insert into files (workspace_id, origin, key, filename, size, content_type, created_at)
     select workspace_id, 'upload', 'files/a/a.png', 'a.png', $2, 'image/png', now() from memberships where user_id = $1`,
    [ada.id, QUOTA],
  );
});
afterAll(async () => {
  await service?.stop();
  await server?.stop();
});

const call = (method: string, path: string, form?: Record<string, string>) =>
  service.call(method, path, { token: ada.token, form });

describe('a workspace whose storage is full', () => {
  itHere('sees how full it is', async () => {
    const { body } = await call('GET', '/v2/credits');
    expect(body.storage).toEqual({ used: QUOTA, quota: QUOTA });
    const { body: other } = await service.call('GET', '/v2/credits', { token: (await service.signUp()).token });
    expect(other.storage).toEqual({ used: 0, quota: QUOTA });
  });

  itHere('gets 402 for uploads, and for generations, which cost nothing then', async () => {
    for (const [path, form] of [
      ['/v2/upload', { filename: 'b.png' }],
      ['/v2/generate', { model: 'local-image', prompt: 'a fox', width: '64' }],
    ] as const) {
      const { status, body } = await call('POST', path, form);
      expect([status, body.code]).toEqual([402, 'quota_exceeded']);
      expect(body).not.toHaveProperty('insert_coin');
    }
    expect((await call('GET', '/v2/credits')).body.credits.used).toBe(0);
  });

  itHere('imports nothing: media and trainings end with that reason', async () => {
    const { body } = await call('POST', '/boards', { name: 'Board' });
    const board = `/boards/${body.board.id}`;
    await call('POST', `${board}/media`, { url: server.url('a.png') });
    const [persona] = (await call('GET', '/v2/personas')).body.personas;
    const trainings = `/v2/personas/${persona.id}/trainings`;
    await call('POST', trainings, { image: server.url('b.png') });
    const ended = async () => {
      const [media] = (await call('GET', `${board}/media`)).body.media;
      const [training] = (await call('GET', trainings)).body.trainings;
      return media.state !== 'created' && training.state !== 'created' && [media, training];
    };
    const expected = { state: 'failed', error: 'quota_exceeded' };
    expect(await eventually(ended)).toMatchObject([expected, expected]);
  });
});
