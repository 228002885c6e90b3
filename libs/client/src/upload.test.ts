import type { ServerResponse } from 'node:http';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../sources/src/testing/temporary-folder.ts';
import { baseUrl, client, error, hangUp, json, responses, seen, ticketOf } from '../../../test/support/scripted-api.ts';
import { type UploadState } from './index.ts';

describe('the client uploads', () => {
  const { save } = temporaryFolder();
  const MIB = 2 ** 20;
  const big = new Blob(['a'.repeat(8 * MIB), 'b'.repeat(8 * MIB), 'c'.repeat(MIB)]);
  const stored = { url: 'u', size: 3, content_type: 'image/png' };
  const parts = () => [1, 2, 3].map((part) => ({ part_number: part, signed_url: `${baseUrl}/storage/${part}` }));

  beforeEach(() => {
    responses['POST /v2/upload'] = [json(201, ticketOf({ parts: parts() }))];
    responses['GET /v2/finalize_upload'] = [json(200, { status: true, ...stored })];
    for (const part of [1, 2, 3]) responses[`PUT /storage/${part}`] = [json(200, {})];
  });

  it('many files that are allocated in one call', async () => {
    const tickets = ['a', 'b'].map((key) => ticketOf({ signed_url: `${baseUrl}/storage/${key}` }));
    responses['POST /v2/uploads'] = [json(201, { status: true, uploads: tickets })];
    responses['PUT /storage/a'] = [json(200, {})];
    responses['PUT /storage/b'] = [json(200, {})];
    const files = ['a.png', 'b.png'].map((name) => ({ source: new File([name], name), state: {}, personaId: 4 }));
    await client().allocateUploads(files);
    for (const { source, state } of files) await client().upload(source, { state });
    expect(JSON.parse(seen[0]!.body)).toEqual({
      files: [
        { filename: 'a.png', pid: 4 },
        { filename: 'b.png', pid: 4 },
      ],
    });
    expect(seen.map(({ method, url }) => `${method} ${url.split('?')[0]}`)).toEqual([
      'POST /v2/uploads',
      'PUT /storage/a',
      'GET /v2/finalize_upload',
      'PUT /storage/b',
      'GET /v2/finalize_upload',
    ]);
  });

  it('a large file in parts, and a failed part alone again', async () => {
    responses['PUT /storage/2'] = [json(500, {}), hangUp, json(200, {})];
    const sent: number[] = [];
    const file = await client().upload(big, { filename: 'a.mp4', onProgress: (progress) => sent.push(progress.sent) });
    expect(file).toEqual(stored);
    const puts = seen
      .filter(({ method }) => method === 'PUT')
      .map(({ url, body }) => url.slice(-1) + body[0] + body.length / MIB);
    expect(puts.sort()).toEqual(['1a8', '2b8', '2b8', '2b8', '3c1']);
    expect(JSON.parse(seen[0]!.body)).toEqual({ filename: 'a.mp4', parts: 3 });
    expect([sent[0], sent.at(-1)]).toEqual([0, big.size]);
  }, 20_000);

  it('once under one key: bytes that an earlier program has sent are not sent again', async () => {
    responses['POST /v2/upload'] = [json(201, ticketOf({ signed_url: `${baseUrl}/storage/1` }))];
    responses['GET /v2/finalize_upload'] = [error(409, 'not_uploaded'), json(200, { status: true, ...stored })];
    const upload = () => client().upload(new Blob(['a']), { filename: 'a.png', idempotencyKey: 'mine' });
    expect([await upload(), await upload()]).toEqual([stored, stored]);
    expect(seen.filter(({ method }) => method === 'PUT')).toHaveLength(1);
    const keys = seen.filter(({ method }) => method === 'POST').map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual(['mine', 'mine']);
  });

  it('only what is missing when it is continued', async () => {
    const state: UploadState = {};
    const options = { filename: 'a.mp4', state };
    const hangUpLast = (response: ServerResponse): void => {
      if (state.sent!.length === 2) response.destroy();
      else setTimeout(hangUpLast, 10, response);
    };
    responses['PUT /storage/3'] = [hangUpLast, json(200, {})];
    await expect(client({ maxRetries: 0 }).upload(big, options)).rejects.toMatchObject({ code: 'network_error' });
    const before = seen.length;
    await client().upload(big, options);
    expect(seen.slice(before).map(({ url }) => url.split('?')[0])).toEqual(['/storage/3', '/v2/finalize_upload']);
  });

  it('to a new place after the storage refused the bytes', async () => {
    const state: UploadState = {};
    responses['PUT /storage/1'] = [json(403, {})];
    await expect(client().upload(big, { filename: 'a.mp4', state })).rejects.toMatchObject({ status: 403 });
    expect(state.ticket).toBeUndefined();
  });

  it('nothing more after an abort', async () => {
    const stop = new AbortController();
    const enough = new Error('enough');
    responses['PUT /storage/1'] = [() => stop.abort(enough)];
    const uploading = client().upload(big, { filename: 'a.mp4', signal: stop.signal });
    await expect(uploading).rejects.toMatchObject({ name: 'AbortError', cause: enough });
    expect(seen.filter(({ url }) => url.startsWith('/v2/finalize_upload'))).toEqual([]);
  });

  it('a path, a stream and bytes, temporary ones by their name', async () => {
    responses['POST /v2/upload'] = [json(201, ticketOf({ signed_url: `${baseUrl}/storage/1` }))];
    await client().upload(await save('abc', 'photo.jpg'), { temporary: true, personaId: 4 });
    await client().upload(new Blob(['abc']).stream(), { filename: 'b.png' });
    await client().upload(new TextEncoder().encode('abc'), { filename: 'c.png' });
    expect(seen.filter(({ method }) => method === 'PUT').map(({ body }) => body)).toEqual(['abc', 'abc', 'abc']);
    const allocated = seen.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body));
    expect(allocated).toEqual([{ filename: 'x12tmp-photo.jpg', pid: 4 }, { filename: 'b.png' }, { filename: 'c.png' }]);
    await expect(client().upload(new Blob(['abc']))).rejects.toThrow('give a filename');
  });
});
