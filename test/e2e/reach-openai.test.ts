/**
 * OpenAI's image API as their own package and other clients call it: no lower layer has their requests.
 *
 * @tier test, 20 s
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import OpenAI, { toFile } from 'openai';
import sharp from 'sharp';
import { acceptance } from '../support/acceptance.ts';
import { useReach } from '../support/reach-stage.ts';
import { prepared } from '../support/use-service.ts';

const reach = useReach();
const { service, stage } = reach;
const openai = prepared(async () => {
  const options = { apiKey: stage.user.token, baseURL: `${service.baseUrl}/v1` };
  return { client: new OpenAI(options), as: (apiKey: string) => new OpenAI({ ...options, apiKey }) };
});

interface ImagesBody {
  readonly data: readonly { readonly b64_json: string; readonly url: string }[];
  readonly error: {
    readonly code: string;
    readonly type: string;
    readonly param: string;
    readonly generation_id: number;
  };
}
const SMALL = { model: 'local-image', size: '64x64' } as const;
// The type of `size` has OpenAI's own sizes alone, and theirs has no `seed`.
type Call = Parameters<OpenAI['images']['generate']>[0];
const generate = (call: object, options?: { headers: Record<string, string> }) =>
  openai.client.images.generate({ ...SMALL, ...call } as Call, options) as Promise<OpenAI.ImagesResponse>;
const bytesOf = ({ data }: OpenAI.ImagesResponse, at = 0) => Buffer.from(data![at]!.b64_json!, 'base64');
const creditsOf = ({ usage }: OpenAI.ImagesResponse) => (usage as unknown as { credits: number }).credits;

describe("OpenAI's SDK", () => {
  acceptance("OpenAI's SDK", {
    1: async () => {
      const refused = openai.as('x12_wrong').images.generate({ ...SMALL, prompt: 'a lake' } as Call);
      await expect(refused).rejects.toMatchObject({
        status: 401,
        code: 'unauthenticated',
        message: expect.stringContaining('Authorization: Bearer'),
      });
    },
    2: async () => {
      const ids: string[] = [];
      for await (const { id } of openai.client.models.list()) ids.push(id);
      expect(ids).toEqual(expect.arrayContaining(['local-image', 'vendor-image', 'gpt-image-1']));
      expect(ids).not.toContain('local-video');
    },
    3: async () => {
      const picture = bytesOf(await generate({ model: 'gpt-image-1', prompt: 'a fox' }));
      expect((await sharp(picture).metadata()).width).toBeGreaterThan(0);
    },
    8: async () => {
      const charged = await reach.charged(async () => {
        const made = await generate({ prompt: 'a lake' });
        expect(await sharp(bytesOf(made)).metadata()).toMatchObject({ format: 'webp', width: 64, height: 64 });
        expect([made.data!.length, creditsOf(made)]).toEqual([1, 4]);
      });
      expect(charged).toBe(4);
    },
    9: async () => {
      const once = { headers: { 'Idempotency-Key': 'one-lake' } };
      const charged = await reach.charged(async () => {
        const all = await Promise.all([1, 2].map(() => generate({ prompt: 'a lake once' }, once)));
        const again = await generate({ prompt: 'a lake once' }, once);
        expect(new Set([...all, again].map(({ data }) => data![0]!.b64_json)).size).toBe(1);
      });
      expect(charged).toBe(4);
    },
    10: async () => {
      const call = { model: 'vendor-image', prompt: 'a heron that is killed' };
      const script = `import OpenAI from 'openai';
        const openai = new OpenAI({ apiKey: process.env.X12_TOKEN, baseURL: process.env.X12_URL + '/v1' });
        await openai.images.generate(${JSON.stringify(call)}, { headers: { 'Idempotency-Key': 'a-heron' } });`;
      const charged = await reach.charged(async () => {
        await reach.killWhileWaiting(process.execPath, ['--input-type=module', '-e', script], call.prompt);
        const made = await generate({ ...call, size: undefined }, { headers: { 'Idempotency-Key': 'a-heron' } });
        expect(made.data).toHaveLength(1);
      });
      expect(charged).toBe(3);
    },
    11: async () => {
      const charged = await reach.charged(async () => {
        const wrong = async (call: object, param: string) =>
          expect(generate({ prompt: 'a lake', ...call })).rejects.toMatchObject({ status: 400, param });
        await wrong({ n: 11 }, 'n');
        await wrong({ n: 0 }, 'n');
        await wrong({ size: 'huge' }, 'size');
        await wrong({ response_format: 'png' }, 'response_format');
        await wrong({ model: 'nothing' }, 'model');
        await wrong({ seed: -1 }, 'seed');
      });
      expect(charged).toBe(0);
    },
    12: async () => {
      stage.vendor.plan(['moderates']);
      const charged = await reach.charged(async () => {
        const failing = generate({ model: 'vendor-image', prompt: 'a bad fox' });
        await expect(failing).rejects.toMatchObject({ status: 400, code: 'content_rejected' });
      });
      expect(charged).toBe(0);
    },
    13: async () => {
      const image = await toFile(await readFile(stage.picture), 'style.png', { type: 'image/png' });
      const made = await openai.client.images.edit({ ...SMALL, image, prompt: 'in oil' } as Parameters<
        OpenAI['images']['edit']
      >[0]);
      expect((await sharp(bytesOf(made as OpenAI.ImagesResponse)).metadata()).width).toBe(64);
    },
    16: async () => {
      const bytes = bytesOf(await generate({ prompt: 'a lake to keep' }));
      const { url } = (await generate({ prompt: 'a lake to keep', response_format: 'url' })).data![0]!;
      expect((await fetch(url!)).headers.get('content-type')).toBe('image/webp');
      const { generations } = (await reach.call('GET', '/v2/generations?limit=2')).body;
      const kept = await fetch(generations[1].outputs[0].url);
      const hash = (data: Buffer) => createHash('sha256').update(data).digest('hex');
      expect(hash(bytes)).toBe(hash(Buffer.from(await kept.arrayBuffer())));
    },
  });
});

describe('a call of /v1/images', () => {
  const headers = () => ({ authorization: `Bearer ${stage.user.token}`, 'content-type': 'application/json' });
  const send = async (path: string, body: string, more: Record<string, string> = {}) => {
    const response = await fetch(`${service.baseUrl}/v1/${path}`, {
      method: 'POST',
      headers: { ...headers(), ...more },
      body,
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as ImagesBody };
  };

  it('that asks for more pictures than a model makes at a time gets them all, charged together', async () => {
    const charged = await reach.charged(async () => {
      const made = await generate({ prompt: 'many lakes', n: 6 });
      expect([made.data!.length, creditsOf(made)]).toEqual([6, 24]);
    });
    expect(charged).toBe(24);
  });

  it('as Open WebUI sends it, gets base64', async () => {
    const recorded = { model: 'gpt-image-1', prompt: 'a fox', n: 1, size: '1024x1024', response_format: 'b64_json' };
    const { status, body } = await send('images/generations', JSON.stringify(recorded));
    expect([status, typeof body.data[0]!.b64_json]).toEqual([200, 'string']);
  });

  it('as LibreChat sends it, gets base64 first', async () => {
    const [background, output_format, quality, size] = ['auto', 'png', 'auto', 'auto'];
    const recorded = {
      model: 'gpt-image-1',
      prompt: 'a fox',
      n: 1,
      background,
      output_format,
      output_compression: 100,
    };
    const { status, body } = await send('images/generations', JSON.stringify({ ...recorded, quality, size }));
    expect([status, typeof body.data[0]!.b64_json]).toEqual([200, 'string']);
  });

  it('as n8n sends it, gets what its options ask for', async () => {
    const recorded = { prompt: 'a fox', model: 'gpt-image-1', n: 1, size: '1024x1024', quality: 'medium' };
    const { status, body } = await send('images/generations', JSON.stringify({ ...recorded, response_format: 'url' }));
    expect([status, body.data[0]!.url]).toEqual([200, expect.stringContaining(service.filesAddress)]);
  });

  const form = async (names: readonly string[], mask?: Buffer): Promise<FormData> => {
    const data = new FormData();
    const picture = new Blob([new Uint8Array(await readFile(stage.picture))], { type: 'image/png' });
    for (const name of names) data.append(name, picture, 'image.png');
    if (mask) data.append('mask', new Blob([new Uint8Array(mask)], { type: 'image/png' }), 'mask.png');
    data.append('prompt', 'in oil');
    return data;
  };
  const edit = async (data: FormData) => {
    const { authorization } = headers();
    const response = await fetch(`${service.baseUrl}/v1/images/edits`, {
      method: 'POST',
      headers: { authorization },
      body: data,
    });
    return { status: response.status, body: (await response.json()) as ImagesBody };
  };

  it('that edits takes image and image[], and refuses more pictures than the model takes', async () => {
    expect((await edit(await form(['image[]']))).status).toBe(200);
    const { status, body } = await edit(await form(['image', 'image[]']));
    expect([status, body.error.param]).toEqual([400, 'extra_image_1']);
    expect((await edit(await form([]))).body.error).toMatchObject({ param: 'image', type: 'invalid_request_error' });
  });

  it('that edits with a mask changes only what is transparent in it', async () => {
    const [width, height, channels] = [96, 64, 4] as const;
    const hole = Buffer.alloc(width * height * channels, 255);
    for (let at = 0; at < width * height; at++) if (at % width < width / 2) hole[at * channels + 3] = 0;
    const mask = await sharp(hole, { raw: { width, height, channels } }).png().toBuffer();
    const data = await form(['image'], mask);
    data.append('model', 'local-edit');
    const { status, body } = await edit(data);
    expect([status, body.error]).toEqual([200, undefined]);
    const result = sharp(Buffer.from(body.data[0]!.b64_json, 'base64')).removeAlpha().raw();
    const pixels = await result.toBuffer();
    const isKept = (x: number, y: number) => {
      const [red, green, blue] = pixels.subarray((y * width + x) * 3);
      return Math.abs(red! - 0x22) + Math.abs(green! - 0xaa) + Math.abs(blue! - 0x66) < 24;
    };
    const rows = Array.from({ length: height }, (_, y) => y);
    expect(rows.every((y) => isKept(width - 4, y))).toBe(true);
    expect(rows.every((y) => isKept(4, y))).toBe(false);
  });

  it('in a workspace with private files gets a signed address, and base64 as ever', async () => {
    const other = await service.signUp();
    const { token } = other;
    await service.call('PUT', '/v2/workspace', { token, json: { files: 'private' } });
    const by = { authorization: `Bearer ${token}` };
    const call = { model: 'local-image', prompt: 'a private fox', size: '64x64' };
    const signed = await send('images/generations', JSON.stringify({ ...call, response_format: 'url' }), by);
    const { url } = signed.body.data[0]!;
    expect([(await fetch(url)).status, (await fetch(url.split('?')[0]!)).status]).toEqual([200, 404]);
    const { data } = (await send('images/generations', JSON.stringify(call), by)).body;
    expect((await sharp(Buffer.from(data[0]!.b64_json, 'base64')).metadata()).width).toBe(64);
  });

  it('with a prompt of megabytes is refused before it is read to its end', async () => {
    const { status, body } = await send('images/generations', JSON.stringify({ prompt: 'a'.repeat(4_000_000) }));
    expect([status, body.error.code, body.error.type]).toEqual([413, 'too_large', 'invalid_request_error']);
  });

  it('with an unknown path or a scope that does not generate has an error of the same shape', async () => {
    const unknown = await send('chat/completions', '{}');
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'not_found']);
    const { token } = (await reach.call('POST', '/v2/auth/tokens', { name: 'reader', scopes: ['read'] })).body;
    const refused = await send('images/generations', '{"prompt":"a fox"}', { authorization: `Bearer ${token}` });
    expect([refused.status, refused.body.error.type]).toEqual([403, 'permission_error']);
    const uploader = (await reach.call('POST', '/v2/auth/tokens', { name: 'uploader', scopes: ['upload'] })).body.token;
    const listed = await fetch(`${service.baseUrl}/v1/models`, { headers: { authorization: `Bearer ${uploader}` } });
    expect([listed.status, ((await listed.json()) as ImagesBody).error.code]).toEqual([403, 'insufficient_scope']);
  });

  it('that hangs up is not canceled, and its key collects it', async () => {
    const key = { 'Idempotency-Key': 'hung-up' };
    const body = JSON.stringify({ model: 'vendor-image', prompt: 'a fox that waits' });
    const charged = await reach.charged(async () => {
      const gone = fetch(`${service.baseUrl}/v1/images/generations`, {
        method: 'POST',
        headers: { ...headers(), ...key },
        body,
        signal: AbortSignal.timeout(700),
      });
      await expect(gone).rejects.toThrow();
      expect((await send('images/generations', body, key)).body.data).toHaveLength(1);
    });
    expect(charged).toBe(3);
  });
});

describe('a call of /v1/images with a short wait', () => {
  const impatient = useReach({ IMAGES_WAIT_SECONDS: '1' });

  it('responds with the id of the generation, which the same key collects', async () => {
    impatient.stage.vendor.plan(['never_ends']);
    const send = async () => {
      const authorization = `Bearer ${impatient.stage.user.token}`;
      const headers = { authorization, 'content-type': 'application/json', 'Idempotency-Key': 'slow-fox' };
      const body = JSON.stringify({ model: 'vendor-image', prompt: 'a slow fox' });
      const response = await fetch(`${impatient.service.baseUrl}/v1/images/generations`, {
        method: 'POST',
        headers,
        body,
      });
      return { response, error: ((await response.json()) as ImagesBody).error };
    };
    const { response, error } = await send();
    expect([response.status, error.code]).toEqual([504, 'still_running']);
    expect(response.headers.get('x-should-retry')).toBe('false');
    await impatient.call('POST', `/v2/generations/${error.generation_id}/cancel`);
    expect((await send()).error).toMatchObject({ code: 'canceled', generation_id: error.generation_id });
  });
});
