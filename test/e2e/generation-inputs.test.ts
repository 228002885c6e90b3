/** @tier test */
import { beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import type { TestRequest } from '../support/call-api.ts';
import { eventually } from '../support/eventually.ts';
import { expectRefusal } from '../support/expectations.ts';
import { startFakeReplicate } from '../support/vendors/replicate.ts';
import { uploaded } from '../support/uploaded.ts';
import { prepared, untilFileEnds, useFile, usePictures, useService } from '../support/use-service.ts';
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
  mapping: { image: '{image}', images: ['{style}', '{references}'], mask: '{mask}', control: '{control}' },
  cost: 3,
};
const pair = {
  ...collage,
  id: 'pair',
  inputs: { references: 'required', max_references: 2 },
  mapping: { images: '{references}' },
};

const KEY = 'r8_of_a_test';

const pictures = usePictures();
const vendor = untilFileEnds(await startFakeReplicate({ key: KEY }));
const env = {
  MODELS_FILE: useFile('models.json', JSON.stringify({ models: [collage, pair] })),
  REPLICATE_API_TOKEN: KEY,
};
const hosts = () => ({ REPLICATE_BASE_URL: vendor.url, FETCH_ALLOWED_HOSTS: `127.0.0.1:4444,${pictures.host}` });
const service = useService(() => ({ ...env, ...hosts() }), { worker: false });
/** A client with empty slots. */
const client = prepared(() => newClient());

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
  return { token, pid, get, post, generate };
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
      pictures: [],
    };
    const call = { model: 'collage', pid };
    expect(await generate({ ...call, dry_run: 'true' })).toMatchObject({ status: 200, body: { inputs } });
    expect(await post('/v2/generate', { json: { ...call, dry_run: true } })).toMatchObject({ body: { inputs } });
    const { status, body } = await generate(call);
    expect([status, body.inputs]).toEqual([202, inputs]);
    expect((await get(`/v2/generations/${body.generation_id}`)).inputs).toEqual(inputs);
    expect((await get('/v2/generations')).generations[0].inputs).toEqual(inputs);
    await post(`/v2/generations/${body.generation_id}/cancel`, {});
    const { body: few } = await generate({ model: 'pair', pid, dry_run: 'true' });
    expect(few.inputs).toEqual({ ...inputs, image: null, style_reference: null, references: [2, 3].map(pictureOf) });
  });

  it.each<[string, Record<string, string>, string]>([
    ['a mask for a model without', { model: 'local-image', mask_image: pictureOf('m') }, 'mask_image'],
    ['an extra image that is no URL', { model: 'collage', extra_image_1: 'fox.jpg' }, 'extra_image_1'],
    ['a mask with another scheme', { model: 'collage', mask_image: 'ftp://pictures.example.com/m.png' }, 'mask_image'],
  ])('are refused: %s', async (_, form, field) => {
    expectRefusal(await client.generate(form), 400, 'validation_failed', field);
  });
});

it('a webhook must be at a public address', async () => {
  const call = { model: 'local-image', dry_run: 'true' };
  expect((await client.generate({ ...call, webhook: 'http://127.0.0.1:4444/hook' })).status).toBe(200);
  const refused = await client.generate({ ...call, webhook: 'http://127.0.0.1:4445/hook' });
  expectRefusal(refused, 400, 'validation_failed', 'webhook');
});

describe('a vendor', () => {
  const COLOURS = ['#d02020', '#20d020', '#2020d0', '#d0d020', '#20d0d0', '#d020d0', '#808080'];
  beforeAll(() => service.startWorker());

  type Client = Awaited<ReturnType<typeof newClient>>;

  async function fill({ token, post, pid }: Client, slot: number): Promise<void> {
    const create = { width: 40, height: 30, channels: 3 as const, background: COLOURS[slot - 1]! };
    const bytes = await sharp({ create }).png().toBuffer();
    const photo = await uploaded(service, { token }, `slot-${slot}.png`, bytes, pid);
    const { status } = await post(`/v2/personas/${pid}/trains`, { form: { photo, slot } });
    expect(status).toBe(201);
  }

  /** The fields that the vendor got, once the generation has succeeded. */
  async function submitted({ generate, get }: Client, form: TestRequest['form']) {
    const { status, body } = await generate(form);
    expect(status).toBe(202);
    await eventually(async () => {
      const { state, error } = await get(`/v2/generations/${body.generation_id}`);
      expect(error).toBeNull();
      return state === 'succeeded';
    });
    return vendor.submissions.at(-1)!.fields;
  }

  async function colourOf(dataUri: unknown): Promise<string> {
    const [, base64] = /^data:image\/png;base64,(.+)$/.exec(String(dataUri))!;
    const { data } = await sharp(Buffer.from(base64!, 'base64')).raw().toBuffer({ resolveWithObject: true });
    return `#${data.subarray(0, 3).toString('hex')}`;
  }

  it('gets all seven slots of a persona, slots 2 to 6 in order', async () => {
    const owner = await newClient();
    for (const slot of [6, 7, 1, 3, 5, 2, 4]) await fill(owner, slot);
    const fields = await submitted(owner, { model: 'collage', pid: owner.pid });
    expect(Object.keys(fields).sort()).toEqual(['image', 'images']);
    expect(await colourOf(fields.image)).toBe(COLOURS[6]);
    expect(await Promise.all((fields.images as unknown[]).map(colourOf))).toEqual(COLOURS.slice(0, 6));
  });

  it('gets the pictures that a call names as data, never their URLs', async () => {
    const url = (name: string) => pictures.url(`of-the-caller/${name}.png`);
    const form = {
      model: 'collage',
      image: url('image'),
      style_transfer: url('style'),
      extra_image_1: url('extra'),
      mask_image: url('mask'),
      control_image: url('control'),
    };
    const fields = await submitted(client, form);
    const { image, images, mask, control } = fields;
    for (const each of [image, ...(images as unknown[]), control]) expect(await colourOf(each)).toBe('#cc5533');
    expect(await colourOf(mask)).toBe('#ffffff');
    expect(images).toHaveLength(2);
    expect(JSON.stringify(vendor.submissions)).not.toContain('of-the-caller');
  });
});
