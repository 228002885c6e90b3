import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { TestRequest } from '../support/call-api.ts';
import { expectRefusal } from '../support/expectations.ts';
import { startService, type TestService } from '../support/service.ts';

jest.setTimeout(60_000);

const collage = {
  id: 'collage',
  kind: 'image',
  provider: 'replicate',
  target: 'owner/collage',
  inputs: {
    image: 'optional',
    style: 'optional',
    references: 'optional',
    max_references: 5,
    mask: 'optional',
    control: 'optional',
  },
  mapping: {
    'input.image': '{image}',
    'input.images': ['{style}', '{references}'],
    'input.mask': '{mask}',
    'input.control': '{control}',
  },
  cost: 3,
};
const pair = {
  ...collage,
  id: 'pair',
  inputs: { references: 'required', max_references: 2 },
  mapping: { 'input.images': '{references}' },
};
const retouch = {
  ...collage,
  id: 'retouch',
  inputs: { mask: 'required', control: 'required' },
  mapping: { 'input.mask': '{mask}', 'input.control': '{control}' },
};

let folder: string;
let service: TestService;
/** With empty slots. */
let client: Awaited<ReturnType<typeof newClient>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'x12-models-'));
  const file = join(folder, 'models.json');
  await writeFile(file, JSON.stringify({ models: [collage, pair, retouch] }));
  const env = { MODELS_FILE: file, REPLICATE_API_TOKEN: 'r8_of_a_test', FETCH_ALLOWED_HOSTS: '127.0.0.1:4444' };
  service = await startService(env, { worker: false });
  client = await newClient();
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

const pictureOf = (name: number | string) => `https://pictures.example.com/${name}.jpg`;

/** A new user; the slots of the persona are filled with `pictureOf` their numbers. */
async function newClient(slots: readonly number[] = []) {
  const { token } = await service.signUp();
  const get = async (path: string) => (await service.call('GET', path, { token })).body;
  const post = (path: string, request: TestRequest) => service.call('POST', path, { token, ...request });
  const pid = (await get('/v2/personas')).personas[0].id as number;
  for (const slot of slots) {
    expect((await post(`/v2/personas/${pid}/trains`, { form: { photo: pictureOf(slot), slot } })).status).toBe(201);
  }
  const generate = (form: TestRequest['form']) => post('/v2/generate', { form });
  return { pid, get, post, generate };
}

describe('the inputs of a call', () => {
  it('are the slots of the persona, slots 2 to 6 as references, shown by a dry run and in the history', async () => {
    const { pid, get, post, generate } = await newClient([7, 6, 4, 3, 2, 1, 5]);
    const inputs = {
      image: pictureOf(7),
      style_reference: pictureOf(1),
      start_frame: null,
      references: [2, 3, 4, 5, 6].map(pictureOf),
      mask: null,
      control: null,
    };
    const call = { model: 'collage', pid };
    expect(await generate({ ...call, dry_run: 'true' })).toMatchObject({ status: 200, body: { inputs } });
    expect(await post('/v2/generate', { json: { ...call, dry_run: true } })).toMatchObject({ body: { inputs } });
    const { status, body } = await generate(call);
    expect([status, body.inputs]).toEqual([202, inputs]);
    expect((await get(`/v2/generations/${body.generation_id}`)).inputs).toEqual(inputs);
    expect((await get('/v2/generations')).generations[0].inputs).toEqual(inputs);
    const { body: few } = await generate({ model: 'pair', pid, dry_run: 'true' });
    expect(few.inputs).toEqual({ ...inputs, image: null, style_reference: null, references: [2, 3].map(pictureOf) });
  });

  it('are what the call names, in place of the slots', async () => {
    const { pid, generate } = await newClient([2, 3]);
    const given = { extra_image_2: pictureOf('b'), extra_image_5: pictureOf('e'), extra_image_6: '' };
    const { body } = await generate({
      model: 'collage',
      pid,
      ...given,
      mask_image: pictureOf('mask'),
      control_image: pictureOf('control'),
      dry_run: 'true',
    });
    expect(body.inputs).toMatchObject({
      references: [pictureOf('b'), pictureOf('e')],
      mask: pictureOf('mask'),
      control: pictureOf('control'),
    });
  });

  const both = { mask_image: pictureOf('m'), control_image: pictureOf('c') };
  it.each<[string, Record<string, string>, string]>([
    ['a mask for a model without', { model: 'local-image', mask_image: pictureOf('m') }, 'mask_image'],
    ['a control image for a model without', { model: 'local-image', control_image: pictureOf('c') }, 'control_image'],
    ['an extra image for a model without', { model: 'local-image', extra_image_6: pictureOf('e') }, 'extra_image_6'],
    [
      'more extra images than the model takes',
      { model: 'pair', extra_image_1: pictureOf(1), extra_image_3: pictureOf(3), extra_image_4: pictureOf(4) },
      'extra_image_4',
    ],
    ['no mask where it is required', { model: 'retouch', ...both, mask_image: '' }, 'mask_image'],
    ['no control image where it is required', { model: 'retouch', ...both, control_image: '' }, 'control_image'],
    ['no extra image where it is required', { model: 'pair' }, 'extra_image_1'],
    ['an extra image that is no URL', { model: 'collage', extra_image_1: 'fox.jpg' }, 'extra_image_1'],
    ['a mask with another scheme', { model: 'collage', mask_image: 'ftp://pictures.example.com/m.png' }, 'mask_image'],
    [
      'a control image with a long URL',
      { model: 'collage', control_image: pictureOf('x'.repeat(2048)) },
      'control_image',
    ],
  ])('are refused: %s', async (_, form, field) => {
    expectRefusal(await client.generate(form), 400, 'validation_failed', field);
  });

  it('are refused where the slots that the model needs are empty', async () => {
    const { pid, generate } = await newClient([1, 7]);
    expectRefusal(await generate({ model: 'pair', pid }), 409, 'slot_empty');
    expect((await generate({ model: 'pair', pid, extra_image_6: pictureOf(6) })).status).toBe(202);
  });

  it('are refused when they are files of another workspace', async () => {
    const mask_image = `${service.filesAddress}files/x/mask.png`;
    expectRefusal(await client.generate({ model: 'collage', mask_image }), 404, 'not_found');
  });
});

describe('a webhook', () => {
  it.each([
    'hooks/1',
    'ftp://example.com/',
    'http://localhost:4444/',
    'http://127.0.0.1:4445/',
    'http://2130706433/',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'https://169.254.169.254/latest',
    'https://intranet/',
    'https://db.internal./',
    `https://example.com/${'x'.repeat(2048)}`,
  ])('is refused: %s', async (webhook) => {
    expectRefusal(await client.generate({ model: 'local-image', webhook }), 400, 'validation_failed', 'webhook');
  });

  it.each(['https://example.com/hooks/1?token=a', 'http://93.184.216.34:8080/', 'http://127.0.0.1:4444/hook'])(
    'is taken: %s',
    async (webhook) => {
      expect((await client.generate({ model: 'local-image', webhook })).status).toBe(202);
    },
  );
});
