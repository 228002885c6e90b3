/** @tier test */
import { describe, expect, it, jest } from '@jest/globals';
import { ERROR_CODES } from '#kernel';
import { freePort } from '#process';
import { HealthChecks } from '../../apps/api/src/health/health-checks.ts';
import { api, call, get, rawCall, startAnother, textOf } from '../support/probe-stage.ts';

describe('a response', () => {
  const thing = '{"id":5,"parent_id":null,"created_at":"1970-01-01T00:00:00.000Z"}';
  const json = 'application/json; charset=utf-8';
  it.each([
    ['begins with its status and has no undeclared field', '5', json, `{"status":true,"thing":${thing},"before":null}`],
    ['may be events', 'events', 'text/event-stream', 'event: state\ndata: {}\n\nevent: done\ndata: {}\n\n'],
  ])('%s', async (_, path, type, expected) => {
    const { text, headers } = await textOf(`/v2/things/${path}`);
    expect([headers.get('content-type'), text]).toEqual([type, expected]);
  });

  it('to HEAD is that to GET without the body', async () => {
    const { status, headers, body } = await call('HEAD', '/v2/things/5');
    expect([status, body]).toEqual([200, {}]);
    expect(Number(headers.get('content-length'))).toBeGreaterThan(50);
  });

  it('does not reveal the framework and has security headers', async () => {
    const { headers } = await get('/v2/things');
    const of = ['x-powered-by', 'x-content-type-options', 'cache-control'].map((name) => headers.get(name));
    expect(of).toEqual([null, 'nosniff', 'no-store']);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it('may be read by pages of any origin, with a token too', async () => {
    const { headers } = await get('/v2/things', { headers: { origin: 'https://app.example' } });
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-expose-headers')).toContain('X-Request-Id');
    const asked = {
      origin: 'https://app.example',
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'authorization,content-type,idempotency-key',
    };
    const preflight = await call('OPTIONS', '/v2/things/1', { headers: asked });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PUT');
    expect(preflight.headers.get('access-control-allow-headers')).toContain('idempotency-key');
  });

  it("carries the client's request id if it is valid, else a new one", async () => {
    const idOf = async (given: string): Promise<string> => {
      const { headers, body } = await get('/v2/nothing', { headers: { 'x-request-id': given } });
      expect(body.request_id).toBe(headers.get('x-request-id'));
      return String(body.request_id);
    };
    for (const valid of ['abc-DEF_123', 'a'.repeat(128)]) expect(await idOf(valid)).toBe(valid);
    const created = await Promise.all(['', 'a'.repeat(129), 'a b', 'a"b'].map(idOf));
    expect(new Set(created).size).toBe(4);
    for (const id of created) expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('an error', () => {
  it.each([
    ['validation_failed', 400],
    ['unauthenticated', 401],
    ['insufficient_credits', 402],
    ['plan_required', 403],
    ['not_found', 404],
    ['slot_empty', 409],
    ['file_expired', 410],
    ['request_timeout', 408],
    ['too_large', 413],
    ['unsupported_file_type', 415],
    ['idempotency_key_reused', 422],
    ['rate_limited', 429],
    ['headers_too_large', 431],
    ['internal_error', 500],
    ['unavailable', 503],
  ])('%s has the status %d', async (code, expected) => {
    const { status, body } = await get(`/v2/things/errors/${code}`);
    expect(status).toBe(expected);
    expect(body).toMatchObject({ status: false, code, message: 'a sentence' });
    expect(body.insert_coin).toBe(code === 'insufficient_credits' ? true : undefined);
  });

  it('that is unexpected reveals nothing', async () => {
    const { status, headers, body } = await get('/v2/things/broken');
    const request_id = headers.get('x-request-id');
    const message = 'something went wrong on our side';
    expect([status, body]).toEqual([500, { status: false, code: 'internal_error', message, request_id }]);
  });
});

describe('the documentation', () => {
  interface Operation {
    readonly responses: Record<string, object>;
    readonly parameters: readonly { readonly name: string }[];
    readonly requestBody?: { readonly content: object; readonly required: boolean };
    readonly security: readonly object[];
  }
  interface Document {
    readonly openapi: string;
    readonly paths: Record<string, Record<string, Operation>>;
    readonly components: { readonly schemas: Record<string, { properties: Record<string, object> }> };
  }

  it('of a call describes its request, its responses and its errors', async () => {
    const { openapi, paths, components } = JSON.parse((await textOf('/openapi.json')).text) as Document;
    expect(openapi).toBe('3.1.0');
    const create = paths['/v2/things']!.post!;
    const types = ['multipart/form-data', 'application/x-www-form-urlencoded', 'application/json'];
    expect(Object.keys(create.requestBody!.content)).toEqual(types);
    expect(create.requestBody!.required).toBe(true);
    expect(create.parameters.map(({ name }) => name)).toEqual(['Idempotency-Key']);
    const statuses = [201, 400, 401, 403, 408, 409, 413, 415, 422, 429, 431, 500, 503];
    expect(Object.keys(create.responses).map(Number)).toEqual(statuses);
    expect(Object.keys(paths['/v2/things/{id}']!.put!.responses)).toContain('403');
    expect(paths['/v2/things/{id}']!.get!.parameters).toEqual([
      { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } },
    ]);
    expect(paths['/v2/things']!.get!.parameters.map(({ name }) => name)).toEqual(['limit', 'cursor']);
    expect(paths['/v2/open/login']!.post!.security).toEqual([]);
    expect(paths['/v2/open/bytes/{key}']).toBeUndefined();
    expect(paths['/open/login']).toBeUndefined();
    const { ThingRequest, ThingResponse, Error: error } = components.schemas;
    const name = { type: 'string', minLength: 1, maxLength: 20, examples: ['Lamp'] };
    const slot = { type: 'integer', minimum: 1, maximum: 7, examples: [3] };
    const parent_id = { type: ['integer', 'null'], minimum: 1, examples: [null] };
    const properties = {
      name: { description: 'Name of the thing.', ...name },
      slot: { description: 'Its place.', ...slot },
      parent_id: { description: 'What it hangs on.', ...parent_id },
      lit: { description: 'Whether it is lit.', type: 'boolean', examples: [true] },
    };
    expect(ThingRequest).toEqual({ type: 'object', required: ['name'], properties });
    expect(ThingResponse!.properties.before).toMatchObject({
      anyOf: [{ $ref: '#/components/schemas/ThingDto' }, { type: 'null' }],
    });
    expect(JSON.stringify(error)).toContain(ERROR_CODES.join('","'));
  });

  it('is built once, and not sent again to a client that has it', async () => {
    const first = await textOf('/openapi.json');
    const etag = first.headers.get('etag')!;
    expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const write = jest.spyOn(JSON, 'stringify');
    const again = await textOf('/openapi.json');
    expect(write).not.toHaveBeenCalled();
    write.mockRestore();
    expect([again.text === first.text, again.headers.get('etag')]).toEqual([true, etag]);
    expect(await rawCall('GET', '/openapi.json', { 'if-none-match': etag })).toMatchObject({ status: 304, body: {} });
  });

  it('is a page that loads everything from this service', async () => {
    const { text: html, headers } = await textOf('/docs');
    expect(headers.get('content-security-policy')).toContain("script-src 'self'");
    const sources = [...html.matchAll(/(?:src|href)=["']([^"']+)["']/g)].map(([, source]) => source!);
    expect(sources.length).toBeGreaterThan(3);
    for (const source of sources) {
      const { status, url } = await fetch(new URL(source, `${api.url}/docs`));
      expect([url.startsWith(api.url), status]).toEqual([true, 200]);
    }
    expect(html).not.toMatch(/<script>/);
    // This option would keep tokens in the browser's storage.
    const { text: script } = await textOf('/docs/swagger-ui-init.js');
    expect(script).toContain('"persistAuthorization": false');
  });
});

describe('monitoring', () => {
  it('shows that the process is alive, and which required dependency is down', async () => {
    const on = await startAnother({});
    expect(await get('/health/live', { as: '', on })).toMatchObject({ status: 200, body: { status: true } });
    const health = on.app.get(HealthChecks);
    health.register('queue', () => Promise.reject(new Error('at 10.0.0.1')));
    health.register('storage', () => new Promise(() => undefined));
    health.register('late', () => Promise.reject(new Error('no')), { isNeeded: false });
    const { status, headers, body } = await get('/health/ready', { as: '', on });
    const message = 'queue and storage cannot be reached';
    const request_id = headers.get('x-request-id');
    expect(status).toBe(503);
    expect(body).toMatchObject({ status: false, code: 'unavailable', message, request_id });
    const checks = body.checks as { name: string; state: string }[];
    const states = checks.map(({ name, state }) => `${name} ${state}`);
    expect(states).toEqual(['database up', 'queue down', 'storage down', 'late down']);
  });

  it('serves as long as the database is there, until it stops', async () => {
    const on = await startAnother({});
    const health = on.app.get(HealthChecks);
    health.register('storage', () => Promise.reject(new Error('no')));
    expect(await get('/health/ready', { as: '', on })).toMatchObject({ status: 503 });
    const { status, body } = await get('/health/serving', { as: '', on });
    expect([status, body.checks]).toEqual([200, [{ name: 'database', state: 'up', latency_ms: expect.any(Number) }]]);
    health.drain();
    for (const path of ['/health/serving', '/health/ready']) {
      const message = expect.stringMatching(/^the process is stopping/);
      expect(await get(path, { as: '', on })).toMatchObject({ status: 503, body: { code: 'unavailable', message } });
    }
    expect(await get('/health/live', { as: '', on })).toMatchObject({ status: 200 });
  });

  it('says which dependency refuses writes, and asks each at most every few seconds', async () => {
    const on = await startAnother({});
    const health = on.app.get(HealthChecks);
    let asked = 0;
    const writes = () => Promise.reject(new Error(`asked ${++asked}`));
    health.register('storage', async () => undefined, { writes });
    const responses = [await get('/health/ready', { as: '', on }), await get('/health/ready', { as: '', on })];
    for (const { status, body } of responses) {
      expect([status, body.message]).toEqual([503, 'storage cannot be written to']);
      const states = (body.checks as { name: string; state: string }[]).map(({ name, state }) => `${name} ${state}`);
      expect(states).toEqual(['database up', 'storage read_only']);
    }
    expect(asked).toBe(1);
  });

  it('measures requests by route and status, not by path', async () => {
    await get('/v2/things/1234567');
    await get('/v2/nowhere/1234567');
    const { text } = await textOf('/metrics');
    const count = 'http_request_duration_seconds_count';
    expect(text).toContain(`${count}{method="GET",route="/v2/things/:id",status="200"}`);
    expect(text).toContain(`${count}{method="GET",route="none",status="404"}`);
    expect(text).toContain('process_resident_memory_bytes');
    expect(text).not.toContain('1234567');
  });

  it('serves the metrics on their own port only, if one is set', async () => {
    const port = await freePort();
    const on = await startAnother({ METRICS_PORT: String(port) });
    expect((await get('/metrics', { as: '', on })).status).toBe(404);
    const response = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('process_resident_memory_bytes');
    expect((await fetch(`http://127.0.0.1:${port}/v2/things`)).status).toBe(404);
  });
});
