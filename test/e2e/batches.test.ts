/** @tier test, 25 s */
import { describe, expect, it } from '@jest/globals';
import type { TestResponse } from '../support/call-api.ts';
import { eventually } from '../support/eventually.ts';
import { newClient, pictures, service, type Client } from '../support/generation-stage.ts';

const COST = 4;
const SMALL = { model: 'local-image', width: 128, height: 128 };
const MATRIX = {
  models: ['local-image'],
  prompts: ['a {animal} in the snow', 'a lake'],
  variables: { animal: ['fox', 'hare'] },
  parameters: { width: [128], height: 128 },
  seeds: [7],
};

const send = (client: Client, json: object, headers: Record<string, string> = {}) =>
  service.call('POST', '/v2/batches', { token: client.user.token, json, headers });
const create = async (client: Client, json: object): Promise<number> => {
  const { status, body } = await send(client, { name: 'Foxes', ...json });
  expect([status, body]).toEqual([202, expect.anything()]);
  return body.batch.id as number;
};
const ended = (client: Client, id: number) =>
  eventually(async () => {
    const { body } = await client.get(`/v2/batches/${id}`);
    return body.batch.state === 'ended' && body;
  });

describe('a batch', () => {
  it('is a generation of each cell, which have their place in its matrix, and ends with the last one', async () => {
    const client = await newClient();
    const { status, body } = await send(client, { name: 'Foxes', matrix: MATRIX });
    expect([status, body]).toEqual([
      202,
      {
        status: true,
        batch: {
          id: expect.any(Number),
          name: 'Foxes',
          state: 'running',
          cells: {
            total: 3,
            queued: expect.any(Number),
            running: expect.any(Number),
            succeeded: 0,
            failed: 0,
            canceled: 0,
          },
          cost: 3 * COST,
          used: 0,
          user_id: expect.any(Number),
          customer: null,
          metadata: null,
          axes: [
            { name: 'model', values: ['local-image'] },
            { name: 'prompt', values: MATRIX.prompts },
            { name: '{animal}', values: ['fox', 'hare'] },
            { name: 'width', values: ['128'] },
            { name: 'height', values: ['128'] },
            { name: 'seed', values: ['7'] },
          ],
          created_at: expect.any(String),
          ended_at: null,
        },
      },
    ]);
    const { id } = body.batch;
    const { batch, cells, next_cursor } = await ended(client, id);
    expect(batch).toMatchObject({ cells: { total: 3, succeeded: 3, queued: 0, running: 0 }, used: 3 * COST });
    expect([batch.ended_at, next_cursor]).toEqual([expect.any(String), null]);
    const shown = cells.map(({ cell, place, generation }: TestResponse['body']) => [
      cell,
      place,
      generation.prompt,
      generation.batch_id,
      generation.cell,
      generation.parameters,
    ]);
    const parameters = expect.objectContaining({ width: 128, height: 128, seed: 7 });
    expect(shown).toEqual([
      [1, [0, 0, 0, 0, 0, 0], 'a fox in the snow', id, 1, parameters],
      [2, [0, 0, 1, 0, 0, 0], 'a hare in the snow', id, 2, parameters],
      [3, [0, 1, null, 0, 0, 0], 'a lake', id, 3, parameters],
    ]);
    for (const { generation, output } of cells) {
      expect(output).toEqual(generation.outputs[0]);
      expect(output).toMatchObject({ width: 128, thumbnails: [{ width: 128 }] });
    }
    const list = await client.get(`/v2/generations?batch_id=${id}`);
    expect(list.body.generations.map(({ cell }: { cell: number }) => cell)).toEqual([3, 2, 1]);
    expect((await client.get('/v2/batches')).body).toMatchObject({
      batches: [{ id, state: 'ended' }],
      next_cursor: null,
    });
    expect(await client.used()).toBe(3 * COST);
  });

  it('has rows as JSON, as a form, and as CSV, which nothing else takes', async () => {
    const client = await newClient();
    const rows = [
      { ...SMALL, prompt: 'a "fox", red', seed: 1 },
      { ...SMALL, seed: 2 },
    ];
    const csv =
      'model,width,height,prompt,seed\r\nlocal-image,128,128,"a ""fox"", red",1\r\nlocal-image,128,128,,2\r\n';
    const sent = [
      await send(client, { name: 'JSON', rows }),
      await client.post('/v2/batches', { name: 'form', rows: JSON.stringify(rows) }),
      await fetch(`${service.baseUrl}/v2/batches?name=CSV`, {
        method: 'POST',
        headers: { authorization: `Bearer ${client.user.token}`, 'content-type': 'text/csv; charset=utf-8' },
        body: csv,
      }).then(async (response) => ({ status: response.status, body: (await response.json()) as never })),
    ];
    const made = [];
    for (const { status, body } of sent as { status: number; body: { batch: { id: number } } }[]) {
      expect(status).toBe(202);
      const { cells } = await ended(client, body.batch.id);
      made.push(
        cells.map(({ cell, place, generation: { prompt, parameters, state } }: TestResponse['body']) => {
          return { cell, place, prompt, seed: parameters.seed, state };
        }),
      );
    }
    const expected = [
      { cell: 1, place: [], prompt: 'a "fox", red', seed: 1, state: 'succeeded' },
      { cell: 2, place: [], prompt: null, seed: 2, state: 'succeeded' },
    ];
    expect(made).toEqual([expected, expected, expected]);
    const elsewhere = await fetch(`${service.baseUrl}/v2/generate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.user.token}`, 'content-type': 'text/csv' },
      body: 'model\nlocal-image',
    });
    expect(elsewhere.status).toBe(415);
  });

  it('has rows that are filled by a preset, and rows that go on from an output', async () => {
    const client = await newClient();
    const json = { name: 'Foxes', model: 'local-image', prompt: 'a {animal}', parameters: { width: 128, height: 128 } };
    const made = await service.call('POST', '/v2/presets', { token: client.user.token, json });
    const { id: preset_id } = made.body.preset;
    const first = await ended(client, await create(client, { rows: [{ ...SMALL, seed: 1 }] }));
    const parent = { generation_id: first.cells[0].generation.id, output: 0 };
    const id = await create(client, {
      rows: [
        { preset_id, variables: { animal: 'fox' }, seed: 2, parent },
        { preset_id, variables: { animal: 'hare' }, width: 64, parent: `${parent.generation_id}.0` },
      ],
    });
    const { cells } = await ended(client, id);
    const shown = cells.map(({ generation: { prompt, parameters, parent: of } }: TestResponse['body']) => {
      return [prompt, parameters.width, parameters.height, of];
    });
    expect(shown).toEqual([
      ['a fox', 128, 128, parent],
      ['a hare', 64, 128, parent],
    ]);
    const missing = { rows: [{ preset_id }, { ...SMALL, parent: { generation_id: 987_654, output: 0 } }] };
    const { status, body } = await send(client, { name: 'x', ...missing });
    expect([status, Object.keys(body.errors)]).toEqual([400, ['cells.1.variables.animal', 'cells.2']]);
  });

  it('of a dry run costs nothing and says what each cell would cost', async () => {
    const client = await newClient();
    const { status, body } = await send(client, { name: 'x', matrix: MATRIX, dry_run: true });
    expect([status, body]).toEqual([
      200,
      { status: true, dry_run: true, cells: 3, costs: [COST, COST, COST], cost: 3 * COST },
    ]);
    expect([await client.used(), (await client.get('/v2/batches')).body.batches]).toEqual([0, []]);
  });

  it.each<[what: string, request: object, errors: object]>([
    ['nothing', { name: 'x' }, { rows: ['or matrix is required, not both'] }],
    ['both', { name: 'x', rows: [SMALL], matrix: MATRIX }, { rows: ['or matrix is required, not both'] }],
    ['a row that is no object', { name: 'x', rows: [1] }, { 'rows[0]': ['must be an object'] }],
    ['a matrix that is no object', { name: 'x', matrix: [] }, { matrix: ['must be an object'] }],
    [
      'wrong cells',
      { name: 'x', rows: [SMALL, { ...SMALL, pid: 'x', seed: 1 }, { ...SMALL, width: 1 }] },
      { 'cells.2.pid': [expect.any(String)], 'cells.3.width': [expect.any(String)] },
    ],
  ])('with %s is refused', async (_, request, errors) => {
    const client = await newClient();
    for (const dry_run of [false, true]) {
      const { status, body } = await send(client, { ...request, dry_run });
      expect([status, body.code, body.errors]).toEqual([400, 'validation_failed', errors]);
    }
    expect(await client.used()).toBe(0);
  });

  it('lists the call of its webhook, and refuses one that must not be called', async () => {
    const client = await newClient();
    const refused = await send(client, { name: 'x', rows: [SMALL], webhook: 'http://10.0.0.1/' });
    expect([refused.status, refused.body.errors]).toEqual([400, { webhook: [expect.any(String)] }]);
    const webhook = pictures.url('hook');
    const id = await create(client, { rows: [SMALL], webhook });
    await ended(client, id);
    const deliveries = await eventually(async () => {
      const { body } = await client.get(`/v2/webhooks/deliveries?batch_id=${id}`);
      return body.deliveries.length > 0 && body.deliveries;
    });
    expect(deliveries).toMatchObject([{ batch_id: id, generation_id: null, url: webhook }]);
  });

  it('is paused, resumed, canceled and retried, and its cells are listed by their state', async () => {
    const client = await newClient();
    const rows = Array.from({ length: 10 }, (_, seed) => ({ ...SMALL, width: 512, height: 512, seed }));
    const id = await create(client, { rows });
    const command = async (name: string, of = id, form = {}) => {
      const { status, body } = await client.post(`/v2/batches/${of}/${name}`, form);
      return [status, status === 200 ? body.batch.state : body.code];
    };
    expect(await command('pause')).toEqual([200, 'paused']);
    await eventually(async () => (await client.get(`/v2/batches/${id}`)).body.batch.cells.running === 0);
    const { cells } = (await client.get(`/v2/batches/${id}`)).body.batch;
    expect(cells.queued).toBeGreaterThan(0);
    const queued = await client.get(`/v2/batches/${id}?state=queued&limit=200`);
    expect(queued.body.cells).toHaveLength(cells.queued);
    expect(await command('resume')).toEqual([200, 'running']);
    expect(await command('cancel')).toEqual([200, 'canceling']);
    const { batch } = await ended(client, id);
    expect(batch).toMatchObject({ cells: { failed: 0 }, used: batch.cells.succeeded * COST });
    for (const name of ['pause', 'resume', 'cancel', 'retry']) expect(await command(name)).toEqual([409, 'conflict']);
    const broken = await create(client, { rows: [{ ...SMALL, image: pictures.url('broken.txt') }] });
    expect((await ended(client, broken)).batch.cells).toMatchObject({ failed: 1 });
    expect(await command('retry', broken, { cells: '1' })).toEqual([200, 'running']);
    await ended(client, broken);
  });

  it('is followed by its events to the end', async () => {
    const client = await newClient();
    const id = await create(client, { rows: Array.from({ length: 4 }, (_, seed) => ({ ...SMALL, seed })) });
    const response = await fetch(`${service.baseUrl}/v2/batches/${id}/events`, {
      headers: { authorization: `Bearer ${client.user.token}` },
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^text\/event-stream/),
    ]);
    const text = await response.text();
    const events = [...text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(([, name, data]) => [
      name,
      JSON.parse(data!),
    ]);
    const names = events.map(([name]) => name);
    expect([names[0], names.at(-1), new Set(names.slice(1, -2))]).toEqual([
      'state',
      'done',
      new Set(names.includes('progress') ? ['progress'] : []),
    ]);
    expect(events.at(-1)![1]).toMatchObject({ id, state: 'ended', cells: { succeeded: 4 } });
  });
});
