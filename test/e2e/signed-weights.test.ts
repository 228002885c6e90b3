/** @tier test */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { DiskObjectStorage } from '#adapters/storage';
import { fileKey, privateKey, servingHeaders } from '#files';
import { systemClock } from '#kernel';
import { someToken } from '#testing/files';
import { get, png, put, service } from '../support/upload-stage.ts';
const WEIGHTS = Buffer.alloc(3_000_000, 'weights');
const SAFETENSORS = 'application/x-safetensors';

let disk: DiskObjectStorage;
let key: string;
let url: string;
beforeAll(async () => {
  const { data, http, storage } = service.settings;
  const secret = storage.bucket === null ? storage.signingSecret : '';
  disk = new DiskObjectStorage({ root: data.files, publicUrl: http.publicUrl, secret, clock: systemClock });
  key = await stored();
  url = await sign(key);
});

/** The key of weights in the storage of the service. */
async function stored(bytes = WEIGHTS): Promise<string> {
  const made = privateKey(someToken(), 'generation-7.safetensors');
  await disk.put(made, { bytes }, servingHeaders({ contentType: SAFETENSORS, expiresAt: null }));
  return made;
}

const sign = (of: string, seconds = 60) => disk.signGet(of, new Date(Date.now() + seconds * 1000));

describe('the signed URL of weights', () => {
  it('returns them to anybody who has it, whole or in part, and to no cache', async () => {
    const { status, headers, bytes } = await get(url);
    expect([status, bytes.equals(WEIGHTS)]).toEqual([200, true]);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-type')).toBe(SAFETENSORS);
    const part = await get(url, { headers: { range: 'bytes=10-19' } });
    expect([part.status, part.bytes.length]).toEqual([206, 10]);
    const head = await get(url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(WEIGHTS.length)]);
  });

  it('is forbidden without its signature', async () => {
    const { status, bytes } = await get(url.split('?')[0]!);
    expect([status, JSON.parse(bytes.toString())]).toMatchObject([403, { status: false, code: 'forbidden' }]);
  });

  it.each(['files', 'kept', 'frozen', 'exports', 'staging'])('does not lead into the area %s', async (area) => {
    const other = key.replace(/^weights/, area);
    await disk.put(other, { bytes: png }, servingHeaders({ contentType: 'image/png', expiresAt: null }));
    expect([403, 404]).toContain((await get(await sign(other))).status);
    expect([403, 404]).toContain((await get(url.replace('/weights/', `/${area}/`))).status);
    expect([403, 404]).toContain((await get(url.replace('/weights/', `/weights/../${area}/`))).status);
  });

  it('is not found once the weights are gone', async () => {
    const gone = await stored(Buffer.from('weights'));
    const signed = await sign(gone);
    expect((await get(signed)).status).toBe(200);
    await disk.delete([gone]);
    expect((await get(signed)).status).toBe(404);
  });

  it('takes no bytes', async () => {
    expect((await put(url, 'mine')).status).toBe(404);
    expect((await get(url)).bytes.equals(WEIGHTS)).toBe(true);
  });
});

it('weights have no public URL', async () => {
  const { origin } = new URL(url);
  for (const path of [key, `files/${key}`, `storage/${key}`, fileKey(key.split('/')[1]!, key.split('/')[2]!)]) {
    expect([403, 404]).toContain((await get(`${origin}/${path}`)).status);
  }
});
