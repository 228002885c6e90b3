/** @tier deep, 60 s, about apps/api/src/http */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HostileClient, type HostileRequest, type Repeated } from '../support/hostile-client.ts';
import { useService } from '../support/use-service.ts';
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly items?: Schema;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
}
interface Operation {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Case {
  readonly name: string;
  readonly request: HostileRequest;
  /** True if it may succeed, as the input is not used. */
  readonly isIgnored?: boolean;
}

const MAX_STALL_MS = 200;
/** A little less than the largest body, and than that of a caller without a token. */
const [LARGE, SMALL] = [900_000, 15_000];
/** Two marks that are ordered by normalization, 4 bytes; 12 in a form or URL. */
const MARKS = '\u0301\u0323';
const ENCODED_MARKS = encodeURIComponent(MARKS);

const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

const PLANS = JSON.stringify({ free: { monthly_credits: 10_000, teams: true } });
const service = useService({ PLANS, TRUSTED_PROXIES: '127.0.0.1' }, { worker: false });
let client: HostileClient;
let token: string;
let document: Document;

beforeAll(async () => {
  ({ token } = await service.signUp());
  const make = async (path: string, json: object) => {
    const { status } = await service.call('POST', path, { token, json });
    expect([path, status < 300]).toEqual([path, true]);
  };
  // The first of each kind has the id 1, which is in all paths below.
  await make('/boards', { name: 'a' });
  await make('/boards/1/folders', { name: 'a' });
  await make('/boards/1/media', { extras: '1' });
  await make('/boards/1/notes', { text: 'a' });
  await make('/v2/personas/1/trainings', { image: 'https://example.com/a.png' });
  await make('/v2/generate', { model: 'local-image', width: 128, height: 128 });
  document = (await service.call('GET', '/openapi.json')).body as Document;
  client = new HostileClient(Number(new URL(service.baseUrl).port));
});
afterAll(async () => {
  await client?.stop();
});

/** Another address each time, so that no limit of failures ends the walk. */
let addresses = 0;
const nextAddress = () => `198.51.${(addresses >> 8) & 255}.${addresses++ & 255}`;

function resolved(schema: Schema): Schema {
  return schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)!]! : schema;
}

/** Where a text may stand in a JSON body: before and after it. */
function placesOf(schema: Schema): { readonly field: string; readonly before: string; readonly after: string }[] {
  return Object.entries(resolved(schema).properties ?? {}).flatMap(([field, property]) => {
    const inner = property.items ? placesOf(property.items) : [];
    return [
      { field, before: `{"${field}":`, after: '}' },
      ...inner.map((each) => ({
        field: `${field}[].${each.field}`,
        before: `{"${field}":[${each.before}`,
        after: `${each.after}]}`,
      })),
    ];
  });
}

/**
 * Bodies of so many bytes for each field of a class that the parser of bodies takes: texts and lists, which the operation
 * has to refuse.
 */
function* bodiesFor(schema: Schema, bytes: number): Generator<[what: string, type: object, body: Repeated]> {
  const filled = (before: string, unit: string, after: string): Repeated => {
    const times = Math.floor((bytes - before.length - after.length) / Buffer.byteLength(unit));
    return { before, unit, times, after };
  };
  for (const { field, before, after } of placesOf(schema)) {
    yield [`${field} of marks`, JSON_TYPE, filled(`${before}"a`, MARKS, `"${after}`)];
    const list = filled(`${before}[`, '0,', `0]${after}`);
    yield [`wide ${field}`, JSON_TYPE, { ...list, times: Math.min(49_000, list.times) }];
    if (field.includes('.')) continue;
    for (const unit of [ENCODED_MARKS, ',']) yield [`${field} of ${unit}`, FORM_TYPE, filled(`${field}=a`, unit, '')];
  }
}

function* casesOf(path: string, method: string, operation: Operation): Generator<Case> {
  const { operationId: id, parameters = [], requestBody } = operation;
  const isPublic = operation.security.length === 0;
  const authorization = `Bearer ${token}`;
  const url = path.replaceAll(/\{\w+\}/g, '1');
  const request = (more: object, to = url): HostileRequest => ({
    method: method.toUpperCase(),
    path: to,
    headers: {},
    ...more,
  });
  const own = () => ({ ...(isPublic ? {} : { authorization }), 'x-forwarded-for': nextAddress() });
  const schema = requestBody?.content['application/json']?.schema;
  if (schema) {
    for (const [what, type, body] of bodiesFor(schema, isPublic ? SMALL : LARGE)) {
      yield { name: `${id}: ${what}`, request: request({ headers: { ...own(), ...type }, body }) };
    }
  } else if (requestBody) {
    const body = { unit: '[', times: LARGE };
    yield { name: `${id}: raw body`, request: request({ headers: own(), body }) };
  }
  for (const { name, in: place, schema: declared } of parameters) {
    for (const unit of ['x', ENCODED_MARKS, ',']) {
      const value = unit.repeat(Math.floor(SMALL / unit.length));
      const limit = declared.maxLength ?? Infinity;
      const isIgnored = place === 'path' || value.length / unit.length <= limit;
      const to =
        place === 'path' ? path.replace(`{${name}}`, value).replaceAll(/\{\w+\}/g, '1') : `${url}?${name}=${value}`;
      // A change that succeeds would end what the other cases need.
      if (place === 'query' && isIgnored && method !== 'get') continue;
      if (place !== 'header')
        yield { name: `${id}: ${name} of ${unit}`, request: request({ headers: own() }, to), isIgnored };
    }
  }
  const without = { 'x-forwarded-for': nextAddress() };
  if (!isPublic) {
    for (const [name, before, unit] of [
      ['authorization', 'Bearer a', ' '],
      ['authorization', 'Bearer ', 'a='],
      ['cookie', '', '; '],
    ] as const) {
      const value = { before, unit, times: Math.floor(SMALL / unit.length), after: '!' };
      yield { name: `${id}: ${name} of ${unit}`, request: request({ headers: without, header: { name, value } }) };
    }
  }
  if (parameters.some(({ name }) => name === 'Idempotency-Key')) {
    const header = { name: 'idempotency-key', value: { unit: 'k', times: SMALL } };
    yield { name: `${id}: Idempotency-Key`, request: request({ headers: own(), header }) };
  }
}

/** Headers that the service parses. */
const HEADERS = [
  'accept-encoding',
  'authorization',
  'content-type',
  'cookie',
  'idempotency-key',
  'if-none-match',
  'last-event-id',
  'origin',
  'range',
  'traceparent',
  'x-forwarded-for',
  'x-request-id',
];

function* otherCases(): Generator<Case> {
  const authorization = `Bearer ${token}`;
  for (const name of HEADERS) {
    const header = (times: number) => ({ name, value: { unit: 'a,', times } });
    const large = { method: 'GET', path: '/boards', headers: {}, header: header(LARGE / 2) };
    yield { name: `${name} of ${LARGE} bytes`, request: large };
    for (const path of ['/boards', '/boards/1', '/v2/generations/1/events', '/files/a/b.png', '/openapi.json']) {
      const small = { method: 'GET', path, headers: { authorization }, header: header(SMALL / 2) };
      yield { name: `${path}: ${name} of ${SMALL} bytes`, request: small, isIgnored: true };
    }
  }
  for (const unit of ['x', ENCODED_MARKS, '%2f']) {
    const name = unit.repeat(Math.floor(SMALL / unit.length));
    yield { name: `file name of ${unit}`, request: { method: 'GET', path: `/files/a/${name}`, headers: {} } };
    yield {
      name: `staging name of ${unit}`,
      request: { method: 'PUT', path: `/storage/staging/${name}?a=${unit}`, headers: {} },
    };
  }
}

async function walk(cases: Iterable<Case>): Promise<number> {
  const wrong: string[] = [];
  let count = 0;
  for (const { name, request, isIgnored = false } of cases) {
    const { status, stallMs } = await client.send(request);
    count++;
    if (stallMs > MAX_STALL_MS) wrong.push(`${name}: ${stallMs} ms`);
    if (status >= 500 || status === 0 || (status < 400 && !isIgnored)) wrong.push(`${name}: ${status}`);
  }
  expect(wrong).toEqual([]);
  return count;
}

describe('every operation of the OpenAPI document', () => {
  it('refuses texts and JSON beyond its limits, and delays no other request', async () => {
    const operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => [path, method, operation] as const),
    );
    expect(operations.length).toBeGreaterThan(50);
    const cases = function* () {
      for (const operation of operations) yield* casesOf(...operation);
    };
    expect(await walk(cases())).toBeGreaterThan(500);
  });

  it('has a limit of each text of a request', () => {
    const texts = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, { parameters = [], requestBody }]) => [
        ...parameters
          .filter((each) => each.in === 'query')
          .map((each) => [`${method} ${path} ${each.name}`, each.schema] as const),
        ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
          Object.entries(resolved(schema).properties ?? {}).map(
            ([name, each]) => [`${method} ${path} ${name}`, each] as const,
          ),
        ),
      ]),
    );
    const isText = ({ type }: Schema) => [type].flat().includes('string');
    const unlimited = texts.filter(
      ([, schema]) => isText(schema) && !('enum' in schema) && schema.maxLength === undefined,
    );
    expect(texts.length).toBeGreaterThan(100);
    expect(unlimited).toEqual([]);
  });
});

it('parameters of models, headers and file names delay no other request', async () => {
  const { models } = (await service.call('GET', '/v2/models', { token })).body as {
    models: { id: string; parameters: Schema }[];
  };
  const headers = () => ({ authorization: `Bearer ${token}`, 'x-forwarded-for': nextAddress() });
  const cases = function* (): Generator<Case> {
    for (const { id, parameters } of models) {
      for (const [what, type, body] of bodiesFor(parameters, LARGE)) {
        const more =
          type === JSON_TYPE
            ? { ...body, before: body.before!.replace('{', `{"model":"${id}",`) }
            : { ...body, before: `model=${id}&${body.before}` };
        yield {
          name: `${id}: ${what}`,
          request: { method: 'POST', path: '/v2/generate', headers: { ...headers(), ...type }, body: more },
        };
      }
    }
    yield* otherCases();
  };
  expect(await walk(cases())).toBeGreaterThan(100);
});
