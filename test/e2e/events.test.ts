/** @tier test, 15 s */
import { afterEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { followStream, type FollowedStream } from '../support/board-stream.ts';
import { eventually } from '../support/eventually.ts';
import { teamOf } from '../support/team-of.ts';
import { callerOf, prepared, useService } from '../support/use-service.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
const receiver = prepared(startWebhookReceiver);
const service = useService(() => ({ FETCH_ALLOWED_HOSTS: receiver.host }));
const team = prepared(() => teamOf(service));
const owner = prepared(async () => team.owner);
const member = prepared(() => team.member());

const open: FollowedStream[] = [];
afterEach(async () => {
  for (const stream of open) stream.stop();
  await Promise.all(open.splice(0).map(({ closed }) => closed));
});

interface Listed {
  readonly id: string;
  readonly number: number;
  readonly type: string;
  readonly subject: { readonly type: string; readonly id: number };
  readonly data: Record<string, unknown>;
}

const call = callerOf(service, owner);
const events = async (query = '', { token } = owner): Promise<Listed[]> =>
  (await service.call('GET', `/v2/events?limit=200${query}`, { token })).body.events;
const newBoard = async (name = 'Summer'): Promise<number> =>
  (await call('POST', '/boards', { json: { name } })).body.board.id;
const ofBoard = (id: number, query = '') =>
  eventually(async () => {
    const found = await events(`&subject=board:${id}${query}`);
    return found.length > 0 && found;
  });
async function follow(query = '', headers: Record<string, string> = {}, { token } = owner): Promise<FollowedStream> {
  const stream = await followStream(`${service.baseUrl}/v2/events/stream${query}`, token, headers);
  open.push(stream);
  return stream;
}

describe('events', () => {
  it('have the objects as their GET returns them, of the kinds that they were told of', async () => {
    const request = { model: 'local-image', prompt: 'a fox', width: 64 };
    const { generation_id: id } = (await call('POST', '/v2/generate', { json: request })).body;
    const [event] = await eventually(async () => {
      const found = await events(`&subject=generation:${id}`);
      return found.length > 0 && found;
    });
    const { status: _, ...generation } = (await call('GET', `/v2/generations/${id}`)).body;
    expect(event).toEqual({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      number: expect.any(Number),
      type: 'generation.succeeded',
      created_at: generation.finished_at,
      subject: { type: 'generation', id },
      customer: null,
      data: { ...generation, outputs: [{ ...generation.outputs[0], thumbnails: expect.anything() }] },
    });
    const board = await newBoard();
    const { media } = (await call('POST', `/boards/${board}/media`, { json: { url: generation.outputs[0].url } })).body;
    await call('POST', `/boards/${board}/media/${media.id}/comments`, { json: { text: 'warmer' } });
    const told = (count: number) =>
      eventually(async () => {
        const found = await ofBoard(board);
        return found.length === count && found;
      });
    // An event has the data of its publication: the comment must not be deleted before.
    await told(3);
    await call('DELETE', `/boards/${board}`);
    expect(await told(4)).toMatchObject([
      { type: 'board.created', data: { id: board, name: 'Summer' } },
      { type: 'media.processed', data: { id: media.id, state: 'processed', url: generation.outputs[0].url } },
      { type: 'comment.created', data: { text: 'warmer', media_id: media.id, author: { user_id: owner.id } } },
      { type: 'board.deleted', data: { id: board, name: 'Summer' } },
    ]);
  });

  it('about the team are not shown to members, by list or stream', async () => {
    const colleague = await team.member();
    await call('PUT', `/v2/team/members/${colleague.id}/role`, { json: { role: 'admin' } });
    const types = '&types=member.role_changed,board.created';
    const board = await newBoard();
    await ofBoard(board);
    expect((await events(types)).map(({ type }) => type)).toEqual(
      expect.arrayContaining(['member.role_changed', 'board.created']),
    );
    expect(new Set((await events(types, member)).map(({ type }) => type))).toEqual(new Set(['board.created']));
    expect(await events('&types=member.role_changed', member)).toEqual([]);
    const stream = await follow('?after=0', {}, member);
    await stream.until(({ name }) => name === 'board.created');
    expect(stream.events.filter(({ name }) => name.startsWith('member.'))).toEqual([]);
  });

  it('are followed in their order, from the last one that a client has', async () => {
    const first = await newBoard('first');
    const [known] = await ofBoard(first);
    const board = await newBoard('second');
    const stream = await follow('?types=board.created', { 'last-event-id': String(known!.number) });
    const resumed = await stream.until(({ name }) => name === 'board.created');
    expect(resumed).toMatchObject({ data: { subject: { type: 'board', id: board }, data: { name: 'second' } } });
    expect(resumed.id).toBe((resumed.data as { number: number }).number);
    const live = await follow('?types=board.created');
    const next = await newBoard('third');
    expect(await live.until(() => true)).toMatchObject({ data: { subject: { id: next } } });
    expect(await stream.until(({ data }) => (data as Listed).subject.id === next)).toMatchObject({
      name: 'board.created',
    });
  });

  it('end with the role by which they were followed', async () => {
    const admin = await team.member('admin');
    const stream = await follow('', {}, admin);
    await call('PUT', `/v2/team/members/${admin.id}/role`, { json: { role: 'member' } });
    await stream.closed;
  });

  it.each([
    ['types=board.created,nothing', 'types'],
    ['types=', 'types'],
    ['subject=board', 'subject'],
    ['subject=nothing:1', 'subject'],
    ['after=-1', 'after'],
    ['before=0', 'before'],
    ['order=latest', 'order'],
    ['limit=201', 'limit'],
    [`customer=${'x'.repeat(256)}`, 'customer'],
  ])('are not listed for %s', async (query, field) => {
    const { status, body } = await call('GET', `/v2/events?${query}`);
    expect([status, Object.keys(body.errors)]).toEqual([400, [field]]);
  });
});

describe('a webhook endpoint', () => {
  afterEach(() => void receiver.calls.splice(0));

  it('gets events as they are listed, signed with its own secret, and lists its deliveries', async () => {
    const json = { url: `${receiver.url}/events`, types: ['board.created'], description: 'Mirror' };
    const created = await call('POST', '/v2/webhook_endpoints', { json });
    expect(created.status).toBe(201);
    const { secret, ...endpoint } = created.body.webhook_endpoint;
    expect(endpoint).toMatchObject({ ...json, active: true, state: 'active', last_error: null, failing_since: null });
    const board = await newBoard();
    await eventually(() => receiver.calls.length === 1);
    const [received] = receiver.calls;
    const [listed] = await ofBoard(board);
    expect(new Webhook(secret).verify(received!.body, received!.headers as Record<string, string>)).toEqual(listed);
    expect(received!.headers['webhook-id']).toBe(listed!.id);
    const deliveries = await eventually(async () => {
      const { body } = await call('GET', `/v2/webhooks/deliveries?endpoint_id=${endpoint.id}`);
      return body.deliveries[0]?.state === 'delivered' && body.deliveries;
    });
    expect(deliveries).toMatchObject([{ endpoint_id: endpoint.id, generation_id: null, message_id: listed!.id }]);

    await call('POST', `/v2/webhooks/deliveries/${deliveries[0].id}/redeliver`);
    await eventually(() => receiver.calls.length === 2);
    const again = await call('POST', `/v2/webhook_endpoints/${endpoint.id}/redeliver`, {
      json: { event_ids: [listed!.id] },
    });
    expect([again.status, again.body.events]).toEqual([202, 1]);
    await eventually(() => receiver.calls.length === 3);
    expect(new Set(receiver.calls.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([listed!.id]));

    const rotated = await call('POST', `/v2/webhook_endpoints/${endpoint.id}/secret`);
    expect(rotated.body.webhook_endpoint.secret).not.toBe(secret);
    const test = await call('POST', `/v2/webhook_endpoints/${endpoint.id}/test`);
    expect(test.status).toBe(202);
    await eventually(() => receiver.calls.length === 4);
    expect(JSON.parse(receiver.calls[3]!.body)).toMatchObject({ type: 'test', subject: { id: endpoint.id } });
    await call('DELETE', `/v2/webhook_endpoints/${endpoint.id}`);
    expect((await call('GET', `/v2/webhook_endpoints/${endpoint.id}`)).status).toBe(404);
  });

  it('is managed by admins and the owner, not by members', async () => {
    for (const method of ['GET', 'POST']) {
      const { status, body } = await service.call(method, '/v2/webhook_endpoints', { token: member.token });
      expect([status, body.code]).toEqual([403, 'forbidden']);
    }
  });

  it.each<[object, string]>([
    [{}, 'url'],
    [{ url: 'http://127.0.0.1/events' }, 'url'],
    [{ url: 'https://example.com', types: ['nothing'] }, 'types'],
    [{ url: 'https://example.com', types: [] }, 'types'],
    [{ url: 'https://example.com', description: 'x'.repeat(501) }, 'description'],
  ])('is refused as %j', async (json, field) => {
    const { status, body } = await call('POST', '/v2/webhook_endpoints', { json });
    expect([status, Object.keys(body.errors)]).toEqual([400, [field]]);
  });
});
