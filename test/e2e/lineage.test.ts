/** @tier test */
import { expect, it } from '@jest/globals';
import { expectRefusal } from '../support/expectations.ts';
import { ended, newClient, outsider, service } from '../support/generation-stage.ts';
const PICTURE = { model: 'local-image', width: 64 };

it('the lineage of a generation is read with outputs, costs and prompts, by the workspace alone', async () => {
  const client = await newClient();
  const made = async (form: Record<string, unknown>) => {
    const { status, body } = await client.generate({ ...PICTURE, ...form } as never);
    expect(status).toBe(202);
    return ended(client, body.generation_id);
  };
  const first = await made({ prompt: 'a fox', count: 2 });
  const second = await made({ prompt: 'a red fox', parent: `${first.id}.1` });
  expect([first.parent, second.parent]).toEqual([null, { generation_id: first.id, output: 1 }]);

  const json = { ...PICTURE, parent: { generation_id: second.id, output: 0 }, dry_run: true };
  const dryRun = await service.call('POST', '/v2/generate', { token: client.user.token, json });
  expect(dryRun.body.parent).toEqual({ generation_id: second.id, output: 0 });

  const relative = ({ id, parent, state, model, kind, prompt, cost, user_id, created_at }: typeof first) => {
    return { id, parent, state, model, requested_model: model, kind, prompt, cost, user_id, created_at };
  };
  expect((await client.get(`/v2/generations/${second.id}/lineage`)).body).toEqual({
    status: true,
    ancestors: [{ ...relative(first), outputs: [first.outputs[1]] }],
    descendants: [],
    is_complete: true,
  });
  expect((await client.get(`/v2/generations/${first.id}/lineage`)).body.descendants).toEqual([
    { ...relative(second), outputs: second.outputs },
  ]);

  const { token } = outsider;
  expectRefusal(await service.call('GET', `/v2/generations/${first.id}/lineage`, { token }), 404, 'not_found');
  const stolen = await service.call('POST', '/v2/generate', { token, form: { ...PICTURE, parent: `${first.id}.0` } });
  expectRefusal(stolen, 404, 'not_found');
  expectRefusal(await client.generate({ ...PICTURE, parent: '987654321.0' }), 404, 'not_found');
  for (const [parent, field] of [
    [`${first.id}.2`, 'parent'],
    [`${first.id}`, 'parent'],
    ['0.0', 'parent.generation_id'],
    [`${first.id}.32768`, 'parent.output'],
  ] as const) {
    const refused = await client.generate({ ...PICTURE, parent });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, [field]]);
  }
  expect(await client.used()).toBe(12);
});
