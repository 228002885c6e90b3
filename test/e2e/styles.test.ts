/** @tier test, 20 s */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { expectRefusal } from '../support/expectations.ts';
import { allEvents, ended, fill, newClient, photo, service, type Client } from '../support/generation-stage.ts';
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

  it('is listed with all others of its persona, or in pages', async () => {
    const list = async (query: string) => (await send(client, 'GET', `/styles${query}`)).body;
    expect(await list('')).toMatchObject({ styles: [{ id: style.id }], next_cursor: null });
    const cursor = Buffer.from(`after:${style.id}`).toString('base64url');
    expect(await list(`?limit=1&cursor=${cursor}`)).toMatchObject({ styles: [], next_cursor: null });
    expectRefusal(await send(client, 'GET', '/styles?limit=0'), 400, 'validation_failed', 'limit');
  });

  it('is looked for in its persona before the fields, as is a training', async () => {
    const { slots } = (await send(client, 'GET', '')).body.persona;
    const { token } = client.user;
    const { persona } = (await service.call('POST', '/v2/personas', { token, json: { name: 'Bea' } })).body;
    for (const path of [`/styles/${style.id}`, `/trainings/${slots[0].training_id}`]) {
      const json = { name: 7, slot: 99 };
      expect((await send(client, 'PUT', path, json)).status).toBe(400);
      const elsewhere = await service.call('PUT', `/v2/personas/${persona.id}${path}`, { token, json });
      expectRefusal(elsewhere, 404, 'not_found');
    }
  });

  it('can be renamed, put aside, chosen again and deleted', async () => {
    expect((await send(client, 'PUT', `/styles/${style.id}`, { name: 'Oils' })).body.style.name).toBe('Oils');
    const choose = (style_id: number | null) => send(client, 'PUT', '/active_style', { style_id });
    expect((await choose(null)).body.persona.active_style).toBeNull();
    expect((await choose(style.id)).body.persona.active_style).toEqual({ id: style.id, name: 'Oils' });
    expect((await send(client, 'DELETE', `/styles/${style.id}`)).status).toBe(200);
    expectRefusal(await send(client, 'GET', `/styles/${style.id}`), 404, 'not_found');
    expect((await send(client, 'GET', '')).body.persona.active_style).toBeNull();
  });
});

describe('the request to train a style', () => {
  let artist: Client;
  beforeAll(async () => {
    artist = await newArtist();
  });

  it('is refused where the persona has too few pictures, which says how many it needs', async () => {
    const client = await newClient();
    const refused = await train(client);
    expectRefusal(refused, 409, 'slot_empty');
    expect(refused.body.message).toMatch(/at least 3 pictures/);
  });

  it.each<[string, object, string]>([
    ['an unknown model', { model: 'nope' }, 'model'],
    ['pictures of nobody', { pictures: [987_654_321] }, 'pictures'],
    ['no list of pictures', { pictures: 'all' }, 'pictures'],
    ['an empty list of pictures', { pictures: [] }, 'pictures'],
    ['a webhook that is no URL', { webhook: 'hook' }, 'webhook'],
    ['a name of two lines', { name: 'a\nb' }, 'name'],
  ])('is refused with %s', async (_, json, field) => {
    const { status, body } = await train(artist, json);
    expect([status, body.code, Object.keys(body.errors)]).toEqual([400, 'validation_failed', [field]]);
  });

  it('computes pictures and cost only, with dry_run', async () => {
    const { status, body } = await train(artist, { dry_run: true });
    expect([status, body.dry_run, body.pictures.length]).toEqual([200, true, 3]);
    expect((await send(artist, 'GET', '/styles')).body.styles).toEqual([]);
  });

  it('refuses a model of the kind style for generations', async () => {
    const client = await newArtist();
    const { status, body } = await client.generate({ model: 'local-style', pid: client.pid });
    expect([status, Object.keys(body.errors)]).toEqual([400, ['model']]);
  });
});
