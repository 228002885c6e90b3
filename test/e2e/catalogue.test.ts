/** @tier test */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { runCommand } from '../support/command-line.ts';
import { eventually } from '../support/eventually.ts';
import { expectRefusal } from '../support/expectations.ts';
import { startFakeReplicate } from '../support/vendors/replicate.ts';
import { prepared, untilFileEnds, useService } from '../support/use-service.ts';
const TOKEN = 'operators-only-0123456789-abcdefghijk';
const KEY = 'r8_4f9a2c7d1e8b3a6f';

const service = useService({ ADMIN_TOKEN: TOKEN, SECRET_KEY: randomBytes(32).toString('base64') });
const user = prepared(() => service.signUp());
const vendor = untilFileEnds(await startFakeReplicate({ key: KEY }));

const admin = (method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, json?: object) =>
  service.call(method, `/admin/api/${path}`, { token: TOKEN, ...(json ? { json } : {}) });
const entry = {
  kind: 'image',
  provider: 'vendor',
  target: 'owner/name',
  parameters: { seed: { type: 'integer', minimum: 0 } },
  mapping: { prompt: '{prompt}', seed: '{seed}' },
  cost: 3,
};

describe('an operator adds a model without a file and without a restart', () => {
  it('from a provider with a key to the picture of a member', async () => {
    const provider = { type: 'replicate', base_url: vendor.url, key: KEY };
    const saved = await admin('PUT', 'providers/vendor', provider);
    expect(saved.body.provider).toMatchObject({ id: 'vendor', revision: 1, key_end: '3a6f', problem: null });
    expect(JSON.stringify(saved.body)).not.toContain(KEY);
    expect((await admin('POST', 'providers/vendor/check')).body).toMatchObject({ state: 'well' });
    const checked = await admin('PUT', 'models/fluw', { entry, dry_run: true });
    expect(checked.body.model).toMatchObject({ revision: null, model: { id: 'fluw', cost: 3 } });
    expect((await admin('PUT', 'models/fluw', { entry })).body.model).toMatchObject({ revision: 1, problems: {} });
    const generated = await service.call('POST', '/v2/generate', {
      token: user.token,
      json: { model: 'fluw', prompt: 'a lake' },
    });
    expect(generated.status).toBe(202);
    const path = `/v2/generations/${generated.body.generation_id}`;
    const { body: ended } = await eventually(async () => {
      const response = await service.call('GET', path, { token: user.token });
      return /queued|running/.test(response.body.state) ? null : response;
    });
    expect(ended).toMatchObject({ state: 'succeeded', model: 'fluw', cost: 3 });
  });

  it('never with a key that would end a header and begin another', async () => {
    const provider = { type: 'replicate', base_url: vendor.url, key: `${KEY}\r\nX-Other: 1` };
    const { status, body } = await admin('PUT', 'providers/other', provider);
    expect([status, Object.keys(body.errors)]).toEqual([400, ['key']]);
  });

  it('from the URL of a model to an entry that callers can use: only its cost is asked', async () => {
    const asked = { provider: 'vendor', target: 'https://replicate.com/owner/painter' };
    const first = (await admin('POST', 'models/propose', asked)).body;
    expect(first.questions.map(({ about }: { about: string }) => about)).toEqual(['cost']);
    const { entry: proposed, questions } = (await admin('POST', 'models/propose', { ...asked, answers: { cost: 2 } }))
      .body;
    expect(questions).toEqual([]);
    const { id, ...saved } = proposed;
    expect((await admin('PUT', `models/${id}`, { entry: saved })).body.model).toMatchObject({ revision: 1 });
    const { body } = await service.call('GET', '/v2/models', { token: user.token });
    const offered = body.models.find((model: { id: string }) => model.id === id);
    expect(offered).toMatchObject({
      kind: 'image',
      cost: 2,
      parameters: { properties: { seed: { type: 'integer' } } },
    });
  });

  it.each([
    ['a model that the vendor does not have', { target: 'nobody/nothing' }, 400, 'target'],
    ['a provider that is not there', { provider: 'nobody' }, 400, 'provider'],
    ['an answer that is no choice', { answers: { kind: 'sound' } }, 400, 'answers.kind'],
    ['an answer of another type', { answers: { tasks: 7 } }, 400, 'answers.tasks'],
    ['an answer in an answer', { answers: { pictures: { image: {} } } }, 400, 'answers.pictures'],
    ['an answer to no question', { answers: { colour: 'red' } }, 400, 'answers.colour'],
  ])('a proposal is refused for %s', async (_, change, status, field) => {
    const request = { provider: 'vendor', target: 'owner/painter', ...change };
    expectRefusal(await admin('POST', 'models/propose', request), status, 'validation_failed', field);
  });

  it('an entry that is no object, or wrong, is refused', async () => {
    expect((await admin('PUT', 'models/wrong', { entry: 'kind: image' })).status).toBe(400);
    const { status, body } = await admin('PUT', 'models/wrong', { entry: { ...entry, cost: -1 } });
    expect([status, Object.keys(body.errors)]).toEqual([400, ['cost']]);
  });

  it('a change that another operator has made is not overwritten', async () => {
    expect((await admin('PUT', 'models/shared', { entry })).status).toBe(200);
    const changed = await admin('PUT', 'models/shared', { entry: { ...entry, cost: 5 }, revision: 1 });
    expect(changed.body.model.revision).toBe(2);
    expectRefusal(await admin('PUT', 'models/shared', { entry, revision: 1 }), 409, 'conflict');
  });

  it('a provider may have several servers', async () => {
    const base_urls = ['http://10.0.0.7:8188', 'http://10.0.0.8:8188'];
    const { body } = await admin('PUT', 'providers/studio', { type: 'comfyui', base_urls, key: KEY });
    expect(body.provider).toMatchObject({ base_url: base_urls[0], base_urls, revision: 1 });
    for (const wrong of [['no url'], []]) {
      const refused = await admin('PUT', 'providers/studio', { type: 'comfyui', base_urls: wrong, key: KEY });
      expect([refused.status, Object.keys(refused.body.errors)[0]]).toEqual([
        400,
        expect.stringContaining('base_urls'),
      ]);
    }
    expect((await admin('DELETE', 'providers/studio')).status).toBe(200);
  });

  it('a provider that a model uses is not deleted; a model is', async () => {
    expectRefusal(await admin('DELETE', 'providers/vendor?revision=1'), 409, 'conflict');
    expect((await admin('DELETE', 'models/shared?revision=2')).status).toBe(200);
    const { body } = await service.call('GET', '/v2/models', { token: user.token });
    expect(body.models.map(({ id }: { id: string }) => id)).not.toContain('shared');
  });

  it('reads all providers and models, those of the file and the workers included, without keys', async () => {
    const { providers } = (await admin('GET', 'providers')).body;
    const own = providers.find(({ id }: { id: string }) => id === 'vendor');
    expect(own).toMatchObject({ base_url: vendor.url, has_key: true, key_end: '3a6f', health: { state: 'well' } });
    expect(JSON.stringify(providers)).not.toContain(KEY);
    expect((await admin('PUT', 'models/listed', { entry })).status).toBe(200);
    const { models } = (await admin('GET', 'models')).body;
    const listed = (name: string) => models.find(({ id }: { id: string }) => id === name);
    expect(listed('local-image')).toMatchObject({ is_added: false, revision: null, entry: null, is_offered: true });
    expect(listed('listed')).toMatchObject({ is_added: true, revision: 1, entry, model: { id: 'listed', cost: 3 } });
  });

  it('every change is in the audit log of the service, not in that of a workspace', async () => {
    const { entries } = (await admin('GET', 'audit?action=model.delete')).body;
    expect(entries).toMatchObject([{ actor: 'operator', action: 'model.delete', details: { id: 'shared' } }]);
    const own = await service.call('GET', '/v2/audit?action=model.delete', { token: user.token });
    expect(own.body.entries).toEqual([]);
  });

  it('users who are no operators may not', async () => {
    const refused = await service.call('PUT', '/admin/api/models/fluw', { token: user.token, json: { entry } });
    expectRefusal(refused, 401, 'unauthenticated', 'auth');
  });

  it('an entry may be as large as the workflows of ComfyUI are', async () => {
    const described = { ...entry, mapping: { ...entry.mapping, note: 'x'.repeat(100_000) } };
    expect((await admin('PUT', 'models/large', { entry: described, dry_run: true })).status).toBe(200);
  });
});

describe('an operator tries a model', () => {
  const ended = (id: number) =>
    eventually(async () => {
      const { body } = await admin('GET', `trials/${id}`);
      return /queued|running/.test(body.trial.state) ? null : body.trial;
    });

  it('sees one real output, which the vendor bills and no workspace has', async () => {
    const posts = vendor.submissions.length;
    const started = await admin('POST', 'models/fluw/try', { prompt: 'a lake', parameters: { seed: 7 } });
    expect(started).toMatchObject({ status: 202, body: { trial: { model: 'fluw', credits: 3, vendor_cost: null } } });
    const trial = await ended(started.body.trial.id);
    expect(trial).toMatchObject({ state: 'succeeded', error: null, seconds: expect.any(Number) });
    expect(vendor.submissions.slice(posts)).toMatchObject([{ fields: { prompt: 'a lake', seed: 7 } }]);
    const [{ url, content_type: type, bytes }] = trial.outputs;
    const output = await fetch(new URL(url, service.baseUrl), { headers: { Authorization: `Bearer ${TOKEN}` } });
    expect(output.headers.get('content-type')).toBe(type);
    expect(output.headers.get('cache-control')).toBe('private, no-store');
    expect((await output.arrayBuffer()).byteLength).toBe(bytes);
    const { entries } = (await admin('GET', 'audit?action=model.try')).body;
    expect(entries[0]).toMatchObject({ actor: 'operator', details: { id: 'fluw', revision: 1, saved: true } });
  });

  it('not as a user, not without its output, not a model that is not there', async () => {
    const path = '/admin/api/trials/1/outputs/1';
    expect((await service.call('GET', path)).status).toBe(401);
    expect((await service.call('GET', path, { token: user.token })).status).toBe(401);
    expectRefusal(await admin('GET', 'trials/1/outputs/9'), 404, 'not_found');
    expectRefusal(await admin('GET', 'trials/999999'), 404, 'not_found');
    expectRefusal(await admin('POST', 'models/nothing/try', {}), 404, 'not_found');
  });
});

describe('the command line knows the entries of the database', () => {
  const run = (...args: string[]) => {
    const { data, database, secrets } = service.settings;
    const env = { DATA_DIR: data.folder, DATABASE_URL: database.url!, SECRET_KEY: secrets.key! };
    return runCommand(env, ...args, '--json');
  };

  it('tries, lists and checks them', async () => {
    const tried = await run('models', 'try', 'fluw', '--prompt', 'a lake', '--set', 'seed=3');
    expect([tried.complaints, JSON.parse(tried.out)]).toMatchObject(['', [{ credits: 3 }]]);
    expect(vendor.submissions.at(-1)).toMatchObject({ fields: { seed: 3 } });
    const listed = JSON.parse((await run('models', 'list')).out) as { id: string }[];
    expect(listed.map(({ id }) => id)).toContain('fluw');
    const found = JSON.parse((await run('models', 'check')).out) as { check: string; state: string }[];
    expect(found).toContainEqual(expect.objectContaining({ check: 'provider vendor', state: 'well' }));
  });
});
