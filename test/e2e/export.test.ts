/** @tier test */
import { describe, expect, it } from '@jest/globals';
import { aPng } from '#testing/sources';
import { eventually } from '../support/eventually.ts';
import { expectRefusal } from '../support/expectations.ts';
import { mailTo } from '../support/mail-to.ts';
import { documentsIn, readZip } from '../support/read-zip.ts';
import { itHere, type TestUser } from '../support/service.ts';
import { uploaded } from '../support/uploaded.ts';
import { useService } from '../support/use-service.ts';

const service = useService();

const request = (token: string) => service.call('POST', '/v2/auth/export', { token });
const get = (token: string, path: string) => service.call('GET', `/v2/auth/exports${path}`, { token });
const download = (url: string, token: string | null, headers: Record<string, string> = {}) =>
  fetch(url, { headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) } });

/** The export, once it is ready. */
const ready = (token: string, id: number) =>
  eventually(async () => {
    const shown = (await get(token, `/${id}`)).body.export;
    return shown.state === 'ready' && shown;
  });

/** A ready export of the user. */
async function exported({ token }: TestUser) {
  const requested = await request(token);
  expect([requested.status, requested.body.export.url]).toEqual([202, null]);
  return ready(token, requested.body.export.id);
}

describe('the export of an account', () => {
  it('is a zip with documents and files, which its owner alone can download, whole or in part', async () => {
    const [user, other] = [await service.signUp(), await service.signUp()];
    const bytes = aPng();
    await uploaded(service, user, 'Ada & me.png', bytes);
    const done = await exported(user);
    const lasts = Date.parse(done.expires_at) - Date.now();
    expect(Math.abs(lasts - 86_400_000)).toBeLessThan(60_000);

    const response = await download(done.url, user.token);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    expect(response.headers.get('content-type')).toBe('application/zip');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="x12-export-[\d-]+\.zip"$/);
    const zip = Buffer.from(await response.arrayBuffer());
    expect(zip.length).toBe(done.size);
    const [file] = (await readZip(zip)).filter(({ path }) => path.startsWith('files/'));
    expect([file!.path, file!.bytes.equals(bytes)]).toEqual([expect.stringMatching(/\d-Ada & me\.png$/), true]);
    const documents = await documentsIn(zip);
    expect(documents['profile.json'][0].email).toBe(user.email);
    expect(documents['personas.json']).toEqual([expect.objectContaining({ name: 'Default' })]);
    const actions = documents['audit_log.json'].map(({ action }: { action: string }) => action);
    expect(actions).toEqual(['account.create', 'account.sign_in', 'account.export']);

    const part = await download(done.url, user.token, { range: 'bytes=0-3' });
    expect([part.status, await part.text()]).toEqual([206, 'PK\u0003\u0004']);
    expect((await download(done.url, null)).status).toBe(401);
    expect((await download(done.url, other.token)).status).toBe(404);
    expect((await get(other.token, '')).body.exports).toEqual([]);
    expect((await get(user.token, '')).body.exports).toEqual([done]);
    expect((await mailTo(service, user.email)).headers.subject).toEqual(['The export of your data is ready']);
  });

  it('is requested six times in a row, then the client has to wait', async () => {
    const { token } = await service.signUp();
    const statuses: number[] = [];
    for (let count = 0; count < 7; count++) statuses.push((await request(token)).status);
    expect(statuses).toEqual([202, 202, 202, 202, 202, 202, 429]);
  });

  itHere('says that it is under way, and later that it has expired', async () => {
    await service.stopWorker();
    const { token } = await service.signUp();
    const { id } = (await request(token)).body.export;
    expect((await request(token)).body.export.id).toBe(id);
    expectRefusal(await get(token, `/${id}/zip`), 409, 'conflict');
    await service.startWorker();
    await ready(token, id);
    await service.database.query(`update exports set expires_at = now() - interval '1 second' where id = $1`, [id]);
    expect((await get(token, `/${id}`)).body.export).toMatchObject({ state: 'expired', url: null, expires_at: null });
    expectRefusal(await get(token, `/${id}/zip`), 410, 'file_expired');
  });
});
