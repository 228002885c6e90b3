/** @tier test, 30 s */
import { beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import type { TestRequest, TestResponse } from '../support/call-api.ts';
import { expectRefusal } from '../support/expectations.ts';
import {
  MONTHLY_CREDITS,
  NOT_GIVEN,
  allEvents,
  ended,
  fill,
  follow,
  newClient,
  outsider,
  photo,
  pictures,
  service,
  type Client,
} from '../support/generation-stage.ts';
describe('the main job', () => {
  let client: Client;
  let [style, main] = ['', ''];
  beforeAll(async () => {
    client = await newClient();
    style = await fill(client, 1, await photo(300, 200, '#f6b26b'));
    main = await fill(client, 7, await photo(400, 300, '#274e13'));
  });

  it('makes a picture from slots 1 and 7: generate, watch, open', async () => {
    const before = await client.used();
    const { status, body } = await client.generate({
      model: 'local-image',
      pid: client.pid,
      style_transfer: 'persona',
      prompt: 'a sphere, oil painting',
      seed: '7',
    });
    expect(status).toBe(202);
    expect(body).toEqual({
      status: true,
      generation_id: expect.any(Number),
      state: 'queued',
      requested_model: 'local-image',
      customer: null,
      metadata: null,
      model: 'local-image',
      kind: 'image',
      cost: 4,
      inputs: { image: main, style_reference: style, start_frame: null, ...NOT_GIVEN },
      style: null,
      parent: null,
      processing: true,
      processing_url: `gen_${body.generation_id}`,
      progress: { state: 'queued', percent: 0, started_at: null },
    });
    expect(Object.keys(body)[0]).toBe('status');

    const events = await allEvents(client, body.generation_id);
    const done = events.at(-1)!;
    expect(events[0]!.event).toBe('state');
    expect(done).toMatchObject({ event: 'done', data: { id: body.generation_id, state: 'succeeded' } });
    const states = events.filter(({ event }) => event === 'state').map(({ data }) => data.state);
    expect(['queued', 'running', 'succeeded'].slice(-states.length)).toEqual(states);

    const [output] = done.data.outputs;
    expect(output).toMatchObject({ content_type: expect.stringMatching(/^image\//), duration: null });
    const opened = await fetch(output.url);
    expect(opened.status).toBe(200);
    expect(opened.headers.get('content-type')).toBe(output.content_type);
    const { width, height } = await sharp(Buffer.from(await opened.arrayBuffer())).metadata();
    expect({ width, height }).toEqual({ width: output.width, height: output.height });

    const results = await client.post('/v2/results', { processing_url: body.processing_url });
    expect(results.status).toBe(200);
    expect(results.body).toEqual({
      status: true,
      processing: false,
      processing_url: body.processing_url,
      progress: { state: 'succeeded', percent: 100, started_at: expect.stringMatching(/Z$/) },
      output: output.url,
      customer: null,
      metadata: null,
    });
    expect(await client.used()).toBe(before + 4);

    const { files } = (await client.get(`/v2/personas/${client.pid}/files`)).body;
    expect(files.map(({ url }: { url: string }) => url)).toContain(output.url);
  });
});

describe('a call', () => {
  let client: Client;
  beforeAll(async () => {
    client = await newClient();
  });

  it.each([
    ['no model', { model: undefined }, 400, 'validation_failed', 'model'],
    ['a pid that is no integer', { pid: 'x' }, 400, 'validation_failed', 'pid'],
    ['an unknown pid', { pid: 987_654_321 }, 404, 'not_found', undefined],
    ['a prompt that is too long', { prompt: 'x'.repeat(10_001) }, 400, 'validation_failed', 'prompt'],
    ['dry_run that is no boolean', { dry_run: 'maybe' }, 400, 'validation_failed', 'dry_run'],
    ['an image that is no URL', { image: 'fox.jpg' }, 400, 'validation_failed', 'image'],
  ])('is refused: %s', async (_, form, status, code, field) => {
    expectRefusal(await client.generate({ model: 'local-image', ...form }), status, code, field);
    expect(await client.used()).toBe(0);
  });

  it('is refused where a slot that it needs is empty', async () => {
    expectRefusal(await client.generate({ model: 'local-video', pid: client.pid }), 409, 'slot_empty');
  });

  it('has its fields in the body or in the query, and each once', async () => {
    const generate = (query: string, form: TestRequest['form'] = {}) => client.post(`/v2/generate?${query}`, form);
    for (const [query, form] of [
      [`model=local-image&seed=3&pid=${client.pid}&dry_run=true`, {}],
      ['seed=3&dry_run=true', { model: 'local-image' }],
    ] as const) {
      const { status, body } = await generate(query, form);
      expect([status, body.parameters.seed]).toEqual([200, 3]);
    }
    const twice = await generate('model=local-image&dry_run=true', { model: 'local-image' });
    expectRefusal(twice, 400, 'validation_failed', 'model');
  });

  it('with a processing_url polls like results, by every way, and starts and charges nothing', async () => {
    const { body } = await client.generate({ model: 'local-image', width: 64 });
    await ended(client, body.generation_id);
    const [used, all] = [await client.used(), (await client.get('/v2/generations')).body];
    const { processing_url } = body;
    const expected = (await client.post('/v2/results', { processing_url })).body;
    expect(expected).toMatchObject({ processing: false, progress: { state: 'succeeded' } });
    for (const poll of [
      client.generate({ processing_url }),
      client.generate({ processing_url, model: 'local-image', dry_run: 'true' }),
      client.post(`/v2/generate?processing_url=${processing_url}`),
      client.post(`/v2/results?processing_url=${processing_url}`),
      client.get(`/v2/results?processing_url=${processing_url}`),
    ]) {
      expect(await poll).toMatchObject({ status: 200, body: expected });
    }
    const foreign = { token: outsider.token, form: { processing_url } };
    expectRefusal(await service.call('POST', '/v2/generate', foreign), 404, 'not_found');
    expect([await client.used(), (await client.get('/v2/generations')).body]).toEqual([used, all]);
  });
});

describe('credits', () => {
  it('are asked for by 402 when a call costs more than is left', async () => {
    const client = await newClient();
    const call = { model: 'local-image', width: 64, count: 4 };
    for (let count = 0; count < MONTHLY_CREDITS / 16; count++) expect((await client.generate(call)).status).toBe(202);
    const refused = await client.generate({ ...call, count: 1 });
    expectRefusal(refused, 402, 'insufficient_credits', undefined, { insert_coin: true });
  });

  it('are released when an input is no picture, and the generation names it', async () => {
    const client = await newClient();
    const { body } = await client.generate({ model: 'local-image', image: pictures.url('no.txt') });
    expect(await client.used()).toBe(4);
    const generation = await ended(client, body.generation_id);
    const error = 'the image is not a picture that can be read';
    expect(generation).toMatchObject({ state: 'failed', outputs: [], error: { code: 'not_an_image', message: error } });
    expect(await client.used()).toBe(0);
    const results = await client.post('/v2/results', { processing_url: body.processing_url });
    expect(results.body).toMatchObject({ processing: false, progress: { state: 'failed' }, error });
    expect(results.body.output).toBeUndefined();
    expectRefusal(await client.post(`/v2/generations/${body.generation_id}/cancel`), 409, 'conflict');
  });

  it('are released at once when it is canceled while it runs, and watchers are notified', async () => {
    const client = await newClient();
    const image = pictures.url('start.png');
    const { body } = await client.generate({ model: 'local-video', image, duration: 8, fps: 30, width: 1280 });
    const id = body.generation_id as number;
    const names: string[] = [];
    let canceled: TestResponse | undefined;
    for await (const { event, data } of follow(client, id)) {
      names.push(`${event} ${data.state}`);
      if (data.state !== 'running' || canceled) continue;
      canceled = await client.post(`/v2/generations/${id}/cancel`);
      expect(canceled.status).toBe(200);
      expect(canceled.body).toMatchObject({ id, state: 'canceled', outputs: [] });
      expect(await client.used()).toBe(0);
    }
    expect(names.slice(-2)).toEqual(['state canceled', 'done canceled']);

    const again = await client.post(`/v2/generations/${id}/cancel`);
    expect([again.status, again.body.finished_at]).toEqual([200, canceled!.body.finished_at]);
    const results = await client.post('/v2/results', { processing_url: body.processing_url });
    const progress = { state: 'canceled' };
    expect(results.body).toMatchObject({ processing: false, progress, error: expect.any(String) });
  });
});
