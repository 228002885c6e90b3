/** @tier test, 15 s */
import { afterEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { eventually } from '../support/eventually.ts';
import type { TestUser } from '../support/service.ts';
import { teamOf } from '../support/team-of.ts';
import { signaturesOf, startWebhookReceiver, type ReceivedCall } from '../support/webhook-receiver.ts';
import { prepared, useService } from '../support/use-service.ts';
const receiver = prepared(startWebhookReceiver);
const service = useService(() => ({ FETCH_ALLOWED_HOSTS: receiver.host }));
const ada = prepared(() => service.signUp());
afterEach(() => void receiver.calls.splice(0));

const call = (method: string, path: string, { token }: Pick<TestUser, 'token'> = ada, json?: object) =>
  service.call(method, path, { token, json });

/** Generates a small picture, and returns the generation's id and the call that tells of it. */
async function generate(user = ada): Promise<{ id: number; received: ReceivedCall }> {
  const before = receiver.calls.length;
  const webhook = `${receiver.url}/hook?key=a%20b`;
  const request = { model: 'local-image', prompt: 'a fox', width: 64, webhook };
  const { status, body } = await call('POST', '/v2/generate', user, request);
  expect(status).toBe(202);
  await eventually(() => receiver.calls.length > before);
  return { id: body.generation_id, received: receiver.calls.at(-1)! };
}
const verify = ({ headers, body }: ReceivedCall, secret: string) =>
  new Webhook(secret).verify(body, headers as Record<string, string>);
const secretOf = async (user = ada): Promise<string> => (await call('GET', '/v2/webhooks/secret', user)).body.secret;
const deliveriesOf = async (id: number, user = ada) =>
  (await call('GET', `/v2/webhooks/deliveries?generation_id=${id}`, user)).body.deliveries;
const delivered = (id: number, attempts: number) =>
  eventually(async () => {
    const [delivery] = await deliveriesOf(id);
    return delivery?.attempts.length === attempts && delivery.state === 'delivered' && delivery;
  });

describe('the webhook of a generation', () => {
  it('gets the results, signed so that Standard Webhooks verifies it, and is listed', async () => {
    const { id, received } = await generate();
    const secret = await secretOf();
    const message = verify(received, secret) as { data: object };
    const { body: results } = await call('GET', `/v2/results?processing_url=gen_${id}`);
    expect(message).toEqual({
      type: 'generation.succeeded',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      data: { generation_id: id, ...results },
    });
    expect(received.path).toBe('/hook?key=a%20b');
    expect(() => verify({ ...received, body: received.body.replace('succeeded', 'failed') }, secret)).toThrow();

    expect(await delivered(id, 1)).toEqual({
      id: expect.any(Number),
      generation_id: id,
      batch_id: null,
      endpoint_id: null,
      message_id: received.headers['webhook-id'],
      url: `${receiver.url}/hook?key=a%20b`,
      state: 'delivered',
      attempts: [{ at: expect.any(String), status: 204, error: null, duration_ms: expect.any(Number) }],
      next_attempt_at: null,
    });
  });

  it('is called again on demand, at once also when it has failed, and signed with both secrets after a rotation', async () => {
    const old = await secretOf();
    receiver.reply(500);
    const { id, received } = await generate();
    const failed = await eventually(async () => {
      const [delivery] = await deliveriesOf(id);
      return delivery.attempts.length === 1 && delivery;
    });
    expect(failed).toMatchObject({ state: 'pending', attempts: [{ status: 500, error: 'status_not_2xx' }] });
    const rotated = await call('POST', '/v2/webhooks/secret/rotate');
    const secret = rotated.body.secret as string;
    expect([rotated.status, await secretOf()]).toEqual([200, secret]);

    const again = await call('POST', `/v2/webhooks/deliveries/${failed.id}/redeliver`);
    expect([again.status, again.body.delivery]).toMatchObject([200, { id: failed.id, state: 'pending' }]);
    await delivered(id, 2);
    const repeated = receiver.calls.at(-1)!;
    expect(repeated.headers['webhook-id']).toBe(received.headers['webhook-id']);
    expect(repeated.headers['webhook-signature']).toBe(signaturesOf(repeated, [secret, old]));
    for (const each of [secret, old]) expect(verify(repeated, each)).toEqual(JSON.parse(repeated.body));
  });

  it('is managed by admins and the owner, not by members', async () => {
    const team = await teamOf(service);
    const user = await team.member();
    const calls = [
      ['GET', '/v2/webhooks/secret'],
      ['POST', '/v2/webhooks/secret/rotate'],
      ['GET', '/v2/webhooks/deliveries'],
    ] as const;
    const statuses = async () => {
      const all = [];
      for (const [method, path] of calls) all.push((await call(method, path, user)).status);
      return all;
    };
    expect(await statuses()).toEqual([403, 403, 403]);
    // An unknown delivery is not found, whatever the role.
    expect((await call('POST', '/v2/webhooks/deliveries/987654/redeliver', user)).status).toBe(404);
    await team.store.members.changeRole(team.workspaceId, user.id, 'admin');
    expect(await statuses()).toEqual([200, 200, 200]);
  });
});
