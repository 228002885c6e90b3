import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { PostgresTeams } from '#adapters/postgres';
import type { TestRequest } from '../support/call-api.ts';
import { eventually } from '../support/eventually.ts';
import { expectRefusal, isGone } from '../support/expectations.ts';
import { startPictureServer, type PictureServer } from '../support/media-server.ts';
import { startService, type TestService, type TestUser } from '../support/service.ts';

jest.setTimeout(60_000);

let pictures: PictureServer;
let service: TestService;
let ada: TestUser;
let stranger: TestUser;
beforeAll(async () => {
  pictures = await startPictureServer();
  service = await startService({
    FETCH_ALLOWED_HOSTS: pictures.host,
    TEMP_FILE_TTL_SECONDS: '2',
    SWEEP_INTERVAL_SECONDS: '1',
  });
  [ada, stranger] = [await service.signUp(), await service.signUp()];
});
afterAll(async () => {
  await service.stop();
  await pictures.stop();
});

const as = (user: TestUser) => ({
  get: (path: string) => service.call('GET', path, { token: user.token }),
  post: (path: string, form?: TestRequest['form']) =>
    service.call('POST', path, { token: user.token, form: form ?? {} }),
  put: (path: string, form?: TestRequest['form']) => service.call('PUT', path, { token: user.token, form: form ?? {} }),
  delete: (path: string) => service.call('DELETE', path, { token: user.token }),
});

async function newPersona(user = ada, form: TestRequest['form'] = { name: 'Ada' }): Promise<number> {
  const { status, body } = await as(user).post('/v2/personas', form);
  expect(status).toBe(201);
  return body.persona.id;
}

/** The training once its picture is processed, or failed. */
const settled = (personaId: number, trainingId: number, user = ada) =>
  eventually(async () => {
    const { body } = await as(user).get(`/v2/personas/${personaId}/trainings/${trainingId}`);
    return body.training.state !== 'created' && body.training;
  });

/** Uploads bytes as a file of the user, and gives its public URL. */
async function upload(user: TestUser, filename: string, bytes: Buffer): Promise<string> {
  const allocated = (await as(user).post('/v2/upload', { filename })).body;
  const put = await fetch(allocated.signed_url, { method: 'PUT', body: new Uint8Array(bytes) });
  expect(put.status).toBe(200);
  const finalize = `/v2/finalize_upload?url=${encodeURIComponent(allocated.final_url)}`;
  expect((await as(user).get(finalize)).status).toBe(200);
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

describe('a persona', () => {
  it('named Default is there for every new account', async () => {
    const { status, body } = await as(await service.signUp()).get('/v2/personas');
    expect(status).toBe(200);
    expect(body).toEqual({
      status: true,
      personas: [
        {
          id: expect.any(Number),
          name: 'Default',
          title: null,
          knows: null,
          profession: null,
          slots_filled: 0,
          likes_count: 0,
          trainings_count: 0,
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
          updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        },
      ],
      next_cursor: null,
    });
  });

  it('is created with seven empty slots', async () => {
    const fields = { name: 'Ada', title: 'Countess', knows: 'engines', profession: 'mathematician' };
    const { status, body } = await as(ada).post('/v2/personas', fields);
    expect(status).toBe(201);
    expect(body).toEqual({
      status: true,
      persona: {
        ...fields,
        id: expect.any(Number),
        slots_filled: 0,
        likes_count: 0,
        trainings_count: 0,
        slots: emptySlots,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    });
    expect((await as(ada).get(`/v2/personas/${body.persona.id}`)).body).toEqual(body);
  });

  it('has a name of 1 to 100 characters, and texts of up to 10,000', async () => {
    const { post } = as(ada);
    expect((await post('/v2/personas')).body.persona.name).toBe('Untitled');
    for (const [field, text] of Object.entries({ name: '', title: 'x'.repeat(10_001) })) {
      expectRefusal(await post('/v2/personas', { [field]: text }), 400, 'validation_failed', field);
    }
  });

  it('changes in what is given, and forgets what is given as null', async () => {
    const id = await newPersona(ada, { name: 'Ada', title: 'Countess', knows: 'engines' });
    const { put } = as(ada);
    const renamed = await put(`/v2/personas/${id}`, { name: 'Ada King' });
    expect(renamed.status).toBe(200);
    expect(renamed.body.persona).toMatchObject({ name: 'Ada King', title: 'Countess', knows: 'engines' });
    const emptied = await put(`/v2/personas/${id}`, { title: '', knows: 'null' });
    expect(emptied.body.persona).toMatchObject({ name: 'Ada King', title: null, knows: null });
    expect((await put(`/v2/personas/${id}`)).body.persona).toMatchObject({ name: 'Ada King' });
    expectRefusal(await put(`/v2/personas/${id}`, { name: '' }), 400, 'validation_failed', 'name');
  });

  it('is listed newest first, in pages', async () => {
    const user = await service.signUp();
    const ids = [(await as(user).get('/v2/personas')).body.personas[0].id as number];
    for (let count = 0; count < 2; count++) ids.unshift(await newPersona(user));
    const first = (await as(user).get('/v2/personas?limit=2')).body;
    expect(first.personas.map(({ id }: { id: number }) => id)).toEqual(ids.slice(0, 2));
    const second = (await as(user).get(`/v2/personas?limit=2&cursor=${first.next_cursor}`)).body;
    expect(second).toMatchObject({ personas: [{ id: ids[2] }], next_cursor: null });
    expectRefusal(await as(user).get('/v2/personas?limit=0'), 400, 'validation_failed', 'limit');
  });

  it('is deleted with everything of it by its creator', async () => {
    const id = await newPersona();
    const photo = await upload(ada, 'kept.png', pictures.png);
    const like = await as(ada).post(`/v2/personas/${id}/trainings`, { image: pictures.url('gone.png') });
    const copy = (await settled(id, like.body.training_id)).image as string;
    await as(ada).post(`/v2/personas/${id}/trains`, { photo, slot: 1 });

    expect((await as(ada).delete(`/v2/personas/${id}`)).body).toEqual({ status: true });
    expectRefusal(await as(ada).get(`/v2/personas/${id}`), 404, 'not_found');
    expectRefusal(await as(ada).get(`/v2/personas/${id}/trainings`), 404, 'not_found');
    expectRefusal(await as(ada).delete(`/v2/personas/${id}`), 404, 'not_found');
    await eventually(() => isGone(copy));
    expect((await fetch(photo)).status).toBe(200);
  });

  it('of a team is open to all members, and not deleted by a member who is not its creator', async () => {
    const [owner, maker, member] = [await service.signUp(), await service.signUp(), await service.signUp()];
    const teams = new PostgresTeams(service.database.database);
    const openedAt = new Date();
    const workspaceId = await teams.open({ ownerUserId: owner.id, plan: 'enterprise', openedAt });
    for (const { id: userId } of [maker, member]) {
      await teams.join({ workspaceId, userId, role: 'member', addedBy: owner.id, joinedAt: openedAt });
    }
    for (const remover of [maker, owner]) {
      const id = await newPersona(maker);
      const photo = pictures.url('team.png');
      const filled = await as(member).post(`/v2/personas/${id}/trains`, { photo, slot: 1 });
      expect(filled.status).toBe(201);
      expectRefusal(await as(member).delete(`/v2/personas/${id}`), 403, 'forbidden');
      expect((await as(remover).delete(`/v2/personas/${id}`)).status).toBe(200);
    }
  });

  it('shows its stored pictures under another PUBLIC_URL once that is set', async () => {
    const id = await newPersona();
    const path = `/v2/personas/${id}`;
    const upload7 = await upload(ada, 'mine.png', pictures.png);
    await as(ada).post(`${path}/trains`, { photo: upload7, slot: 7 });
    const like = await as(ada).post(`${path}/trainings`, { image: pictures.url('copied.png') });
    const { image: copy } = await settled(id, like.body.training_id);
    const failing = await as(ada).post(`${path}/trainings`, { image: pictures.url('note.txt') });
    await settled(id, failing.body.training_id);

    const moved = await service.withFilesAt('https://moved.example');
    const read = async (method: string, at: string, form?: TestRequest['form']) =>
      (await moved.call(method, at, { token: ada.token, form })).body;
    const movedUrl = (url: string) => url.replace(/^.*\/files\//, 'https://moved.example/files/');
    try {
      const { persona } = await read('GET', path);
      expect(persona.slots[6].photo).toBe(movedUrl(upload7));
      expect((await read('PUT', path, { title: 'moved' })).persona.slots).toEqual(persona.slots);
      const { trainings } = await read('GET', `${path}/trainings`);
      const images = trainings.map(({ image }: { image: string }) => image);
      expect(images).toEqual([pictures.url('note.txt'), movedUrl(copy), movedUrl(upload7)]);
      const training = `${path}/trainings/${like.body.training_id}`;
      expect((await read('GET', training)).training.image).toBe(movedUrl(copy));
      expect((await read('PUT', training, { info: 'moved' })).training.image).toBe(movedUrl(copy));
      for (const image of [upload7, movedUrl(upload7)]) {
        const saved = await read('POST', `${path}/trainings`, { image, slot: 1 });
        expect(saved).toMatchObject({ photo: movedUrl(upload7), state: 'processed' });
      }
    } finally {
      await moved.stop();
    }
  });
});

describe('a slot', () => {
  const train = (id: number, form: TestRequest['form'], user = ada) => as(user).post(`/v2/personas/${id}/trains`, form);

  it('shows the URL given, and then the stored copy of the picture', async () => {
    const id = await newPersona();
    const photo = pictures.url('ada.png');
    const { status, body } = await train(id, { photo, slot: 1 });
    expect(status).toBe(201);
    expect(body).toEqual({
      status: true,
      training_id: expect.any(Number),
      persona_id: id,
      slot: 1,
      photo,
      state: 'created',
      replaced: false,
    });
    const { image } = await settled(id, body.training_id);
    expect(image).not.toBe(photo);
    const stored = await fetch(image);
    expect([stored.status, stored.headers.get('content-type')]).toEqual([200, 'image/png']);
    const { persona } = (await as(ada).get(`/v2/personas/${id}`)).body;
    expect(persona).toMatchObject({ slots_filled: 1, likes_count: 0, trainings_count: 1 });
    expect(persona.slots).toEqual([
      { ...emptySlots[0], training_id: body.training_id, photo: image, state: 'processed' },
      ...emptySlots.slice(1),
    ]);
  });

  it('is one of seven', async () => {
    const id = await newPersona();
    const photo = pictures.url('slot.png');
    for (let slot = 1; slot <= 7; slot++) {
      expect((await train(id, { photo, slot })).body).toMatchObject({ slot, replaced: false });
    }
    for (const slot of [8, undefined]) {
      expectRefusal(await train(id, { photo, slot }), 400, 'validation_failed', 'slot');
    }
    const { persona } = (await as(ada).get(`/v2/personas/${id}`)).body;
    expect(persona.slots_filled).toBe(7);
    for (const given of ['ftp://example.com/x.png', photo.padEnd(2049, 'x'), undefined]) {
      expectRefusal(await train(id, { photo: given, slot: 1 }), 400, 'validation_failed', 'photo');
    }
  });

  it('uses an uploaded picture as it is, at once', async () => {
    const id = await newPersona();
    const photo = await upload(ada, 'mine.png', pictures.png);
    const { body } = await train(id, { photo, slot: 2 });
    expect(body).toMatchObject({ state: 'processed', photo });
  });

  it('keeps a copy of a temporary upload, which nothing can use once its time is over', async () => {
    const id = await newPersona();
    const photo = await upload(ada, 'x12tmp-soon gone.png', pictures.png);
    const { body } = await train(id, { photo, slot: 2 });
    expect(body).toMatchObject({ state: 'processed' });
    expect(body.photo).not.toBe(photo);

    await eventually(() => isGone(photo));
    expectRefusal(await train(id, { photo, slot: 2 }), 410, 'file_expired');
    expect((await fetch(body.photo)).status).toBe(200);
  });

  it('gives back its copy when it is replaced or emptied', async () => {
    const id = await newPersona();
    const copies: string[] = [];
    for (const photo of ['one.png', 'two.png']) {
      const { body } = await train(id, { photo: pictures.url(photo), slot: 5 });
      copies.push((await settled(id, body.training_id)).image);
    }
    await eventually(() => isGone(copies[0]!));
    expect((await fetch(copies[1]!)).status).toBe(200);
    const path = `/v2/personas/${id}/trainings/slot/5`;
    expect((await as(ada).delete(path)).body).toEqual({ status: true });
    await eventually(() => isGone(copies[1]!));
    expectRefusal(await as(ada).delete(path), 404, 'not_found');
    const wrong = await as(ada).delete(`/v2/personas/${id}/trainings/slot/8`);
    expectRefusal(wrong, 400, 'validation_failed', 'slot');
  });

  it("does not tell another workspace's file from one that never was", async () => {
    const id = await newPersona(stranger);
    const photo = await upload(ada, 'mine.png', pictures.png);
    const foreign = await train(id, { photo, slot: 1 }, stranger);
    const unknown = await train(id, { photo: photo.replace(/mine/, 'none'), slot: 1 }, stranger);
    expectRefusal(foreign, 404, 'not_found');
    expectRefusal(unknown, 404, 'not_found');
    expect(foreign.body.message).toBe(unknown.body.message);
  });

  it.each([
    ['is no picture', () => pictures.url('note.txt'), 'not_an_image'],
    ['is at a private address', () => 'http://10.0.0.1/x.png', 'url_blocked'],
  ])('says so when its photo %s', async (_, photo, error) => {
    const id = await newPersona();
    const { body } = await train(id, { photo: photo(), slot: 7 });
    expect(await settled(id, body.training_id)).toMatchObject({ state: 'failed', error, image: photo() });
    const { persona } = (await as(ada).get(`/v2/personas/${id}`)).body;
    expect(persona.slots[6]).toMatchObject({ state: 'failed', error, photo: photo() });
  });
});

describe('a like', () => {
  it('is saved with its prompt, listed, read and removed', async () => {
    const id = await newPersona();
    const path = `/v2/personas/${id}/trainings`;
    const image = await upload(ada, 'design.png', pictures.png);
    for (const [field, form] of [
      ['image', { extras: 'a fox' }],
      ['extras', { image, extras: 'x'.repeat(10_001) }],
      ['slot', { image, slot: 8 }],
    ] as const) {
      expectRefusal(await as(ada).post(path, form), 400, 'validation_failed', field);
    }
    const saved = await as(ada).post(path, { image, extras: 'a fox in the snow', info: 'seed 7' });
    expect(saved.status).toBe(201);
    expect(saved.body).toMatchObject({ status: true, training_id: expect.any(Number) });
    const training = {
      id: saved.body.training_id,
      slot: null,
      image,
      extras: 'a fox in the snow',
      info: 'seed 7',
      state: 'processed',
      error: null,
      created_at: expect.any(String),
    };
    expect((await as(ada).get(path)).body).toEqual({ status: true, trainings: [training], next_cursor: null });
    expect((await as(ada).get(`${path}/${training.id}`)).body).toEqual({ status: true, training });
    expect((await as(ada).get(`/v2/personas/${id}`)).body.persona.likes_count).toBe(1);

    expect((await as(ada).delete(`${path}/${training.id}`)).body).toEqual({ status: true });
    expectRefusal(await as(ada).get(`${path}/${training.id}`), 404, 'not_found');
    expectRefusal(await as(ada).delete(`${path}/${training.id}`), 404, 'not_found');
    expect((await as(ada).get(path)).body.trainings).toEqual([]);
  });

  it('is listed by kind, newest first, whole or in pages', async () => {
    const id = await newPersona();
    const path = `/v2/personas/${id}/trainings`;
    const ids: number[] = [];
    for (const slot of [undefined, 1, undefined, undefined, 2]) {
      const { body } = await as(ada).post(path, { image: pictures.url('x.png'), slot });
      ids.unshift(body.training_id);
    }
    const list = async (query = '') => {
      const { body } = await as(ada).get(`${path}${query}`);
      return { ids: body.trainings.map((each: { id: number }) => each.id), next: body.next_cursor };
    };
    expect(await list()).toEqual({ ids, next: null });
    expect(await list('?kind=slot')).toEqual({ ids: [ids[0], ids[3]], next: null });
    expect(await list('?kind=like')).toEqual({ ids: [ids[1], ids[2], ids[4]], next: null });
    const first = await list('?kind=like&limit=2');
    expect(first).toEqual({ ids: [ids[1], ids[2]], next: expect.any(String) });
    expect(await list(`?kind=like&cursor=${first.next}`)).toEqual({ ids: [ids[4]], next: null });
    for (const query of ['kind=both', 'limit=0']) {
      const answer = await as(ada).get(`${path}?${query}`);
      expectRefusal(answer, 400, 'validation_failed', query.split('=')[0]);
    }
  });

  it('changes its notes, its picture, and its place', async () => {
    const id = await newPersona();
    const { body } = await as(ada).post(`/v2/personas/${id}/trainings`, {
      image: pictures.url('note.txt'),
      extras: 'a fox',
      info: 'seed 7',
    });
    const path = `/v2/personas/${id}/trainings/${body.training_id}`;
    expect(await settled(id, body.training_id)).toMatchObject({ state: 'failed' });

    const noted = (await as(ada).put(path, { extras: 'an owl', info: '' })).body.training;
    expect(noted).toMatchObject({ extras: 'an owl', info: null, state: 'failed' });
    const pictured = (await as(ada).put(path, { image: pictures.url('owl.png') })).body.training;
    expect(pictured).toMatchObject({ image: pictures.url('owl.png'), state: 'created', error: null });
    expect(await settled(id, body.training_id)).toMatchObject({ state: 'processed', extras: 'an owl' });

    const other = await as(ada).post(`/v2/personas/${id}/trains`, { photo: pictures.url('x.png'), slot: 7 });
    expect((await as(ada).put(path, { slot: 7 })).body.training).toMatchObject({ slot: 7 });
    const replaced = `/v2/personas/${id}/trainings/${other.body.training_id}`;
    expectRefusal(await as(ada).get(replaced), 404, 'not_found');
    expect((await as(ada).put(path, { slot: 'null' })).body.training).toMatchObject({ slot: null });
    expectRefusal(await as(ada).put(path, { slot: 8 }), 400, 'validation_failed', 'slot');
    expectRefusal(await as(ada).put(path, { image: '' }), 400, 'validation_failed', 'image');
  });
});

describe('to another workspace', () => {
  const endpoints: readonly [string, string, TestRequest['form'] | null][] = [
    ['GET', '', null],
    ['PUT', '', { name: 'Mine' }],
    ['PUT', '', { name: '' }],
    ['DELETE', '', null],
    ['POST', '/trains', { photo: 'http://example.com/x.png', slot: 1 }],
    ['POST', '/trains', { slot: 8 }],
    ['POST', '/trainings', { image: 'http://example.com/x.png' }],
    ['POST', '/trainings', {}],
    ['GET', '/trainings', null],
    ['GET', '/trainings?limit=0', null],
    ['GET', '/trainings/TRAINING', null],
    ['PUT', '/trainings/TRAINING', { info: 'mine' }],
    ['PUT', '/trainings/TRAINING', { slot: 8 }],
    ['DELETE', '/trainings/TRAINING', null],
    ['DELETE', '/trainings/slot/1', null],
    ['DELETE', '/trainings/slot/8', null],
  ];

  it('everything is 404, as if there were nothing', async () => {
    const id = await newPersona();
    const photo = pictures.url('x.png');
    const { body } = await as(ada).post(`/v2/personas/${id}/trains`, { photo, slot: 1 });
    for (const [method, suffix, form] of endpoints) {
      const call = (personaId: number, trainingId: number) =>
        service.call(method, `/v2/personas/${personaId}${suffix.replace('TRAINING', String(trainingId))}`, {
          token: stranger.token,
          ...(form && { form }),
        });
      const foreign = await call(id, body.training_id);
      const unknown = await call(999_999_999, 999_999_999);
      expectRefusal(foreign, 404, 'not_found');
      expectRefusal(unknown, 404, 'not_found');
      expect(foreign.body.message).toBe(unknown.body.message);
      const { persona } = (await as(ada).get(`/v2/personas/${id}`)).body;
      expect(persona).toMatchObject({ name: 'Ada', slots_filled: 1 });
    }
  });

  it('without a token everything is 401', async () => {
    for (const [method, suffix, form] of endpoints) {
      const path = `/v2/personas/1${suffix.replace('TRAINING', '1')}`;
      const answer = await service.call(method, path, { form: form ?? undefined });
      expectRefusal(answer, 401, 'unauthenticated', 'auth');
    }
  });
});
