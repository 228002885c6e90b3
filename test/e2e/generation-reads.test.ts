/** @tier test */
import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { expectRefusal } from '../support/expectations.ts';
import { itHere, startService } from '../support/service.ts';
import {
  NOT_GIVEN,
  allEvents,
  ended,
  fill,
  newClient,
  outsider,
  photo,
  pictures,
  service,
} from '../support/generation-stage.ts';
import { untilTestEnds } from '../support/use-service.ts';
/** Without the times of the changes that these calls make. */
const withoutTimes = (json: string) => json.replaceAll(/"updated_at":"[^"]+"/g, '');

describe('reading generations', () => {
  it('shows one with all its outputs to its workspace, and streams its end', async () => {
    const client = await newClient();
    const { body } = await client.generate({ model: 'local-image', prompt: 'a fox', seed: 1, count: 2, width: 64 });
    const id = body.generation_id as number;
    expect(body.cost).toBe(8);
    await ended(client, id);
    const { body: generation } = await client.get(`/v2/generations/${id}`);
    const thumbnail = { url: expect.stringMatching(/^http.*generation-\d+-64\.webp$/), width: 64, height: 64 };
    const output = {
      index: 0,
      name: 'a fox 1',
      file_id: expect.any(Number),
      url: expect.stringMatching(/^http.*generation-/),
      content_type: expect.stringMatching(/^image\//),
      width: 64,
      height: expect.any(Number),
      duration: null,
      placeholder: expect.any(String),
      label: null,
      score: null,
      thumbnails: [thumbnail],
    };
    expect(generation).toEqual({
      status: true,
      requested_model: 'local-image',
      customer: null,
      metadata: null,
      id,
      state: 'succeeded',
      progress: 1,
      model: 'local-image',
      kind: 'image',
      pid: client.pid,
      user_id: client.user.id,
      prompt: 'a fox',
      parameters: { seed: 1, width: 64, count: 2, strength: 0.75 },
      inputs: { image: null, style_reference: null, start_frame: null, ...NOT_GIVEN },
      style: null,
      parent: null,
      batch_id: null,
      cell: null,
      outputs: [output, { ...output, index: 1, name: 'a fox 1 (2)' }],
      error: null,
      cost: 8,
      processing_url: `gen_${id}`,
      created_at: expect.stringMatching(/Z$/),
      started_at: expect.stringMatching(/Z$/),
      finished_at: expect.stringMatching(/Z$/),
    });
    const urls = generation.outputs.map(({ url }: { url: string }) => url);
    expect(new Set(urls).size).toBe(2);
    expect((await client.get(`/v2/results?processing_url=gen_${id}`)).body.output).toEqual(urls);
    expect(await client.used()).toBe(8);
    const events = await allEvents(client, id);
    expect(events.map(({ event }) => event)).toEqual(['state', 'done']);
    expect({ status: true, ...events[1]!.data }).toEqual(generation);

    const hidden = await service.call('GET', `/v2/results?processing_url=gen_${id}`, { token: outsider.token });
    expectRefusal(hidden, 404, 'not_found');
  });

  itHere('is followed by as many streams of an account as there may be', async () => {
    const on = untilTestEnds(await startService({ STREAMS_PER_USER: '1' }, { worker: false }));
    const { token } = await on.signUp();
    const form = { model: 'local-image', width: 128, height: 128 };
    const id = (await on.call('POST', '/v2/generate', { token, form })).body.generation_id as number;
    const path = `/v2/generations/${id}/events`;
    const stream = await fetch(on.baseUrl + path, { headers: { authorization: `Bearer ${token}` } });
    expect(stream.status).toBe(200);
    const refused = await on.call('GET', path, { token });
    expectRefusal(refused, 429, 'rate_limited');
    expect(refused.headers.get('retry-after')).toBe('10');
  });

  itHere('shows files at the current PUBLIC_URL in every response, and pictures elsewhere as given', async () => {
    const client = await newClient();
    const { token } = client.user;
    const url = await fill(client, 7, await photo(64, 48, '#274e13'));
    const style = pictures.url('style.png');
    const call = { model: 'local-image', pid: client.pid, style_transfer: style, width: 128 };
    const { generation_id: id } = (await client.generate(call)).body;
    await ended(client, id);
    const board = `/v2/boards/${(await client.post('/v2/boards', { name: 'Summer' })).body.board.id}`;
    const { folder } = (await client.post(`${board}/folders`, { name: 'Sky' })).body;
    const { media } = (await client.post(`${board}/media`, { url, control_image: url, folder_id: folder.id })).body;
    await eventually(async () => (await client.get(board)).body.board.media[0].state === 'processed');
    const persona = `/v2/personas/${client.pid}`;
    const trainings = `${persona}/trainings`;
    const training = `${trainings}/${(await client.get(trainings)).body.trainings[0].id}`;

    const address = 'https://moved.example.com/';
    const moved = untilTestEnds(await service.withFilesAt('https://moved.example.com'));
    for (const [method, path, form] of [
      ['POST', '/v2/generate', { ...call, dry_run: 'true' }],
      ['GET', '/v2/generations', undefined],
      ['GET', `/v2/generations/${id}`, undefined],
      ['GET', `/v2/generations/${id}/events`, undefined],
      ['POST', '/v2/results', { processing_url: `gen_${id}` }],
      ['GET', persona, undefined],
      ['PUT', persona, {}],
      ['GET', `${persona}/files`, undefined],
      ['GET', trainings, undefined],
      ['GET', training, undefined],
      ['PUT', training, {}],
      ['GET', '/v2/library', undefined],
      ['GET', board, undefined],
      ['GET', `${board}/folders`, undefined],
      ['GET', `${board}/folders/${folder.id}`, undefined],
      ['GET', `${board}/media`, undefined],
      ['PUT', `${board}/media/${media.id}/move`, { folder_id: folder.id }],
    ] as const) {
      const request = { token, form };
      const first = await service.call(method, path, request);
      const [before, etag] = [JSON.stringify(first.body), first.headers.get('etag')];
      // A cached response of the former address is no longer the same.
      const headers = etag ? { 'if-none-match': etag } : undefined;
      const after = JSON.stringify((await moved.call(method, path, { ...request, headers })).body);
      expect([path, before.includes(`${service.filesAddress}files/`)]).toEqual([path, true]);
      expect(withoutTimes(after)).toBe(withoutTimes(before.replaceAll(service.filesAddress, address)));
    }
    const { body } = await moved.call('GET', `/v2/generations/${id}`, { token });
    expect(body.inputs.style_reference).toBe(style);
  });

  it('refuses ids and processing URLs that are none', async () => {
    const get = (path: string) => service.call('GET', path, { token: outsider.token });
    for (const id of ['0', 'x/events']) expect((await get(`/v2/generations/${id}`)).status).toBe(400);
    for (const url of ['', '12', 'gen_0', 'gen_x', 'gen_9999999999999999999']) {
      expectRefusal(await get(`/v2/results?processing_url=${url}`), 400, 'validation_failed', 'processing_url');
    }
  });
});
