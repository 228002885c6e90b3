import { beforeAll, describe, expect, it } from '@jest/globals';
import { objectStorage } from '#wiring';
import { storedKeys } from '#testing/files';
import { eventually } from '../support/eventually.ts';
import { expectRefusal } from '../support/expectations.ts';
import {
  allEvents,
  ended,
  fill,
  newClient,
  outsider,
  photo,
  service,
  upload,
  type Client,
} from '../support/generation-stage.ts';
import { itHere } from '../support/service.ts';
const COLOURS = ['#f6b26b', '#cc4125', '#783f04'];

/** A client whose persona has pictures in the slots 1 to 3. */
async function newArtist(): Promise<Client> {
  const client = await newClient();
  for (const [index, colour] of COLOURS.entries()) await fill(client, index + 1, await photo(300, 200, colour));
  return client;
}

const send = (client: Client, method: string, path: string, json: object | null = null) =>
  service.call(method, `/v2/personas/${client.pid}${path}`, { token: client.user.token, ...(json && { json }) });

const train = (client: Client, json: object = {}) => send(client, 'POST', '/styles', { model: 'local-style', ...json });

describe('a trained style', () => {
  let client: Client;
  let style: { id: number; generation_id: number };
  beforeAll(async () => {
    client = await newArtist();
    const before = await client.used();
    const { status, body } = await train(client, { name: 'Warm oils' });
    expect(status).toBe(202);
    expect(body).toMatchObject({
      generation_id: body.style.generation_id,
      processing_url: `gen_${body.generation_id}`,
    });
    expect(body.style).toMatchObject({ name: 'Warm oils', model: 'local-style', family: 'local', is_active: false });
    expect(body.style.pictures).toHaveLength(3);
    style = body.style;
    expect((await allEvents(client, style.generation_id)).at(-1)).toMatchObject({ event: 'done' });
    expect(await client.used()).toBe(before + body.cost);
  });

  it('is ready and active, and its generation has no outputs but names it', async () => {
    const { body } = await send(client, 'GET', `/styles/${style.id}`);
    expect(body.style).toMatchObject({ state: 'ready', is_active: true, is_outdated: false, error: null });
    expect((await send(client, 'GET', '')).body.persona.active_style).toEqual({ id: style.id, name: 'Warm oils' });
    expect((await client.get(`/v2/generations/${style.generation_id}`)).body).toMatchObject({
      state: 'succeeded',
      kind: 'style',
      outputs: [],
      style: { id: style.id, name: 'Warm oils' },
    });
    const results = await client.post('/v2/results', { processing_url: `gen_${style.generation_id}` });
    expect(results.body).toMatchObject({ processing: false, progress: { state: 'succeeded', percent: 100 } });
  });

  it('is used by generations with the persona, and named in the dry run, the response and the history', async () => {
    const call = { model: 'local-image', pid: client.pid, prompt: 'a house', width: 128, height: 128 };
    const named = { id: style.id, name: 'Warm oils' };
    expect((await client.generate({ ...call, dry_run: 'true' })).body.style).toEqual(named);
    expect((await client.generate({ ...call, style_id: 'none', dry_run: 'true' })).body.style).toBeNull();
    expect((await client.generate({ ...call, style_transfer: 'none', dry_run: 'true' })).body.style).toBeNull();
    const { body } = await client.generate({ ...call, style_id: String(style.id) });
    expect(body.style).toEqual(named);
    expect(await ended(client, body.generation_id)).toMatchObject({ state: 'succeeded', style: named });
  });

  it('can be renamed, put aside and chosen again', async () => {
    expect((await send(client, 'PUT', `/styles/${style.id}`, { name: 'Oils' })).body.style.name).toBe('Oils');
    const choose = (style_id: number | null) => send(client, 'PUT', '/active_style', { style_id });
    expect((await choose(null)).body.persona.active_style).toBeNull();
    expect((await choose(style.id)).body.persona.active_style).toEqual({ id: style.id, name: 'Oils' });
    await send(client, 'PUT', `/styles/${style.id}`, { name: 'Warm oils' });
  });

  it('is listed with all others of its persona, or in pages', async () => {
    const list = async (query: string) => (await send(client, 'GET', `/styles${query}`)).body;
    expect(await list('')).toMatchObject({ styles: [{ id: style.id }], next_cursor: null });
    const cursor = Buffer.from(`after:${style.id}`).toString('base64url');
    expect(await list(`?limit=1&cursor=${cursor}`)).toMatchObject({ styles: [], next_cursor: null });
    expectRefusal(await send(client, 'GET', '/styles?limit=0'), 400, 'validation_failed', 'limit');
  });

  it('is shown to nobody else', async () => {
    const { token } = outsider;
    for (const path of ['/styles', `/styles/${style.id}`]) {
      expectRefusal(await service.call('GET', `/v2/personas/${client.pid}${path}`, { token }), 404, 'not_found');
    }
    const other = await newClient();
    for (const [method, path, json] of [
      ['GET', `/styles/${style.id}`, null],
      ['PUT', `/styles/${style.id}`, { name: 'Mine' }],
      ['DELETE', `/styles/${style.id}`, null],
      ['PUT', '/active_style', { style_id: style.id }],
    ] as const) {
      expectRefusal(await send(other, method, path, json), 404, 'not_found');
    }
    const call = { model: 'local-image', pid: other.pid, style_id: style.id };
    expectRefusal(await other.generate(call), 404, 'not_found');
  });

  it('is looked for in its persona before the fields, as is a training', async () => {
    const other = await newClient();
    const { slots } = (await send(client, 'GET', '')).body.persona;
    for (const path of [`/styles/${style.id}`, `/trainings/${slots[0].training_id}`]) {
      expect((await send(client, 'PUT', path, { name: 7, slot: 99 })).status).toBe(400);
      expectRefusal(await send(other, 'PUT', path, { name: 7, slot: 99 }), 404, 'not_found');
    }
    const { body } = await service.call('POST', '/v2/personas', { token: client.user.token, json: { name: 'Bea' } });
    for (const path of [`/styles/${style.id}`, `/trainings/${slots[0].training_id}`]) {
      const call = { token: client.user.token, json: { name: 7, slot: 99 } };
      const response = await service.call('PUT', `/v2/personas/${body.persona.id}${path}`, call);
      expectRefusal(response, 404, 'not_found');
    }
  });

  it('is deleted with the persona showing none', async () => {
    const artist = await newArtist();
    const { body } = await train(artist);
    await allEvents(artist, body.generation_id);
    expect((await send(artist, 'DELETE', `/styles/${body.style.id}`)).status).toBe(200);
    expectRefusal(await send(artist, 'GET', `/styles/${body.style.id}`), 404, 'not_found');
    expect((await send(artist, 'GET', '')).body.persona.active_style).toBeNull();
    expect((await send(artist, 'GET', '/styles')).body.styles).toEqual([]);
  });
});

describe('a style of a persona that is deleted', () => {
  const trash = (client: Client, method: string, path: string) =>
    service.call(method, `/v2/trash${path}`, { token: client.user.token });
  const statusOf = async (url: string) => (await fetch(url)).status;
  const keys = () => storedKeys(service.api.app.get(objectStorage, { strict: false }));
  /** Whatever area the bytes were moved to. */
  const storedUnder = async (tokens: readonly string[]) =>
    (await keys()).filter((key) => tokens.some((token) => key.includes(token)));

  /** Deletes the persona; returns the id of the entry in the trash. */
  async function deletePersona(client: Client): Promise<number> {
    expect((await send(client, 'DELETE', '')).status).toBe(200);
    return (await trash(client, 'GET', '')).body.trash[0].id;
  }

  itHere(
    'is gone with weights and pictures after the purge, also with a picture that no slot has any more',
    async () => {
      const client = await newArtist();
      const temporary = await upload(
        { get: client.get, post: client.post },
        'x12tmp-a.jpg',
        await photo(300, 200, '#fff'),
      );
      await client.post(`/v2/personas/${client.pid}/trains`, { photo: temporary, slot: 2 });
      const slots = async () => (await send(client, 'GET', '')).body.persona.slots;
      await eventually(async () => (await slots())[1].state === 'processed');
      const { body } = await train(client);
      await allEvents(client, body.generation_id);
      await fill(client, 2, await photo(300, 200, '#000'));
      const [, { url: picture }] = (await send(client, 'GET', `/styles/${body.style.id}`)).body.style.pictures;
      const rows = await service.database.query<{ key: string }>(
        `select key from files where id in (select file_id from styles where persona_id = $1) or key = $2`,
        [client.pid, new URL(picture).pathname.slice(1)],
      );
      const tokens = rows.map(({ key }) => key.split('/')[1]!);
      expect(tokens).toHaveLength(2);

      const entryId = await deletePersona(client);
      await eventually(async () => (await storedUnder(tokens)).every((key) => key.startsWith('kept/')));
      expect(await statusOf(picture)).toBe(404);
      expect((await trash(client, 'POST', `/${entryId}/restore`)).status).toBe(200);
      await eventually(async () => (await statusOf(picture)) === 200);
      const purged = await deletePersona(client);
      expect((await trash(client, 'DELETE', `/${purged}`)).status).toBe(200);
      await eventually(async () => (await storedUnder(tokens)).length === 0);
      const left = () => service.database.query('select id from trash where item_id = $1', [client.pid]);
      await eventually(async () => (await left()).length === 0);
      expect(await statusOf(picture)).toBe(404);
    },
  );
});

describe('the request to train a style', () => {
  it('is refused where the persona has too few pictures, which says how many it needs', async () => {
    const client = await newClient();
    const refused = await train(client);
    expectRefusal(refused, 409, 'slot_empty');
    expect(refused.body.message).toMatch(/at least 3 pictures/);
  });

  it.each<[string, object, string]>([
    ['a model that makes files', { model: 'local-image' }, 'model'],
    ['an unknown model', { model: 'nope' }, 'model'],
    ['pictures of nobody', { pictures: [987_654_321] }, 'pictures'],
    ['no list of pictures', { pictures: 'all' }, 'pictures'],
    ['an empty list of pictures', { pictures: [] }, 'pictures'],
    ['a webhook that must not be called', { webhook: 'https://10.0.0.1/hook' }, 'webhook'],
    ['a webhook that is no URL', { webhook: 'hook' }, 'webhook'],
    ['a name of two lines', { name: 'a\nb' }, 'name'],
    ['a name that is too long', { name: 'a'.repeat(101) }, 'name'],
  ])('is refused with %s', async (_, json, field) => {
    const client = await newArtist();
    const { status, body } = await train(client, json);
    expect([status, body.code, Object.keys(body.errors)]).toEqual([400, 'validation_failed', [field]]);
  });

  it('computes pictures and cost only, with dry_run', async () => {
    const client = await newArtist();
    const { status, body } = await train(client, { dry_run: true });
    expect([status, body.dry_run, body.pictures.length]).toEqual([200, true, 3]);
    expect((await send(client, 'GET', '/styles')).body.styles).toEqual([]);
    expect(await client.used()).toBe(0);
  });

  it('needs a token that may generate, as it spends credits', async () => {
    const client = await newArtist();
    const json = { name: 'keeper', scopes: ['personas'] };
    const { token } = (await service.call('POST', '/v2/auth/tokens', { token: client.user.token, json })).body;
    const call = { token, json: { model: 'local-style' } };
    const { status, body } = await service.call('POST', `/v2/personas/${client.pid}/styles`, call);
    expect([status, body.code, body.scope]).toEqual([403, 'insufficient_scope', 'generate']);
  });

  it('refuses a model of the kind style for generations', async () => {
    const client = await newArtist();
    const { status, body } = await client.generate({ model: 'local-style', pid: client.pid });
    expect([status, Object.keys(body.errors)]).toEqual([400, ['model']]);
  });
});
