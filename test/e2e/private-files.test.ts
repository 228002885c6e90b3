/**
 * @tier test, 10 s
 * Only over HTTP can be seen who may open a file of a private workspace by which URL.
 */
import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import type { TestResponse } from '../support/call-api.ts';
import { eventually } from '../support/eventually.ts';
import { expectRefusal } from '../support/expectations.ts';
import { teamOf } from '../support/team-of.ts';
import { newClient, service, type Client } from '../support/generation-stage.ts';
import { uploaded } from '../support/uploaded.ts';

type Json = TestResponse['body'];
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

const HOUR_MS = 3_600_000;
const png = (width = 40) =>
  sharp({ create: { width, height: 30, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();

const callerFor =
  ({ user: { token } }: Client) =>
  async (method: Method, path: string, json?: object): Promise<Json> => {
    const { status, body } = await service.call(method, path, { token, json });
    if (status >= 400) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  };

async function clientWith(files: 'public' | 'private') {
  const client = await newClient();
  const call = callerFor(client);
  await call('PUT', '/v2/workspace', { files });
  const upload = async (name = 'fox.png') => uploaded(service, client.user, name, await png(), client.pid);
  return { ...client, call, upload };
}

const statusOf = async (url: string) => {
  const response = await fetch(url);
  await response.arrayBuffer();
  return response.status;
};
const unsigned = (url: string) => url.replace(/\?.*/, '');
const withQuery = (url: string, query: Record<string, string>) => {
  const changed = new URL(url);
  for (const [name, value] of Object.entries(query)) changed.searchParams.set(name, value);
  return changed.href;
};

/** URLs of files in any value of JSON. */
function urlsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.startsWith(`${service.baseUrl}/files/`) ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(urlsIn) : [];
}

const moved = (client: Pick<Awaited<ReturnType<typeof clientWith>>, 'call'>) =>
  eventually(async () => (await client.call('GET', '/v2/workspace')).moving === null);

describe('URLs for guests', () => {
  it('are of their link, and end with it', async () => {
    const client = await clientWith('private');
    const board_id = (await client.call('POST', '/boards', { name: 'Board' })).board.id;
    await client.call('POST', `/boards/${board_id}/media`, { url: await client.upload() });
    await eventually(
      async () => (await client.call('GET', `/boards/${board_id}`)).board.media[0].state === 'processed',
    );
    const { share } = await client.call('POST', '/v2/shares', { board_id });
    const guestPath = `/v2/shared/${new URL(share.url).pathname.replace('/s/', '')}`;
    const { media } = (await service.call('GET', `${guestPath}/media`)).body;
    const urls = urlsIn(media);
    expect(urls.length).toBeGreaterThan(0);
    for (const url of urls) {
      expect([new URL(url).searchParams.get('share'), await statusOf(url)]).toEqual([String(share.id), 200]);
      expect(await statusOf(withQuery(url, { share: '999999' }))).toBe(404);
    }
    const end = new Date(Date.now() + 2 * HOUR_MS).toISOString();
    await client.call('PUT', `/v2/shares/${share.id}`, { expires_at: end });
    const capped = urlsIn((await service.call('GET', `${guestPath}/media`)).body)[0]!;
    expect(Number(new URL(capped).searchParams.get('expires')) * 1000).toBeLessThanOrEqual(Date.parse(end));
    await service.database.query('update shares set expires_at = now() where id = $1', [share.id]);
    expect(await Promise.all([...urls, capped].map(statusOf))).toEqual([...urls, capped].map(() => 404));
    await service.database.query('update shares set expires_at = null where id = $1', [share.id]);
    expect(await statusOf(urls[0]!)).toBe(200);
    await client.call('DELETE', `/v2/shares/${share.id}`);
    expect(await Promise.all(urls.map(statusOf))).toEqual(urls.map(() => 404));
  });
});

describe('signed URLs', () => {
  it('open no file of another workspace, with the signature of either', async () => {
    const [one, other] = [await clientWith('private'), await clientWith('private')];
    const [url, foreign] = [await one.upload(), await other.upload()];
    expect(await Promise.all([url, foreign].map(statusOf))).toEqual([200, 200]);
    const swapped = unsigned(url) + new URL(foreign).search;
    expect(await statusOf(swapped)).toBe(404);
    const { status } = await service.call('POST', `/v2/personas/${one.pid}/trains`, {
      token: one.user.token,
      json: { photo: foreign, slot: 1 },
    });
    expect(status).toBe(404);
  });

  it.each([
    ['with', (url: string) => url],
    ['without', unsigned],
  ])('are inputs %s their signature', async (_, as) => {
    const client = await clientWith('private');
    const url = as(await client.upload());
    const filled = await client.call('POST', `/v2/personas/${client.pid}/trains`, { photo: url, slot: 1 });
    expect(urlsIn(filled).map(unsigned)).toContain(unsigned(url));
    const board = (await client.call('POST', '/boards', { name: 'Board' })).board.id;
    await client.call('POST', `/boards/${board}/media`, { url });
    await eventually(async () => (await client.call('GET', `/boards/${board}`)).board.media[0].state === 'processed');
  });

  it('let caches of one person keep a file until they end, and no other', async () => {
    const url = await (await clientWith('private')).upload();
    const left = () => Number(new URL(url).searchParams.get('expires')) - Date.now() / 1000;
    const before = left();
    const { headers } = await fetch(url, { method: 'HEAD' });
    const [, seconds] = /^private, max-age=(\d+), immutable$/.exec(headers.get('cache-control')!)!;
    expect(Number(seconds)).toBeLessThanOrEqual(before);
    expect(Number(seconds)).toBeGreaterThanOrEqual(Math.floor(left()));
    expect([headers.get('x-robots-tag'), headers.get('referrer-policy')]).toEqual(['noindex', 'no-referrer']);
  });

  it('show pictures in the sizes of the grid, and in others only if these were signed', async () => {
    const client = await clientWith('private');
    const url = await client.upload();
    const added = (options: string) => `${url}&${options}`;
    expect(await Promise.all(['w=64&fm=webp', 'w=64&q=80', 'fm=png'].map((each) => statusOf(added(each))))).toEqual([
      200, 200, 200,
    ]);
    expect(await Promise.all(['w=65', 'h=100&fm=webp', 'q=81'].map((each) => statusOf(added(each))))).toEqual([
      404, 404, 404,
    ]);
    expect(await statusOf(`${unsigned(url)}?w=64&fm=webp`)).toBe(404);
    const [{ file_id: id }] = (await client.call('GET', '/v2/library')).items;
    const { urls } = await client.call('POST', '/v2/files/sign', { file_ids: [id], w: 100, fm: 'webp' });
    const signed = new URL(urls[0].url);
    expect([signed.searchParams.get('w'), await statusOf(signed.href)]).toEqual(['128', 200]);
    signed.searchParams.set('w', '192');
    expect(await statusOf(signed.href)).toBe(404);
    signed.searchParams.delete('w');
    expect(await statusOf(signed.href)).toBe(404);
    const asked = await client.call('POST', '/v2/files/sign', { file_ids: [id], w: 100, fm: 'webp', label: true });
    const labelled = new URL(asked.urls[0].url);
    expect([labelled.searchParams.get('label'), await statusOf(labelled.href)]).toEqual(['true', 200]);
    expect(await statusOf(labelled.href.replace('label=true', 'label=false'))).toBe(404);
    labelled.searchParams.delete('label');
    expect(await statusOf(labelled.href)).toBe(404);
    const { headers } = await fetch(added('w=64&fm=auto'), { headers: { accept: 'image/webp' } });
    const shown = ['content-type', 'vary', 'cache-control'].map((name) => headers.get(name));
    expect(shown).toEqual(['image/webp', expect.stringContaining('Accept'), expect.stringMatching(/^private, /)]);
  });

  it('of the former key open for an hour, and of older keys no longer', async () => {
    const client = await clientWith('private');
    const first = await client.upload();
    const rotate = async () => (await client.call('POST', '/v2/workspace/file_key/rotate')).file_key_rotated_at;
    expect(Date.parse(await rotate())).toBeGreaterThan(0);
    const second = (await client.call('GET', '/v2/library')).items[0].url;
    expect(await Promise.all([first, second].map(statusOf))).toEqual([200, 200]);
    await rotate();
    expect(await Promise.all([first, second].map(statusOf))).toEqual([404, 200]);
    await service.database.query(`update workspaces set file_key_rotated_at = now() - interval '1 hour'`);
    expect(await statusOf(second)).toBe(404);
  });

  it('are made on request, all or none', async () => {
    const [client, other] = [await clientWith('private'), await clientWith('public')];
    for (const each of [client, other]) await each.upload();
    const idOf = async (of: typeof client) => (await of.call('GET', '/v2/library')).items[0].file_id as number;
    const [id, foreign] = [await idOf(client), await idOf(other)];
    const sign = (by: typeof client, json: object) =>
      service.call('POST', '/v2/files/sign', { token: by.user.token, json });
    const signed = await sign(client, { file_ids: [id, id], expires_in: 60 });
    expect(signed).toMatchObject({ status: 200, body: { urls: [{ file_id: id }, { file_id: id }] } });
    const [{ url, expires_at }] = signed.body.urls;
    expect(Date.parse(expires_at) / 1000).toBe(Number(new URL(url).searchParams.get('expires')));
    expect(Date.parse(expires_at) - Date.now()).toBeLessThanOrEqual(60_000);
    // A busy machine may take longer than a minute to open it.
    expect(await statusOf((await sign(client, { file_ids: [id], expires_in: 3_600 })).body.urls[0].url)).toBe(200);
    expectRefusal(await sign(client, { file_ids: [id, foreign] }), 404, 'not_found');
    for (const expires_in of [59, 604_801]) {
      expect((await sign(client, { file_ids: [id], expires_in })).status).toBe(400);
    }
    const plain = (await sign(other, { file_ids: [foreign] })).body.urls[0];
    expect([plain.url, plain.expires_at, await statusOf(plain.url)]).toEqual([unsigned(plain.url), null, 200]);
  });
});

describe('a switch', () => {
  it('ends unsigned URLs once all files have moved, and takes them back', async () => {
    const client = await clientWith('public');
    const plain = await client.upload();
    expect([plain, await statusOf(plain)]).toEqual([unsigned(plain), 200]);
    await service.stopWorker();
    const { status, body } = await service.call('PUT', '/v2/workspace', {
      token: client.user.token,
      json: { files: 'private' },
    });
    expect([status, body]).toEqual([202, expect.objectContaining({ files: 'private', moving: { done: 0, total: 1 } })]);
    const signed = (await client.call('GET', '/v2/library')).items[0].url;
    expect([unsigned(signed), await statusOf(signed), await statusOf(plain)]).toEqual([plain, 200, 200]);
    await service.startWorker();
    await moved(client);
    expect([await statusOf(signed), await statusOf(plain)]).toEqual([200, 404]);
    await client.call('PUT', '/v2/workspace', { files: 'public' });
    expect([await statusOf(signed), await statusOf(plain)]).toEqual([200, 200]);
    await moved(client);
    expect([await statusOf(signed), await statusOf(plain)]).toEqual([200, 200]);
  });

  it('is for admins and the owner, and members see it', async () => {
    const team = await teamOf(service);
    const change = (token: string) => service.call('PUT', '/v2/workspace', { token, json: { files: 'private' } });
    const { token } = await team.member();
    expectRefusal(await change(token), 403, 'forbidden');
    expect((await change((await team.member('admin')).token)).status).toBe(200);
    const { body } = await service.call('GET', '/v2/workspace', { token });
    expect(body).toMatchObject({ files: 'private', moving: null, file_key_rotated_at: null });
  });

  it('gives another ETag of a board, so that nobody keeps URLs that end', async () => {
    const client = await clientWith('public');
    const board = (await client.call('POST', '/boards', { name: 'Board' })).board.id;
    await client.call('POST', `/boards/${board}/media`, { url: await client.upload() });
    await eventually(async () => (await client.call('GET', `/boards/${board}`)).board.media[0].state === 'processed');
    const read = (etag = '') =>
      fetch(`${service.baseUrl}/boards/${board}`, {
        headers: { authorization: `Bearer ${client.user.token}`, 'if-none-match': etag },
      });
    const etag = (await read()).headers.get('etag')!;
    expect((await read(etag)).status).toBe(304);
    await client.call('PUT', '/v2/workspace', { files: 'private' });
    const changed = await read(etag);
    expect(changed.status).toBe(200);
    for (const url of urlsIn(await changed.json())) expect(url).toContain('signature=');
    expect((await read(changed.headers.get('etag')!)).status).toBe(304);
  });
});
