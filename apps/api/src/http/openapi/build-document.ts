import type { INestApplication, Type } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ERROR_CODES } from '#kernel';
import { type DocumentedRoute, type Route, Routes } from '../routes.ts';
import { describeOperation, type Operation, type Schema } from './describe-operation.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

type Schemas = Record<string, Schema>;

/** The OpenAPI 3.1 document of every route that has an `@Responds`. */
export function buildDocument(app: INestApplication): OpenAPIObject {
  const routes = app.get(Routes).all().filter(isDocumented);
  const document = scan(app, routes);
  const schemas = document.components!.schemas as Schemas;
  document.paths = describePaths(document.paths, routes, (type) => schemas[type.name]!);
  // Query classes are told as parameters: nothing refers to them, unless they are bodies as well.
  const referred = referredSchemas(document);
  for (const name of Object.keys(schemas)) if (!referred.has(name)) delete schemas[name];
  Object.assign(schemas, SHARED_SCHEMAS);
  document.components!.headers = HEADERS;
  examplesToOas31(schemas);
  examplesToOas31(document.paths);
  return document;
}

function scan(app: INestApplication, routes: readonly DocumentedRoute[]): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Persona, Upload, Team and Board API')
    .setDescription(DESCRIPTION)
    .setVersion('2')
    .addSecurity('token', { type: 'http', scheme: 'bearer', description: 'An API token.' })
    .build();
  return SwaggerModule.createDocument(app, config, {
    extraModels: routes.flatMap(classesOf),
    // Of a route with several paths, which are numbered, the first is told and the others are aliases.
    operationIdFactory: (controller, method) => `${controller}.${method.replace(/\[0\]$/, '')}`,
  });
}

function isDocumented(route: Route): route is DocumentedRoute {
  return route.answer !== undefined;
}

function classesOf({ answer, form, queries }: DocumentedRoute): Type<object>[] {
  const classes = [answer.type, ...Object.values(answer.also ?? {}), form, ...queries];
  return classes.filter((type) => type !== null && type !== undefined);
}

function describePaths(
  paths: OpenAPIObject['paths'],
  routes: readonly DocumentedRoute[],
  schemaOf: (type: Type<object>) => Schema,
): OpenAPIObject['paths'] {
  const byId = new Map(routes.map((route) => [route.id, route]));
  const described: OpenAPIObject['paths'] = {};
  for (const [path, item] of Object.entries(paths)) {
    for (const method of METHODS) {
      const { operationId = '', tags = [] } = (item[method] ?? {}) as Partial<Operation>;
      const route = byId.get(operationId);
      if (!route) continue;
      const operation = describeOperation(route, { method, path, tags }, schemaOf);
      described[path] = { ...described[path], [method]: operation };
    }
  }
  return described;
}

function referredSchemas(document: OpenAPIObject): ReadonlySet<string> {
  const references = JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g);
  return new Set([...references].map(([, name]) => name!));
}

/** In OpenAPI 3.1 a schema is JSON Schema, where examples are a list. */
function examplesToOas31(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  const schema = node as Record<string, unknown>;
  if ('example' in schema && 'type' in schema) {
    schema.examples = [schema.example];
    delete schema.example;
  }
  for (const value of Object.values(schema)) examplesToOas31(value);
}

const SHARED_SCHEMAS: Schemas = {
  Success: {
    type: 'object',
    required: ['status'],
    properties: { status: { type: 'boolean', enum: [true] } },
  },
  Error: {
    type: 'object',
    required: ['status', 'code', 'message', 'request_id'],
    properties: {
      status: { type: 'boolean', enum: [false] },
      code: { type: 'string', enum: [...ERROR_CODES] },
      message: { type: 'string', description: 'What to do, in a sentence.' },
      errors: {
        type: 'object',
        description: 'Messages by field, with `validation_failed`; `auth` with `unauthenticated`.',
        additionalProperties: { type: 'array', items: { type: 'string' } },
      },
      insert_coin: { type: 'boolean', description: 'True with `insufficient_credits`.' },
      request_id: { type: 'string', description: 'The same as the header `X-Request-Id`.' },
    },
  },
};

const integer = { type: 'integer' } as const;

const HEADERS: NonNullable<OpenAPIObject['components']>['headers'] = {
  'X-Request-Id': {
    description: 'The id of this request: yours, where you sent one of 1 to 128 of `[A-Za-z0-9_-]`.',
    schema: { type: 'string' },
  },
  'RateLimit-Limit': { description: 'Requests a minute.', schema: integer },
  'RateLimit-Remaining': { description: 'Requests left in this minute.', schema: integer },
  'RateLimit-Reset': { description: 'Seconds until the next minute.', schema: integer },
  'Retry-After': { description: 'Seconds to wait.', schema: integer },
  'WWW-Authenticate': { schema: { type: 'string' } },
  'Idempotent-Replayed': {
    description: '`true` when this is the first answer to this Idempotency-Key, again.',
    schema: { type: 'string', enum: ['true'] },
  },
};

const DESCRIPTION = `AI generation workflows: personas with image slots, generation from them, uploads straight to storage, teams and boards.

- Bodies may be \`multipart/form-data\` (fields only), \`application/x-www-form-urlencoded\` or \`application/json\`, with the same fields and the same results. In a form, an empty value or the word \`null\` is null where a field may be null.
- Every answer has \`status\`: true, or false with \`code\`, \`message\`, \`request_id\` and, where fields are wrong, \`errors\`.
- Times are ISO 8601 in UTC. Lists answer \`next_cursor\`; give it as \`cursor\` for the next page.
- \`/boards\` answers under \`/v2/boards\` too.`;
