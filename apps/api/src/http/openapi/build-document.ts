import type { INestApplication, Type } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { SCOPES } from '#identity';
import { ERROR_CODES } from '#kernel';
import type { Settings } from '#config';
import { RELEASE } from '#process';
import { settings } from '#wiring';
import { DEFAULT_MAX_LENGTH } from '../fields/field.ts';
import { isForOperators } from '../operation-id.ts';
import { type DocumentedRoute, type Route, Routes } from '../routes.ts';
import { describeOperation, describeWebhooks, type Operation, type Schema } from './describe-operation.ts';
import { type Audience, TAGS } from './tags.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

type Schemas = Record<string, Schema>;

/** The OpenAPI 3.1 document of all routes with `@Responds` for an audience. */
export function buildDocument(
  app: INestApplication,
  audience: Audience = 'api',
  { all, publicUrl }: { readonly all: readonly Route[]; readonly publicUrl: string } = {
    all: app.get(Routes).all(),
    publicUrl: app.get<Settings>(settings).http.publicUrl,
  },
): OpenAPIObject {
  const routes = all
    .filter(isDocumented)
    .filter(({ responds: { id } }) => isForOperators(id) === (audience === 'operators'));
  const document = scan(app, routes, audience, publicUrl);
  const schemas = document.components!.schemas as Schemas;
  for (const type of new Set(routes.flatMap(requestClassesOf))) limitTexts(schemas[type.name]!);
  document.paths = describePaths(document.paths, routes, (type) => schemas[type.name]!);
  const webhooks = describeWebhooks(routes);
  if (webhooks) Object.assign(document, { webhooks });
  // Query classes are described as parameters: nothing refers to a class that is not also a body.
  const referred = referredSchemas(document);
  for (const name of Object.keys(schemas)) if (!referred.has(name)) delete schemas[name];
  Object.assign(schemas, SHARED_SCHEMAS);
  document.components!.headers = HEADERS;
  document.info.license = { name: 'All rights reserved', identifier: 'LicenseRef-proprietary' } as { name: string };
  return document;
}

function scan(
  app: INestApplication,
  routes: readonly DocumentedRoute[],
  audience: Audience,
  publicUrl: string,
): OpenAPIObject {
  const builder = new DocumentBuilder();
  for (const [name, [, description]] of Object.entries(TAGS[audience])) builder.addTag(name, description);
  const config = builder
    .setOpenAPIVersion('3.1.0')
    .setTitle('Persona, Upload, Team and Board API')
    .setDescription(DESCRIPTION)
    .setVersion(RELEASE.version)
    .addServer(publicUrl)
    .addSecurity('token', { type: 'http', scheme: 'bearer', description: AUTHENTICATION })
    .build();
  return SwaggerModule.createDocument(app, config, {
    extraModels: routes.flatMap(classesOf),
    // Names the handler, to find its route. Its paths are numbered; the first is documented, the others are aliases.
    operationIdFactory: (controller, method) => `${controller}.${method.replace(/\[0\]$/, '')}`,
  });
}

function isDocumented(route: Route): route is DocumentedRoute {
  return route.responds !== undefined;
}

function classesOf(route: DocumentedRoute): Type<object>[] {
  const { type, also = {}, webhooks = [] } = route.responds;
  const sent = webhooks.map(({ body }) => body);
  return [...(type ? [type] : []), ...Object.values(also).flat(), ...sent, ...requestClassesOf(route)];
}

function requestClassesOf({ body, queries }: Route): Type<object>[] {
  return body ? [body, ...queries] : [...queries];
}

/** Text fields of a request have a default limit. */
function limitTexts({ properties = {} }: Schema): void {
  for (const property of Object.values(properties) as Schema[]) {
    const isText = [property.type].flat().includes('string');
    if (isText && !property.enum) property.maxLength ??= DEFAULT_MAX_LENGTH;
  }
}

function describePaths(
  paths: OpenAPIObject['paths'],
  routes: readonly DocumentedRoute[],
  schemaOf: (type: Type<object>) => Schema,
): OpenAPIObject['paths'] {
  const byHandler = new Map(routes.map((route) => [route.handler, route]));
  const described: OpenAPIObject['paths'] = {};
  for (const [path, item] of Object.entries(paths)) {
    for (const method of METHODS) {
      const { operationId: handler = '' } = (item[method] ?? {}) as Partial<Operation>;
      const route = byHandler.get(handler);
      if (!route) continue;
      const operation = describeOperation(route, { method, path }, schemaOf);
      described[path] = { ...described[path], [method]: operation };
    }
  }
  return described;
}

function referredSchemas(document: OpenAPIObject): ReadonlySet<string> {
  const references = JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g);
  return new Set([...references].map(([, name]) => name!));
}

const SHARED_SCHEMAS: Schemas = {
  Success: { type: 'object', required: ['status'], properties: { status: { type: 'boolean', enum: [true] } } },
  Error: {
    type: 'object',
    required: ['status', 'code', 'message', 'request_id'],
    properties: {
      status: { type: 'boolean', enum: [false] },
      code: { type: 'string', enum: [...ERROR_CODES] },
      message: { type: 'string', description: 'What to do, in one sentence.' },
      errors: {
        type: 'object',
        description: 'Messages by field, for `validation_failed`; `auth` for `unauthenticated`.',
        additionalProperties: { type: 'array', items: { type: 'string' } },
      },
      challenge: { type: 'string', description: 'For `second_factor_required`: what to send with the code.' },
      budget: {
        type: 'string',
        enum: ['token', 'customer'],
        description: 'The budget that has too little left, for `budget_exceeded`.',
      },
      insert_coin: { type: 'boolean', description: 'True for `insufficient_credits`.' },
      scope: {
        type: 'string',
        enum: [...SCOPES],
        description: 'A scope that the token lacks, for `insufficient_scope`.',
      },
      request_id: { type: 'string', description: 'The same as the header `X-Request-Id`.' },
    },
  },
};

const integer = { type: 'integer' } as const;

const HEADERS: NonNullable<OpenAPIObject['components']>['headers'] = {
  'X-Request-Id': {
    description: 'The id of this request: your own if it has 1 to 128 characters of `[A-Za-z0-9_-]`.',
    schema: { type: 'string' },
  },
  'RateLimit-Limit': { description: 'Requests per minute.', schema: integer },
  'RateLimit-Remaining': { description: 'Requests left in this minute.', schema: integer },
  'RateLimit-Reset': { description: 'Seconds until the next minute.', schema: integer },
  'Retry-After': { description: 'Seconds to wait.', schema: integer },
  Location: { description: 'The page.', schema: { type: 'string' } },
  'WWW-Authenticate': { schema: { type: 'string' } },
  'Set-Cookie': { description: 'The cookie with the token, which no script can read.', schema: { type: 'string' } },
  'Idempotent-Replayed': {
    description: '`true` if this repeats the first response to this Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
  },
};

const AUTHENTICATION =
  'An API token. Browsers may send the cookie of `POST /v2/auth/session` instead; changing requests by cookie need ' +
  'an `Origin` of this service. A token may be limited to scopes: an operation names the scope that it needs, or several ' +
  'of which one is enough.';

const DESCRIPTION = [
  'AI generation workflows: personas with image slots, generation, uploads straight to storage, teams and boards.\n',
  '- Bodies may be `multipart/form-data` (fields only), `application/x-www-form-urlencoded` or `application/json`,',
  '  with the same fields and the same results. In a form, an empty value or the word `null` means null if the field',
  '  is nullable. A GET takes a body as well: its fields count like those of the query string. A body has at most 200',
  '  fields; JSON is nested 32 deep at most and has 50,000 values at most. Without a token a body has 16 KiB at most.',
  '- Every response has `status`: true, or false with `code`, `message`, `request_id` and, for invalid fields,',
  '  `errors`.',
  '- Times are ISO 8601 in UTC. Lists return `next_cursor`; send it as `cursor` for the next page.',
  '- `/boards` is also available as `/v2/boards`.',
].join('\n');
