/** @tier test */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestRequest } from '../support/call-api.ts';
import { eventually } from '../support/eventually.ts';
import { expectRefusal, isGone } from '../support/expectations.ts';
import { startPictureServer, type PictureServer } from '../support/media-server.ts';
import { itHere, startService, type TestService, type TestUser } from '../support/service.ts';
import { newMember, newTeam, teamStoresOn, withToken } from '../support/team-store.ts';
let pictures: PictureServer;
let service: TestService;
let ada: TestUser;
let outsider: TestUser;
beforeAll(async () => {
  pictures = await startPictureServer();
  service = await startService({ FETCH_ALLOWED_HOSTS: pictures.host });
  [ada, outsider] = [await service.signUp(), await service.signUp()];
});
afterAll(async () => {
  await service.stop();
  await pictures.stop();
});

type Fields = NonNullable<TestRequest['form']>;

/** Calls the endpoints of personas, at paths below `/v2/personas`. */
const as = ({ token }: Pick<TestUser, 'token'>, { call }: Pick<TestService, 'call'> = service) => ({
  get: (path: string) => call('GET', `/v2/personas${path}`, { token }),
  post: (path: string, form: Fields = {}) => call('POST', `/v2/personas${path}`, { token, form }),
  put: (path: string, form: Fields = {}) => call('PUT', `/v2/personas${path}`, { token, form }),
  delete: (path: string) => call('DELETE', `/v2/personas${path}`, { token }),
});

/** The path of a new persona. */
async function newPersona(user: Pick<TestUser, 'token'> = ada, fields: Fields = { name: 'Ada' }): Promise<string> {
  const { status, body } = await as(user).post('', fields);
  expect(status).toBe(201);
  return `/${body.persona.id}`;
}

const personaAt = async (path: string) => (await as(ada).get(path)).body.persona;

/** A training of the persona at `path` once its picture is processed, or failed. */
const settled = (path: string, { body: { training_id } }: { body: { training_id: number } }) =>
  eventually(async () => {
    const { body } = await as(ada).get(`${path}/trainings/${training_id}`);
    return body.training.state !== 'created' && body.training;
  });

/** Uploads the picture as a file of Ada, and returns its public URL. */
async function upload(filename: string): Promise<string> {
  const { token } = ada;
  const allocated = (await service.call('POST', '/v2/upload', { token, form: { filename } })).body;
  const put = await fetch(allocated.signed_url, { method: 'PUT', body: new Uint8Array(pictures.png) });
  expect(put.status).toBe(200);
  const finalize = `/v2/finalize_upload?url=${encodeURIComponent(allocated.final_url)}`;
  expect((await service.call('GET', finalize, { token })).status).toBe(200);
  return allocated.final_url;
}

const emptySlots = ['master', 'style', 'style', 'style', 'style', 'style', 'main'].map((purpose, index) => ({
  slot: index + 1,
  purpose,
  training_id: null,
  photo: null,
  state: null,
  error: null,
}));
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
const empty = { id: expect.any(Number), slots_filled: 0, likes_count: 0, trainings_count: 0 };
const made = { created_by: expect.any(Number), created_at: time, updated_at: time };

describe('a persona', () => {
  it('named Default exists for each new account; personas are listed newest first, in pages', async () => {
    const user = await service.signUp();
    const { status, body } = await as(user).get('');
    expect(status).toBe(200);
    const persona = {
      ...empty,
      ...made,
      created_by: user.id,
      name: 'Default',
      title: null,
      knows: null,
      profession: null,
    };
    expect(body).toEqual({ status: true, personas: [persona], next_cursor: null });

    const paths = [await newPersona(user), await newPersona(user)];
    const first = (await as(user).get('?limit=2')).body;
    expect(first.personas.map(({ id }: { id: number }) => `/${id}`)).toEqual(paths.reverse());
    const second = (await as(user).get(`?limit=2&cursor=${first.next_cursor}`)).body;
    expect(second).toEqual(body);
  });

  it('is created with seven empty slots', async () => {
    const fields = { name: 'Ada', title: 'Countess', knows: 'engines', profession: 'mathematician' };
    const { status, body } = await as(ada).post('', fields);
    expect(status).toBe(201);
    const nothing = {
      slots: emptySlots,
      active_style: null,
      trainings: [],
      generations: [],
      generations_count: 0,
      conversations: [],
    };
    expect(body).toEqual({ status: true, persona: { ...empty, ...made, ...fields, ...nothing } });
    expect((await as(ada).get(`/${body.persona.id}`)).body).toEqual(body);
    expect((await as(ada).post('')).body.persona.name).toBe('Untitled');
  });

  it('shows its trainings, its newest generations, and when one of them last changed', async () => {
    const path = await newPersona();
    for (const image of ['one.png', 'two.png']) {
      await settled(path, await as(ada).post(`${path}/trainings`, { image: pictures.url(image) }));
    }
    const call = { token: ada.token, form: { model: 'local-image', pid: path.slice(1), width: 64 } };
    const ids: number[] = [];
    for (let count = 0; count < 2; count++) {
      ids.unshift((await service.call('POST', '/v2/generate', call)).body.generation_id);
    }
    await eventually(async () => {
      const { generations } = await personaAt(path);
      return generations.every((each: { state: string }) => each.state === 'succeeded');
    });

    const persona = await personaAt(path);
    const { trainings } = (await as(ada).get(`${path}/trainings`)).body;
    expect(trainings).toHaveLength(2);
    expect(persona).toMatchObject({ trainings, trainings_count: 2, generations_count: 2, conversations: [] });
    const { generations } = (await service.call('GET', '/v2/generations?limit=2', { token: ada.token })).body;
    expect(generations.map(({ id }: { id: number }) => id)).toEqual(ids);
    expect(persona.generations).toEqual(generations);
    expect(persona.updated_at > trainings[0].created_at).toBe(true);
    const listed = (await as(ada).get('')).body.personas[0];
    expect(listed).toMatchObject({ id: persona.id, updated_at: persona.updated_at });
  });

  it('changes only the given fields; null empties a field', async () => {
    const path = await newPersona(ada, { name: 'Ada', title: 'Countess', knows: 'engines' });
    const renamed = await as(ada).put(path, { name: 'Ada King' });
    expect(renamed.status).toBe(200);
    expect(renamed.body.persona).toMatchObject({ name: 'Ada King', title: 'Countess', knows: 'engines' });
    for (const fields of [{ title: '', knows: 'null' }, {}]) {
      const { persona } = (await as(ada).put(path, fields)).body;
      expect(persona).toMatchObject({ name: 'Ada King', title: null, knows: null });
    }
  });

  it('is deleted with its pictures by its creator', async () => {
    const path = await newPersona();
    const photo = await upload('kept.png');
    const like = await as(ada).post(`${path}/trainings`, { image: pictures.url('gone.png') });
    const { image: copy } = await settled(path, like);
    await as(ada).post(`${path}/trains`, { photo, slot: 1 });

    expect((await as(ada).delete(path)).body).toEqual({ status: true });
    expectRefusal(await as(ada).get(path), 404, 'not_found');
    expectRefusal(await as(ada).get(`${path}/trainings`), 404, 'not_found');
    expectRefusal(await as(ada).delete(path), 404, 'not_found');
    await eventually(() => isGone(copy));
    expect((await fetch(photo)).status).toBe(200);
  });

  it('of a team can be deleted by its creator and the owner, not by other members', async () => {
    const stores = teamStoresOn(service.database.database);
    const team = await newTeam(stores);
    const joined = async () => withToken(stores, await newMember(stores, team));
    const [owner, maker, member] = [await withToken(stores, team.owner), await joined(), await joined()];
    for (const remover of [maker, owner]) {
      const path = await newPersona(maker);
      expectRefusal(await as(member).delete(path), 403, 'forbidden');
      expect((await as(remover).delete(path)).status).toBe(200);
    }
  });

  itHere('shows its stored pictures under another PUBLIC_URL once that is set', async () => {
    const path = await newPersona();
    const photo = await upload('mine.png');
    const { body } = await as(ada).post(`${path}/trains`, { photo, slot: 7 });
    expect(body).toMatchObject({ photo, state: 'processed' });
    const moved = await service.withFilesAt('https://moved.example');
    const { get, put, post } = as(ada, moved);
    const movedPhoto = photo.replace(/^.*\/files\//, 'https://moved.example/files/');
    try {
      const { persona } = (await get(path)).body;
      expect(persona.slots[6].photo).toBe(movedPhoto);
      expect((await put(path, { title: 'moved' })).body.persona.slots).toEqual(persona.slots);
      const training = `${path}/trainings/${body.training_id}`;
      const shown = [(await get(training)).body.training, (await put(training, { info: 'moved' })).body.training];
      shown.push(...(await get(`${path}/trainings`)).body.trainings);
      expect(shown.map(({ image }) => image)).toEqual(shown.map(() => movedPhoto));
      for (const image of [photo, movedPhoto]) {
        const saved = (await post(`${path}/trainings`, { image, slot: 1 })).body;
        expect(saved).toMatchObject({ photo: movedPhoto, state: 'processed' });
      }
    } finally {
      await moved.stop();
    }
  });
});

describe('a slot', () => {
  it('shows the given URL, then the stored copy, which is deleted when the slot is replaced or emptied', async () => {
    const path = await newPersona();
    const photo = pictures.url('ada.png');
    const { status, body } = await as(ada).post(`${path}/trains`, { photo, slot: 1 });
    expect(status).toBe(201);
    const saved = { training_id: expect.any(Number), persona_id: Number(path.slice(1)), slot: 1, photo };
    expect(body).toEqual({ status: true, ...saved, state: 'created', replaced: false });
    const { image } = await settled(path, { body });
    expect(image).not.toBe(photo);
    const stored = await fetch(image);
    expect([stored.status, stored.headers.get('content-type')]).toEqual([200, 'image/png']);
    const persona = await personaAt(path);
    expect(persona).toMatchObject({ slots_filled: 1, likes_count: 0, trainings_count: 1 });
    const filled = { ...emptySlots[0], training_id: body.training_id, photo: image, state: 'processed' };
    expect(persona.slots).toEqual([filled, ...emptySlots.slice(1)]);

    const second = await as(ada).post(`${path}/trains`, { photo: pictures.url('two.png'), slot: 1 });
    expect(second.body).toMatchObject({ replaced: true });
    const { image: secondImage } = await settled(path, second);
    await eventually(() => isGone(image));
    expect((await fetch(secondImage)).status).toBe(200);
    expect((await as(ada).delete(`${path}/trainings/slot/1`)).body).toEqual({ status: true });
    await eventually(() => isGone(secondImage));
    expectRefusal(await as(ada).delete(`${path}/trainings/slot/1`), 404, 'not_found');
  });

  it('shows why its photo is not processed', async () => {
    const [path, photo] = [await newPersona(), 'http://10.0.0.1/x.png'];
    const saved = await as(ada).post(`${path}/trains`, { photo, slot: 7 });
    const failed = { state: 'failed', error: 'url_blocked' };
    expect(await settled(path, saved)).toMatchObject({ ...failed, image: photo });
    expect((await personaAt(path)).slots[6]).toMatchObject({ ...failed, photo });
  });
});

describe('a like', () => {
  it('is saved with its prompt, listed, read and removed', async () => {
    const path = await newPersona();
    const trainings = `${path}/trainings`;
    const image = await upload('design.png');
    const notes = { extras: 'a fox in the snow', info: 'seed 7' };
    const saved = await as(ada).post(trainings, { image, ...notes });
    expect(saved.status).toBe(201);
    const id = saved.body.training_id;
    const training = { id, slot: null, image, ...notes, state: 'processed', error: null, created_at: time };
    expect((await as(ada).get(trainings)).body).toEqual({ status: true, trainings: [training], next_cursor: null });
    expect((await as(ada).get(`${trainings}/${id}`)).body).toEqual({ status: true, training });
    expect((await personaAt(path)).likes_count).toBe(1);

    expect((await as(ada).delete(`${trainings}/${id}`)).body).toEqual({ status: true });
    expectRefusal(await as(ada).get(`${trainings}/${id}`), 404, 'not_found');
    expectRefusal(await as(ada).delete(`${trainings}/${id}`), 404, 'not_found');
    expect((await as(ada).get(trainings)).body.trainings).toEqual([]);
  });

  it('is listed by kind, in pages', async () => {
    const path = `${await newPersona()}/trainings`;
    const ids: number[] = [];
    for (const slot of [undefined, 1, undefined]) {
      ids.unshift((await as(ada).post(path, { image: pictures.url('x.png'), slot })).body.training_id);
    }
    const list = async (query = '') => {
      const { body } = await as(ada).get(`${path}${query}`);
      return { ids: body.trainings.map((each: { id: number }) => each.id), next: body.next_cursor };
    };
    expect(await list()).toEqual({ ids, next: null });
    expect(await list('?kind=slot')).toEqual({ ids: [ids[1]], next: null });
    const first = await list('?kind=like&limit=1');
    expect(first).toEqual({ ids: [ids[0]], next: expect.any(String) });
    expect(await list(`?kind=like&cursor=${first.next}`)).toEqual({ ids: [ids[2]], next: null });
  });

  it('can change its notes, its picture, and its slot', async () => {
    const persona = await newPersona();
    const like = await as(ada).post(`${persona}/trainings`, { image: pictures.url('note.txt'), extras: 'a fox' });
    expect(await settled(persona, like)).toMatchObject({ state: 'failed', error: 'not_an_image' });
    const training = `${persona}/trainings/${like.body.training_id}`;
    const change = async (fields: Fields) => (await as(ada).put(training, fields)).body.training;
    expect(await change({ extras: 'an owl', info: '' })).toMatchObject({
      extras: 'an owl',
      info: null,
      state: 'failed',
    });
    const image = pictures.url('owl.png');
    expect(await change({ image })).toMatchObject({ image, state: 'created', error: null });
    expect(await settled(persona, like)).toMatchObject({ state: 'processed', extras: 'an owl' });
    expect(await change({ slot: 7 })).toMatchObject({ slot: 7 });
    expect(await change({ slot: 'null' })).toMatchObject({ slot: null });
  });
});

it('missing or malformed fields are refused with their names', async () => {
  const path = await newPersona();
  const photo = pictures.url('x.png');
  const { body } = await as(ada).post(`${path}/trainings`, { image: photo });
  const training = `${path}/trainings/${body.training_id}`;
  const refused: readonly ['get' | 'post' | 'put' | 'delete', path: string, field: string, Fields?][] = [
    ['get', '?limit=0', 'limit'],
    ['post', '', 'name', { name: '' }],
    ['put', path, 'name', { name: '' }],
    ['post', `${path}/trains`, 'slot', { photo, slot: 8 }],
    ['post', `${path}/trains`, 'slot', { photo }],
    ['post', `${path}/trains`, 'photo', { photo: 'ftp://example.com/x.png', slot: 1 }],
    ['post', `${path}/trains`, 'photo', { slot: 1 }],
    ['post', `${path}/trainings`, 'image', { extras: 'a fox' }],
    ['post', `${path}/trainings`, 'slot', { image: photo, slot: 8 }],
    ['get', `${path}/trainings?kind=both`, 'kind'],
    ['put', training, 'slot', { slot: 8 }],
    ['put', training, 'image', { image: '' }],
    ['delete', `${path}/trainings/slot/8`, 'slot'],
  ];
  for (const [verb, at, field, fields] of refused) {
    expectRefusal(await as(ada)[verb](at, fields), 400, 'validation_failed', field);
  }
});

describe('to another workspace', () => {
  const endpoints: readonly [string, string, Fields?][] = [
    ['GET', ''],
    ['PUT', '', { name: 'Mine' }],
    ['PUT', '', { name: '' }],
    ['DELETE', ''],
    ['POST', '/trains', { photo: 'http://example.com/x.png', slot: 1 }],
    ['POST', '/trains', { slot: 8 }],
    ['POST', '/trainings', { image: 'http://example.com/x.png' }],
    ['POST', '/trainings', {}],
    ['GET', '/trainings'],
    ['GET', '/trainings?limit=0'],
    ['GET', '/trainings/TRAINING'],
    ['PUT', '/trainings/TRAINING', { info: 'mine' }],
    ['PUT', '/trainings/TRAINING', { slot: 8 }],
    ['DELETE', '/trainings/TRAINING'],
    ['DELETE', '/trainings/slot/1'],
    ['DELETE', '/trainings/slot/8'],
  ];

  it('each endpoint responds 404 as for an unknown persona, and 401 without a token', async () => {
    const path = await newPersona();
    const { body } = await as(ada).post(`${path}/trains`, { photo: pictures.url('x.png'), slot: 1 });
    for (const [method, suffix, form] of endpoints) {
      const call = (persona: string, trainingId: number, token?: string) =>
        service.call(method, `/v2/personas${persona}${suffix.replace('TRAINING', `${trainingId}`)}`, { token, form });
      const foreign = await call(path, body.training_id, outsider.token);
      const unknown = await call('/999999999', 999_999_999, outsider.token);
      for (const response of [foreign, unknown]) expectRefusal(response, 404, 'not_found');
      expect(foreign.body.message).toBe(unknown.body.message);
      expect(await personaAt(path)).toMatchObject({ name: 'Ada', slots_filled: 1 });
      expectRefusal(await call('/1', 1), 401, 'unauthenticated', 'auth');
    }
  });
});
