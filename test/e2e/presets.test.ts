/** @tier test */
import { expect, it } from '@jest/globals';
import { expectRefusal } from '../support/expectations.ts';
import { newClient, outsider, service } from '../support/generation-stage.ts';
it('presets are saved by forms and by JSON, listed, changed, used and deleted, by the workspace alone', async () => {
  const client = await newClient();
  const { token } = client.user;
  const call = (method: string, path: string, json?: object) => service.call(method, path, { token, json });
  const form = { name: ' Owls ', model: 'local-image', prompt: 'an {animal}', parameters: '{"width":"64"}' };
  const made = await client.post('/v2/presets', form);
  const preset = {
    id: expect.any(Number),
    name: 'Owls',
    model: 'local-image',
    prompt: 'an {animal}',
    variables: ['animal'],
    parameters: { width: 64 },
    persona_id: null,
    style_transfer: null,
    missing: [],
    model_state: 'ok',
    successor: null,
    created_by: client.user.id,
    created_at: expect.stringMatching(/Z$/),
    updated_at: expect.stringMatching(/Z$/),
  };
  expect([made.status, made.body]).toEqual([201, { status: true, preset }]);
  const { id } = made.body.preset;
  expectRefusal(await call('POST', '/v2/presets', { name: 'Owls', model: 'local-image' }), 409, 'conflict');
  const changed = { name: 'Birds', persona_id: client.pid, style_transfer: 'none', parameters: null };
  expect((await call('PUT', `/v2/presets/${id}`, changed)).body.preset).toEqual({
    ...preset,
    ...changed,
    parameters: {},
  });
  expect((await client.get('/v2/presets')).body).toMatchObject({ presets: [{ id }], next_cursor: null });

  const accepted = await client.post('/v2/generate', { preset_id: id, variables: '{"animal":"owl"}', width: 64 });
  expect(accepted.body).toMatchObject({ model: 'local-image', cost: 4 });
  const { body: generation } = await client.get(`/v2/generations/${accepted.body.generation_id}`);
  expect(generation).toMatchObject({ prompt: 'an owl', pid: client.pid, parameters: { width: 64 } });
  const missing = await client.post('/v2/generate', { preset_id: id });
  expect([missing.status, missing.body.errors]).toEqual([
    400,
    { 'variables.animal': ['is required: the prompt has {animal}'] },
  ]);

  await client.get('/v2/presets');
  await call('DELETE', `/v2/personas/${client.pid}`);
  expect((await client.get('/v2/presets')).body.presets[0].missing).toEqual(['persona']);

  const stolen = { token: outsider.token, json: { preset_id: id } };
  expectRefusal(await service.call('POST', '/v2/generate', stolen), 404, 'not_found');
  expect((await service.call('GET', '/v2/presets', { token: outsider.token })).body.presets).toEqual([]);
  expect((await call('DELETE', `/v2/presets/${id}`)).body).toEqual({ status: true });
  expect((await client.get('/v2/presets')).body.presets).toEqual([]);
  expectRefusal(await call('DELETE', `/v2/presets/${id}`), 404, 'not_found');
});
