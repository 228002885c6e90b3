/** @tier test */
import { describe, expect, it } from '@jest/globals';
import { NO_CUSTOM_DATA } from '#kernel';
import type { TestRequest } from '../support/call-api.ts';
import { eventually } from '../support/eventually.ts';
import { expectRefusal, isGone } from '../support/expectations.ts';
import type { TestUser } from '../support/service.ts';
import { uploaded } from '../support/uploaded.ts';
import { prepared, usePictures, useService } from '../support/use-service.ts';
const pictures = usePictures();
const service = useService(() => ({ FETCH_ALLOWED_HOSTS: pictures.host }));
const ada = prepared(() => service.signUp());

type Fields = NonNullable<TestRequest['form']>;

/** Calls the endpoints of personas, at paths below `/v2/personas`. */
const as = ({ token }: Pick<TestUser, 'token'>) => ({
  get: (path: string) => service.call('GET', `/v2/personas${path}`, { token }),
  post: (path: string, form: Fields = {}) => service.call('POST', `/v2/personas${path}`, { token, form }),
  put: (path: string, form: Fields = {}) => service.call('PUT', `/v2/personas${path}`, { token, form }),
  delete: (path: string) => service.call('DELETE', `/v2/personas${path}`, { token }),
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
  it('named Default exists for each new account', async () => {
    const user = await service.signUp();
    const { status, body } = await as(user).get('');
    expect(status).toBe(200);
    const persona = {
      ...empty,
      ...made,
      ...NO_CUSTOM_DATA,
      created_by: user.id,
      name: 'Default',
      title: null,
      knows: null,
      profession: null,
    };
    expect(body).toEqual({ status: true, personas: [persona], next_cursor: null });
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
    expect(body).toEqual({ status: true, persona: { ...empty, ...made, ...fields, ...nothing, ...NO_CUSTOM_DATA } });
    expect((await as(ada).get(`/${body.persona.id}`)).body).toEqual(body);
    expect((await as(ada).post('')).body.persona.name).toBe('Untitled');
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
    const photo = await uploaded(service, ada, 'kept.png', pictures.png);
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
    const image = await uploaded(service, ada, 'design.png', pictures.png);
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
