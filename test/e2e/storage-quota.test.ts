/** @tier test */
import { beforeAll, describe, expect } from '@jest/globals';
import { itHere } from '../support/service.ts';
import { prepared, useService } from '../support/use-service.ts';
/** Bytes that two users may store each, and bytes that fill it. */
const QUOTA = 200;

const service = useService({ STORAGE_QUOTAS: `{"free":${QUOTA}}` }, { worker: false });
const ada = prepared(() => service.signUp());
beforeAll(async () => {
  if (process.env.X12_URL) return;
  await service.database.query(
    `insert into files (workspace_id, origin, key, filename, size, content_type, created_at)
     select workspace_id, 'upload', 'files/a/a.png', 'a.png', $2, 'image/png', now() from memberships where user_id = $1`,
    [ada.id, QUOTA],
  );
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
});
