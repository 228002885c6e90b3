import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { all, client, error, hangUp, json, responses, seen, type Respond } from '../../../test/support/scripted-api.ts';

describe('the client follows a generation', () => {
  const EVENTS = 'GET /v2/generations/7/events';
  const running = { status: true, id: 7, state: 'running', progress: 0.5, finished_at: null };
  const succeeded = { ...running, state: 'succeeded', progress: 1, finished_at: 'now', error: null };
  const event = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
  const stream =
    (...chunks: string[]): Respond =>
    (response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      for (const chunk of chunks) response.write(chunk);
    };
  /** A stream whose connection breaks. */
  const broken =
    (...chunks: string[]): Respond =>
    (response, request) => {
      stream(...chunks)(response, request);
      setTimeout(() => response.destroy(), 20);
    };
  /** A stream that ends with its last chunk, a little later than the others. */
  const ending =
    (...chunks: string[]): Respond =>
    (response, request) => {
      stream(...chunks.slice(0, -1))(response, request);
      setTimeout(() => response.end(chunks.at(-1)), 20);
    };
  const state = event('state', { state: 'running', progress: 0 });
  const done = event('done', succeeded);

  it('through broken streams, comments and split events', async () => {
    responses[EVENTS] = [broken(state, ': \n\n', done.slice(0, 20)), ending(done.slice(0, 30), done.slice(30))];
    const events = await all(client().generationEvents(7));
    expect(events).toEqual([
      { type: 'state', state: 'running', progress: 0 },
      { type: 'done', generation: succeeded },
    ]);
  });

  it('as it follows a batch', async () => {
    const batch = { id: 3, state: 'running' };
    const ended = { ...batch, state: 'ended' };
    responses['GET /v2/batches/3/events'] = [
      broken(event('state', batch)),
      stream(event('state', batch), event('progress', batch), event('done', ended)),
    ];
    expect(await all(client().batchEvents(3))).toEqual([
      { type: 'state', batch },
      { type: 'state', batch },
      { type: 'progress', batch },
      { type: 'done', batch: ended },
    ]);
  });

  it('as it follows a board, from the version that it knows', async () => {
    const changed = (version: number) => event('changed', { version }).replace('\ndata', `\nid: ${version}\ndata`);
    const people = [{ user_id: 1, name: 'Ada' }];
    responses['GET /v2/boards/5/events'] = [
      broken(changed(8), event('comment', { version: 8, media_id: 2 }), event('later', {})),
      ending(event('presence', { people })),
      error(404, 'not_found'),
    ];
    const events: object[] = [];
    const follow = async () => {
      for await (const each of client().boardEvents(5)) events.push(each);
    };
    await expect(follow()).rejects.toMatchObject({ code: 'not_found' });
    expect(events).toEqual([
      { type: 'changed', version: 8 },
      { type: 'comment', version: 8, media_id: 2 },
      { type: 'presence', people },
    ]);
    expect(seen.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '8', '8']);
  });

  it('no further than the token reaches', async () => {
    responses[EVENTS] = [ending(state), error(401, 'unauthenticated')];
    await expect(all(client().generationEvents(7))).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('to its end as soon as an event says so, before one without events', async () => {
    responses[EVENTS] = [stream(state, done)];
    responses['GET /v2/generations/8/events'] = [error(400, 'validation_failed')];
    for (const id of [7, 8]) responses[`GET /v2/generations/${id}`] = [json(200, running), json(200, succeeded)];
    const ended: number[] = [];
    await Promise.all(
      [8, 7].map((id) =>
        client()
          .waitFor(id)
          .then(() => ended.push(id)),
      ),
    );
    expect(ended).toEqual([7, 8]);
  });

  it('to its end without any event', async () => {
    responses['GET /v2/generations/7'] = [json(200, running), json(200, succeeded)];
    responses[EVENTS] = [error(400, 'validation_failed')];
    const progress: number[] = [];
    const ended = await client().waitFor(7, { onProgress: (now) => progress.push(now.progress) });
    expect([ended.state, progress]).toEqual(['succeeded', [0.5]]);
  });

  it.each([
    ['a broken connection', hangUp],
    ['502 of a proxy', (response: ServerResponse) => response.writeHead(502).end('<h1>Bad gateway</h1>')],
  ])('to its end through %s', async (_, failure) => {
    responses['GET /v2/generations/7'] = [failure, json(200, succeeded)];
    responses[EVENTS] = [error(400, 'validation_failed')];
    await expect(client({ maxRetries: 0 }).waitFor(7)).resolves.toEqual(succeeded);
  });

  it('no further than it may be read', async () => {
    responses['GET /v2/generations/7'] = [error(404, 'not_found'), json(200, succeeded)];
    await expect(client().waitFor(7)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('until it is aborted while the service is away', async () => {
    responses['GET /v2/generations/7'] = [hangUp];
    const waiting = client({ maxRetries: 0 }).waitFor(7, { signal: AbortSignal.timeout(200) });
    await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('and says why one failed', async () => {
    const failure = { code: 'content_rejected', message: 'choose another prompt' };
    responses['POST /v2/generate'] = [json(202, { status: true, generation_id: 7 })];
    responses['GET /v2/generations/7'] = [json(200, { ...succeeded, state: 'failed', error: failure })];
    responses[EVENTS] = [stream(state)];
    await expect(client().run({ model: 'm' })).rejects.toMatchObject({ name: 'GenerationError', ...failure });
  });

  it('and cancels it when it is aborted', async () => {
    responses['POST /v2/generate'] = [json(202, { status: true, generation_id: 7 })];
    responses['GET /v2/generations/7'] = [json(200, running)];
    responses['POST /v2/generations/7/cancel'] = [json(200, succeeded)];
    responses[EVENTS] = [stream(state)];
    const run = client().run({ model: 'm' }, { signal: AbortSignal.timeout(200) });
    await expect(run).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(seen.at(-1)!.url).toBe('/v2/generations/7/cancel');
  });
});
