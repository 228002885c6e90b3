/** @tier test */
import { describe, expect, it } from '@jest/globals';
import { aPng } from '#testing/sources';
import type { TestRequest } from '../support/call-api.ts';
import { eventually } from '../support/eventually.ts';
import { expectRefusal } from '../support/expectations.ts';
import { itHere } from '../support/service.ts';
import { useService } from '../support/use-service.ts';

const service = useService();
const call = (token: string, method: string, path: string, request: TestRequest = {}) =>
  service.call(method, path, { token, ...request });
/** Costs 4 credits. */
const CALL = { model: 'local-image', prompt: 'a fox', width: 64, height: 64 };
const generate = (token: string, json: object = {}) =>
  call(token, 'POST', '/v2/generate', { json: { ...CALL, ...json } });
const HOSTILE = {
  customer: `${'😀'.repeat(250)}/ %?#`,
  metadata: JSON.parse('{"__proto__": "a", "constructor": "\\n"}') as object,
};

const NOT_GROUPED = { day: null, model: null, user_id: null, email: null };

describe('customers', () => {
  it('spend their budget and no more, by their label', async () => {
    const { token } = await service.signUp();
    const path = `/v2/customers/${encodeURIComponent(HOSTILE.customer)}`;
    const { customer } = (await call(token, 'PUT', path, { json: { name: 'Ada', total_credits: 20 } })).body;
    expect(customer).toMatchObject({
      customer: HOSTILE.customer,
      name: 'Ada',
      monthly_credits: null,
      total_credits: 20,
    });
    for (let count = 0; count < 5; count += 1) {
      const { status, body } = await generate(token, { ...HOSTILE, wait: 60 });
      expect([status, body.progress.state, body.customer]).toEqual([200, 'succeeded', HOSTILE.customer]);
      expect(JSON.stringify(body.metadata)).toBe(JSON.stringify(HOSTILE.metadata));
    }
    const refused = await generate(token, HOSTILE);
    expectRefusal(refused, 402, 'budget_exceeded');
    expect(refused.body.budget).toBe('customer');
    expect((await generate(token, { customer: 'another' })).status).toBe(202);
    const { customers } = (await call(token, 'GET', '/v2/customers')).body;
    expect(customers).toMatchObject([{ customer: 'another' }, { total: { used: 20, reserved: 0 } }]);
    const only = `customer=${encodeURIComponent(HOSTILE.customer)}`;
    expect((await call(token, 'GET', `/v2/generations?${only}`)).body.generations).toHaveLength(5);
    const { items } = (await call(token, 'GET', `/v2/library?${only}`)).body;
    expect(items).toHaveLength(5);
    expect(items[0]).toMatchObject({ customer: HOSTILE.customer });
    await generate(token, { wait: 60 });
    const usage = async (more = '') => (await call(token, 'GET', `/v2/credits/usage?group_by=customer${more}`)).body;
    const largest = { ...NOT_GROUPED, customer: HOSTILE.customer, used: 20, reserved: 0, generations: 5 };
    const { usage: sums } = await usage();
    expect(sums[0]).toEqual(largest);
    expect(sums.slice(1).map((sum: { customer: string | null; used: number }) => [sum.customer, sum.used])).toEqual(
      expect.arrayContaining([
        ['another', 4],
        [null, 4],
      ]),
    );
    expect(await usage('&limit=1')).toMatchObject({ total_used: 28, usage: [largest] });
    expect(await usage('&limit=3')).toMatchObject({ total_used: 28, usage: sums });
    expect((await usage(`&${only}`)).usage).toEqual([largest]);
    for (const limit of [0, 1001]) {
      expectRefusal(await call(token, 'GET', `/v2/credits/usage?limit=${limit}`), 400, 'validation_failed', 'limit');
    }
  });

  it('are kept with boards, personas, uploads and batches, and cleared with null', async () => {
    const { token } = await service.signUp();
    for (const [path, field, more] of [
      ['/boards', 'board', { name: 'Moods' }],
      ['/v2/personas', 'persona', { name: 'Ada' }],
    ] as const) {
      const made = (await call(token, 'POST', path, { json: { ...more, ...HOSTILE } })).body[field];
      expect(JSON.stringify([made.customer, made.metadata])).toBe(JSON.stringify([HOSTILE.customer, HOSTILE.metadata]));
      const only = `${path}?customer=${encodeURIComponent(HOSTILE.customer)}`;
      expect((await call(token, 'GET', only)).body[`${field}s`]).toMatchObject([{ id: made.id }]);
      const cleared = await call(token, 'PUT', `${path}/${made.id}`, { json: { customer: null } });
      expect(cleared.body[field]).toMatchObject({ customer: null });
      expect(JSON.stringify(cleared.body[field].metadata)).toBe(JSON.stringify(HOSTILE.metadata));
      expect((await call(token, 'GET', only)).body[`${field}s`]).toEqual([]);
    }
    const upload = { filename: 'a.png', customer: 'user-1', metadata: JSON.stringify(HOSTILE.metadata) };
    const uploaded = (await call(token, 'POST', '/v2/upload', { form: upload })).body;
    expect(JSON.stringify([uploaded.customer, uploaded.metadata])).toBe(JSON.stringify(['user-1', HOSTILE.metadata]));
    const rows = [CALL, { ...CALL, customer: 'user-2' }];
    const json = { name: 'Foxes', rows, customer: 'user-1', metadata: HOSTILE.metadata };
    const { batch } = (await call(token, 'POST', '/v2/batches', { json })).body;
    const { cells } = (await call(token, 'GET', `/v2/batches/${batch.id}`)).body;
    expect(cells.map(({ generation }: { generation: { customer: string } }) => generation.customer)).toEqual([
      'user-1',
      'user-2',
    ]);
  });

  it('are named in the events of their boards and uploads', async () => {
    const { token } = await service.signUp();
    const { board } = (await call(token, 'POST', '/boards', { json: { name: 'Moods', customer: 'user-1' } })).body;
    const { generation_id: id } = (await generate(token, { wait: 60 })).body;
    const { outputs } = (await call(token, 'GET', `/v2/generations/${id}`)).body;
    const { media } = (await call(token, 'POST', `/boards/${board.id}/media`, { json: { url: outputs[0].url } })).body;
    await call(token, 'POST', `/boards/${board.id}/media/${media.id}/comments`, { json: { text: 'warmer' } });
    await call(token, 'DELETE', `/boards/${board.id}`);
    const form = { filename: 'a.png', customer: 'user-1' };
    const { signed_url, final_url } = (await call(token, 'POST', '/v2/upload', { form })).body;
    await fetch(signed_url, { method: 'PUT', headers: { 'content-type': 'image/png' }, body: aPng() });
    await call(token, 'GET', `/v2/finalize_upload?url=${encodeURIComponent(final_url)}`);
    const types = await eventually(async () => {
      const { events } = (await call(token, 'GET', '/v2/events')).body;
      return (
        events.length === 6 && events.map((each: { type: string; customer: string }) => [each.type, each.customer])
      );
    });
    expect(types).toEqual([
      ['board.created', 'user-1'],
      ['generation.succeeded', null],
      ['media.processed', 'user-1'],
      ['comment.created', 'user-1'],
      ['board.deleted', 'user-1'],
      ['upload.saved', 'user-1'],
    ]);
  });

  it.each([
    { customer: '' },
    { customer: 'a\u0000' },
    { customer: 'x'.repeat(256) },
    { metadata: { a: 1 } },
    { metadata: [] },
  ])('of %j are refused before any work, or mean none', async (json) => {
    const { token } = await service.signUp();
    const { status, body } = await generate(token, { ...json, dry_run: true });
    if (json.customer === '') expect([status, body.customer]).toEqual([200, null]);
    else expect([status, body.code]).toEqual([400, 'validation_failed']);
  });

  it('bind a token to them, and what is made with it', async () => {
    const { token: owner } = await service.signUp();
    const make = (maker: string, customer?: string) =>
      call(maker, 'POST', '/v2/auth/tokens', { json: { name: 'app', customer } });
    const { token } = (await make(owner, 'user-1')).body;
    expect((await generate(token, { dry_run: true })).body.customer).toBe('user-1');
    expect((await generate(token, { customer: 'user-1', dry_run: true })).status).toBe(200);
    expectRefusal(await generate(token, { customer: 'user-2' }), 403, 'forbidden');
    expectRefusal(await call(token, 'GET', '/v2/generations?customer=user-2'), 403, 'forbidden');
    expectRefusal(await call(token, 'GET', '/v2/events?customer=user-2'), 403, 'forbidden');
    expectRefusal(await call(token, 'PUT', '/v2/customers/user-1', { json: {} }), 403, 'forbidden');
    expectRefusal(await make(token, 'user-2'), 403, 'forbidden');
    expect((await make(token)).body.customer).toBe('user-1');
  });

  it('get Server-Timing with every response', async () => {
    for (const path of ['/health/live', '/v2/nothing', '/v2/models']) {
      const { headers } = await service.call('GET', path);
      expect(headers.get('server-timing')).toMatch(/^x12;dur=\d+\.\d, wait;dur=\d+\.\d$/);
    }
  });
});

describe('calls that wait', () => {
  const waitFor = (token: string, wait: number, request: TestRequest = {}) =>
    call(token, 'POST', '/v2/generate', { json: { ...CALL, wait }, ...request });
  const generationsOf = async (token: string) => (await call(token, 'GET', '/v2/generations')).body.generations;
  const headers = { 'Idempotency-Key': 'fox-1' };

  itHere('with an Idempotency-Key wait for one generation, and for no connection of each other', async () => {
    const { token } = await service.signUp();
    await service.stopWorker();
    const first = waitFor(token, 60, { headers });
    await eventually(async () => (await generationsOf(token)).length === 1);
    // More than the process has connections to the database.
    const repeated = [1, 2, 3, 4, 5, 6].map(() => waitFor(token, 60, { headers }));
    const [{ id, state }] = await generationsOf(token);
    expect(state).toBe('queued');
    await service.startWorker();
    for (const [index, response] of (await Promise.all([first, ...repeated])).entries()) {
      const { status, body } = response;
      expect([status, body.generation_id, body.progress.state]).toEqual([200, id, 'succeeded']);
      expect(response.headers.get('idempotent-replayed')).toBe(index === 0 ? null : 'true');
    }
    expect(await generationsOf(token)).toHaveLength(1);
  });

  itHere('get the acceptance when their time is over, and the results when they are repeated', async () => {
    const { token } = await service.signUp();
    await service.stopWorker();
    const accepted = await waitFor(token, 1, { headers });
    expect([accepted.status, accepted.body.state]).toEqual([202, 'queued']);
    await service.startWorker();
    await eventually(async () => (await generationsOf(token))[0].state === 'succeeded');
    const { status, body } = await waitFor(token, 1, { headers });
    expect([status, body.generation_id]).toEqual([200, accepted.body.generation_id]);
    expect(body).toMatchObject({ processing: false, output: expect.any(String) });
  });

  itHere('cancel nothing when their connection is closed', async () => {
    const { token } = await service.signUp();
    await service.stopWorker();
    const leaving = new AbortController();
    const left = waitFor(token, 60, { signal: leaving.signal }).catch(({ name }: Error) => name);
    await eventually(async () => (await generationsOf(token)).length === 1);
    leaving.abort();
    expect(await left).toBe('AbortError');
    await service.startWorker();
    await eventually(async () => !['queued', 'running'].includes((await generationsOf(token))[0].state));
    expect(await generationsOf(token)).toMatchObject([{ state: 'succeeded' }]);
  });
});
