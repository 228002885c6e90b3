import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { itHere, startService, type TestService, type TestUser } from '../support/service.ts';
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

let service: TestService;
let ada: TestUser;
beforeAll(async () => {
  if (process.env.X12_URL) return;
  // Without a worker, the bytes of deleted files stay.
  service = await startService({}, { worker: false });
  ada = await service.signUp();
});
afterAll(() => service?.stop());

const call = (method: string, path: string, form?: Record<string, string>) =>
  service.call(method, path, { token: ada.token, form });

async function uploadTo(pid: string): Promise<string> {
  const { body } = await call('POST', '/v2/upload', { filename: 'a.png', pid });
  await fetch(body.signed_url, { method: 'PUT', body: new Uint8Array(PIXEL) });
  expect((await call('GET', `/v2/finalize_upload?url=${encodeURIComponent(body.final_url)}`)).status).toBe(200);
  return body.final_url;
}

describe('the files of a persona', () => {
  itHere('are gone with the response to its deletion, except files that are used elsewhere', async () => {
    const { body } = await call('POST', '/v2/personas', { name: 'Ada' });
    const pid = String(body.persona.id);
    const [lost, shown] = [await uploadTo(pid), await uploadTo(pid)];
    const { body: created } = await call('POST', '/boards', { name: 'Board' });
    await call('POST', `/boards/${created.board.id}/media`, { url: shown });
    // A file that a media names is its own once the worker has prepared it.
    await service.database.query(
      `insert into media_files (media_id, file_id)
       select m.id, f.id from media m, files f where f.key = $1 on conflict do nothing`,
      [new URL(shown).pathname.slice(1)],
    );
    for (const url of [lost, shown]) expect((await fetch(url)).status).toBe(200);
    expect((await call('DELETE', `/v2/personas/${pid}`)).status).toBe(200);
    expect((await fetch(lost)).status).toBe(404);
    expect((await fetch(lost, { method: 'HEAD' })).status).toBe(404);
    expect((await fetch(shown)).status).toBe(200);
  });
});
