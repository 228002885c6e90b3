/**
 * The life of a model from the entry of an operator to the calls of users: no lower layer has the processes that follow the
 * catalogue, the price of a successor, and what vendors say.
 *
 * @tier test
 */
import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { expectRefusal } from '../support/expectations.ts';
import type { TestUser } from '../support/service.ts';
import { prepared, untilFileEnds, useService } from '../support/use-service.ts';
import { startFakeReplicate } from '../support/vendors/replicate.ts';

const TOKEN = 'operators-only-0123456789-abcdefghijk';
const PAST = '2026-10-23';
const service = useService({ ADMIN_TOKEN: TOKEN, SECRET_KEY: randomBytes(32).toString('base64') });
const user = prepared(() => service.signUp());
const other = prepared(() => service.signUp());
const vendor = untilFileEnds(await startFakeReplicate());

const admin = (method: string, path: string, json?: object) =>
  service.call(method, `/admin/api/${path}`, { token: TOKEN, ...(json && { json }) });
const call = (method: string, path: string, json?: object, { token }: { token: string } = user) =>
  service.call(method, `/v2/${path}`, { token, ...(json && { json }) });
const generate = (json: object, by: TestUser = user) => call('POST', 'generate', { prompt: 'a fox', ...json }, by);

const entry = {
  kind: 'image',
  tasks: ['generate'],
  provider: 'vendor',
  target: 'owner/name',
  parameters: { seed: { type: 'integer', minimum: 0 }, steps: { type: 'integer', default: 20 } },
  mapping: { prompt: '{prompt}', seed: '{seed}', steps: '{steps}' },
  cost: 3,
};
const next = { ...entry, parameters: { seed: entry.parameters.seed }, mapping: { prompt: '{prompt}', seed: '{seed}' } };

const put = (id: string, change: object = {}) => admin('PUT', `models/${id}`, { entry: { ...entry, ...change } });
const save = async (id: string, change: object = {}) => expect((await put(id, change)).status).toBe(200);
const listed = async (id: string) =>
  (await admin('GET', 'models')).body.models.find((each: { id: string }) => each.id === id);
const ended = (id: number, { token }: { token: string } = user) =>
  eventually(async () => {
    const { body } = await call('GET', `generations/${id}`, undefined, { token });
    return /queued|running/.test(body.state) ? null : body;
  });

/** No generation of the user is left that could take what the vendor plans. */
const allEnded = () =>
  eventually(async () => {
    const open = await Promise.all(['queued', 'running'].map((state) => call('GET', `generations?state=${state}`)));
    return open.every(({ body }) => body.generations.length === 0) || null;
  });

beforeAll(async () => {
  await admin('PUT', 'providers/vendor', { type: 'replicate', base_url: vendor.url, key: 'r8_4f9a2c7d1e8b3a6f' });
  await save('new', { ...next, cost: 5 });
});

describe('a model has further names', () => {
  it('that calls, presets and batches may send', async () => {
    await save('named', { aliases: ['gpt-image-1', 'owner/named'] });
    const { body } = await generate({ model: 'gpt-image-1' });
    expect(body).toMatchObject({ model: 'named', requested_model: 'gpt-image-1', cost: 3 });
    expect(await ended(body.generation_id)).toMatchObject({
      state: 'succeeded',
      model: 'named',
      requested_model: 'gpt-image-1',
    });
    const preset = { name: 'By alias', model: 'owner/named', parameters: { steps: 30 } };
    const { preset: saved } = (await call('POST', 'presets', preset)).body;
    expect(saved).toMatchObject({ model: 'owner/named', model_state: 'ok', successor: null, missing: [] });
    const used = await generate({ preset_id: saved.id, model: 'named', dry_run: true });
    expect(used.body).toMatchObject({ model: 'named', requested_model: 'named', parameters: { steps: 30 } });
    const matrix = { models: ['gpt-image-1', 'named'], prompts: ['a fox'] };
    const batch = (await call('POST', 'batches', { name: 'By alias', matrix })).body.batch;
    const { cells } = (await call('GET', `batches/${batch.id}`)).body;
    const names = cells.map(({ generation }: { generation: { model: string; requested_model: string } }) => [
      generation.model,
      generation.requested_model,
    ]);
    expect(names).toEqual([
      ['named', 'gpt-image-1'],
      ['named', 'named'],
    ]);
    expect((await listed('named')).model).toMatchObject({ aliases: ['gpt-image-1', 'owner/named'], retires_at: null });
  });

  it('that no other entry has', async () => {
    await save('taken', { aliases: ['its-name'] });
    const wrong = async (id: string, change: object) => (await put(id, change)).body.errors;
    expect(await wrong('another', { aliases: ['free', 'local-image'] })).toEqual({
      'aliases.1': ['is also the id of a model'],
    });
    expect(await wrong('another', { aliases: ['its-name'] })).toEqual({ 'aliases.0': ['is also an alias of taken'] });
    expect(await wrong('its-name', {})).toEqual({ id: ['is also an alias of taken'] });
    expect(await wrong('another', { successor: 'local-video' })).toEqual({
      successor: ['must be of the kind image: local-video is of the kind video'],
    });
    expect(await wrong('another', { retires_at: '2026-02-30' })).toEqual({
      retires_at: ['must be a time that exists'],
    });
    await save('taken', { aliases: ['its-name', 'its-other-name'], successor: 'comes-later' });
  });
});

describe('a model that has ended', () => {
  it('is replaced by its successor, at its price, without defaults that only the old one has', async () => {
    await save('old', { retires_at: PAST, successor: 'new' });
    const dry = await generate({ model: 'old', steps: '20', dry_run: true });
    expect(dry.body).toMatchObject({ model: 'new', requested_model: 'old', cost: 5, parameters: {} });
    const refused = await generate({ model: 'old', steps: 21 });
    expectRefusal(refused, 400, 'validation_failed', 'steps');
    const { generation_id: id } = (await generate({ model: 'old' })).body;
    expect(await ended(id)).toMatchObject({ state: 'succeeded', model: 'new', requested_model: 'old', cost: 5 });
    const ids = (await call('GET', 'models')).body.models.map((each: { id: string }) => each.id);
    expect([ids.includes('old'), ids.includes('new')]).toEqual([false, true]);
    expect((await listed('old')).model).toMatchObject({ retires_at: `${PAST}T00:00:00.000Z`, successor: 'new' });
  });

  it('is refused without a successor, also in a circle, with what is near', async () => {
    await save('one', { retires_at: PAST, successor: 'two' });
    await save('two', { retires_at: PAST, successor: 'one' });
    const refused = await generate({ model: 'one' });
    expect([refused.status, refused.body.code]).toEqual([410, 'model_retired']);
    expect(refused.body.alternatives).toEqual(expect.arrayContaining(['new', 'local-image']));
    expect(refused.body.alternatives).not.toContain('two');
  });

  it('is shown by presets, with the model that replaces it', async () => {
    const presets: Record<string, number> = {};
    for (const model of ['ending', 'lonely']) {
      await save(model);
      presets[model] = (await call('POST', 'presets', { name: model, model })).body.preset.id;
    }
    await save('ending', { retires_at: PAST, successor: 'new' });
    await save('lonely', { retires_at: PAST });
    const states = async () =>
      Object.fromEntries(
        (await call('GET', 'presets')).body.presets.map((each: Record<string, unknown>) => [
          each['name'],
          [each['model_state'], each['successor'], each['missing']],
        ]),
      );
    expect(await states()).toMatchObject({ ending: ['replaced', 'new', []], lonely: ['retired', null, ['model']] });
    expect((await generate({ preset_id: presets['ending'] })).body).toMatchObject({
      model: 'new',
      requested_model: 'ending',
    });
    expect((await generate({ preset_id: presets['lonely'] })).body.code).toBe('model_retired');
    expect((await call('POST', 'presets', { name: 'late', model: 'lonely' })).body.code).toBe('model_retired');
    await admin('DELETE', 'models/lonely');
    expect(await states()).toMatchObject({ lonely: ['unknown', null, ['model']] });
  });

  it('goes on with the cells that were accepted; a retry runs the successor at its price', async () => {
    await save('brief');
    await allEnded();
    await service.stopWorker();
    const rows = [1, 2].map((seed) => ({ model: 'brief', prompt: 'a fox', seed }));
    const { batch } = (await call('POST', 'batches', { name: 'Brief', rows })).body;
    await save('brief', { retires_at: PAST, successor: 'new' });
    vendor.plan(['moderates']);
    await service.startWorker();
    const read = () => call('GET', `batches/${batch.id}`).then(({ body }) => body);
    const first = await eventually(async () => ((await read()).batch.state === 'ended' ? read() : null));
    expect(first.batch.cells).toMatchObject({ failed: 1, succeeded: 1 });
    expect(first.cells.map((each: { generation: { model: string } }) => each.generation.model)).toEqual([
      'brief',
      'brief',
    ]);
    await call('POST', `batches/${batch.id}/retry`, {});
    const second = await eventually(async () => ((await read()).batch.state === 'ended' ? read() : null));
    expect(second.batch).toMatchObject({ cells: { succeeded: 2 }, cost: 8, used: 8 });
    const models = second.cells.map((each: { generation: object }) => each.generation);
    expect(models).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ model: 'brief', requested_model: 'brief', cost: 3 }),
        expect.objectContaining({ model: 'new', requested_model: 'brief', cost: 5 }),
      ]),
    );
  });
});

describe('a model that the vendor does not have', () => {
  const refusedCalls = async (model: string, callers: readonly TestUser[]) => {
    for (const by of callers) {
      const { body } = await generate({ model }, by);
      const { error } = await ended(body.generation_id, by);
      expect(error.code).toBe('provider_misconfigured');
    }
  };

  it('is gone after five calls of two users, not of one, until a try succeeds', async () => {
    vendor.missing.add('owner/lost');
    await save('lost', { target: 'owner/lost' });
    await save('private', { target: 'owner/lost' });
    await refusedCalls('private', [user, user, user, user, user, user]);
    await refusedCalls('lost', [user, other, user, user]);
    expect([(await listed('lost')).gone_since, (await listed('private')).gone_since]).toEqual([null, null]);
    await refusedCalls('lost', [other]);
    expect((await listed('lost')).gone_since).toMatch(/Z$/);
    const before = (await call('GET', 'credits')).body.credits;
    expectRefusal(await generate({ model: 'lost' }), 503, 'provider_misconfigured');
    expect((await call('GET', 'credits')).body.credits).toEqual(before);
    const { entries } = (await admin('GET', 'audit')).body;
    const marks = entries.filter((each: { action: string }) => each.action === 'model.gone');
    expect(marks).toMatchObject([{ actor: 'system', target: { type: 'model', name: 'lost' } }]);

    vendor.missing.delete('owner/lost');
    const { trial } = (await admin('POST', 'models/lost/try', { prompt: 'a fox' })).body;
    await eventually(async () => {
      const { body } = await admin('GET', `trials/${trial.id}`);
      return body.trial.state === 'succeeded' ? body : null;
    });
    expect((await listed('lost')).gone_since).toBeNull();
    expect((await generate({ model: 'lost' })).status).toBe(202);
  });

  it('is replaced by its successor while it is gone, and a new revision is not gone', async () => {
    vendor.missing.add('owner/away');
    await save('away', { target: 'owner/away', successor: 'new' });
    await refusedCalls('away', [user, other, user, other, user]);
    await eventually(async () => ((await listed('away')).gone_since === null ? null : true));
    expect((await generate({ model: 'away' })).body).toMatchObject({ model: 'new', requested_model: 'away', cost: 5 });
    await save('away', { target: 'owner/back', successor: 'new' });
    expect((await generate({ model: 'away' })).body).toMatchObject({ model: 'away', cost: 3 });
  });
});

it('operators see who uses a model, by its id and its aliases', async () => {
  await save('used', { aliases: ['used-too'] });
  const { preset } = (await call('POST', 'presets', { name: 'Used', model: 'used-too' })).body;
  await generate({ model: 'used' });
  await generate({ model: 'used-too' });
  await generate({ model: 'used' }, other);
  await service.stopWorker();
  const matrix = { models: ['used'], prompts: ['a fox', 'an owl'] };
  const { batch } = (await call('POST', 'batches', { name: 'Open', matrix })).body;
  const { status, body } = await admin('GET', 'models/used/uses');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    counts: { presets: 1, styles: 0, batches: 1, callers: 2 },
    presets: [{ id: preset.id, name: 'Used', user_id: user.id }],
    styles: [],
    batches: [{ id: batch.id, name: 'Open', cells: 2 }],
    callers: [
      { user_id: user.id, email: user.email, calls: 4, last_at: expect.stringMatching(/Z$/) },
      { user_id: other.id, calls: 1 },
    ],
  });
  expectRefusal(await admin('GET', 'models/nothing/uses'), 404, 'not_found');
  await service.startWorker();
});
