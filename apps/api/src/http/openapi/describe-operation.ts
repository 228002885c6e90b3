import type { Type } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { DomainError, type ErrorCode } from '#kernel';
import { InsufficientScope, permissionOf } from '#identity';
import { BODY_TYPES, CSV_TYPE } from '../body/parse-body.ts';
import { errorBody, ERRORS, statusOf } from '../errors.ts';
import { IDEMPOTENCY_HEADER } from '../idempotency/idempotency-interceptor.ts';
import { isForGuests, isForOperators } from '../operation-id.ts';
import { keptByOf } from '../responds.ts';
import type { DocumentedRoute, Route } from '../routes.ts';
import { tagOf } from './tags.ts';

export type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Responses = Operation['responses'];
type Parameter = Exclude<NonNullable<Operation['parameters']>[number], { $ref: string }>;
type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
export type Schema = Exclude<Schemas[string], { $ref: string }>;

type SchemaOf = (type: Type<object>) => Schema;

/** The description of one operation, from the decorators of its route. */
export function describeOperation(
  route: DocumentedRoute,
  { method, path }: { readonly method: string; readonly path: string },
  schemaOf: SchemaOf,
): Operation {
  const { id, summary, description } = route.responds;
  return {
    operationId: id,
    tags: [tagOf(id)],
    summary,
    ...(description ? { description } : {}),
    parameters: [
      ...pathParameters(route, path),
      ...route.queries.flatMap((type) => queryParameters(schemaOf(type), { optional: type === route.body })),
      ...(isReplayed(route, method) ? [IDEMPOTENCY_PARAMETER] : []),
    ],
    ...(route.body ? { requestBody: requestBody(route, route.body, schemaOf) } : {}),
    ...(route.takesRawBody ? { requestBody: { required: true, content: { '*/*': { schema: {} } } } } : {}),
    responses: { ...successes(route, method), ...failures(errorCodesOf(route, method)) },
    security: securityOf(route),
  };
}

/** Each item is a way to be let in: a token with one of the scopes. */
function securityOf({ requirements, responds: { id } }: DocumentedRoute): Operation['security'] {
  if (!requirements) return isForOperators(id) ? [{ token: [] }] : [];
  const { scopes } = requirements;
  return scopes.length === 0 ? [{ token: [] }] : scopes.map((scope) => ({ token: [scope] }));
}

/** Webhooks that routes announce, by the type of their event; `undefined` for none. */
export function describeWebhooks(routes: readonly DocumentedRoute[]): object | undefined {
  const sent = routes.flatMap(({ responds: { webhooks = [] } }) => webhooks);
  const described = sent.map(({ type, body, summary }) => {
    const requestBody = { required: true, content: { 'application/json': { schema: reference(body) } } };
    const responses = {
      '2XX': { description: 'It has arrived' },
      '410': { description: 'The receiver is gone: it is not called again' },
    };
    const operationId = `webhooks.${type}`;
    return [type, { post: { operationId, tags: ['Webhooks'], summary, requestBody, responses, security: [] } }];
  });
  return described.length > 0 ? Object.fromEntries(described) : undefined;
}

const IDEMPOTENCY_PARAMETER: Parameter = {
  name: IDEMPOTENCY_HEADER,
  in: 'header',
  required: false,
  description:
    'Any text that is unique to this request. A repeated request with the same key has no second effect and ' +
    'receives the first response again, for 24 hours. A key belongs to the caller in the workspace, and a response ' +
    'is repeated only while the caller may make the request.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
};

function pathParameters({ pathIds }: Route, path: string): Parameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name: name!,
    in: 'path',
    required: true,
    schema: pathIds.includes(name!) ? { type: 'integer', minimum: 1 } : { type: 'string' },
  }));
}

function queryParameters({ properties = {}, required = [] }: Schema, { optional }: { optional: boolean }): Parameter[] {
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...schema } = property as Schema;
    const isRequired = !optional && required.includes(name);
    // A field that is given twice is refused: a list is separated by commas.
    const style = (schema as Schema).type === 'array' ? { explode: false } : {};
    return { name, in: 'query', required: isRequired, description, schema, ...style };
  });
}

function requestBody(
  { queries, takesCsv, takesFile }: Route,
  body: Type<object>,
  schemaOf: SchemaOf,
): Operation['requestBody'] {
  const schema = reference(body);
  return {
    required: !queries.includes(body) && (schemaOf(body).required?.length ?? 0) > 0,
    content: {
      ...Object.fromEntries(BODY_TYPES.map((type) => [type, { schema }])),
      ...(takesCsv && { [CSV_TYPE]: { schema: TEXT } }),
      ...(takesFile && { '*/*': { schema: { type: 'string', format: 'binary' } } }),
    },
  };
}

/** Others than operators do not learn that their routes exist. */
const OF_OPERATORS = ['unauthenticated', 'not_found', 'rate_limited'] as const;

const OF_GUESTS = ['share_password_required', 'not_found'] as const;

function isOfOperators({ responds }: Route): boolean {
  return responds !== undefined && isForOperators(responds.id);
}

/** Reports whether a repeated request gets the first response. */
function isReplayed({ responds }: Route, method: string): boolean {
  return method === 'post' && keptByOf(responds) !== null;
}

function successes(route: DocumentedRoute, method: string): Responses {
  const { contentType = 'application/json', otherType, status, type, also = {} } = route.responds;
  const isJson = contentType === 'application/json';
  const { setsCookie } = route.responds;
  const headers = [
    ...COMMON_HEADERS,
    ...(isReplayed(route, method) ? ['Idempotent-Replayed'] : []),
    ...(setsCookie ? ['Set-Cookie'] : []),
  ];
  const success = (code: string, types: readonly Type<object>[]): Responses[string] => ({
    description: DESCRIPTIONS[code] ?? 'Success',
    headers: Object.fromEntries([...headers, ...(code === '303' ? ['Location'] : [])].map(headerReference)),
    ...(['204', '303', '304'].includes(code)
      ? {}
      : {
          content: {
            [contentType]: { schema: isJson ? successSchema(types) : TEXT },
            ...(otherType && { [otherType]: { schema: TEXT } }),
          },
        }),
  });
  const byCode = [[String(status), type ? [type] : []] as const, ...Object.entries(also)];
  return Object.fromEntries(byCode.map(([code, types]) => [code, success(code, types)]));
}

const DESCRIPTIONS: Readonly<Record<string, string>> = { 303: 'See another page', 304: 'Not modified' };

const TEXT = { type: 'string' } as const;

function successSchema([type, ...others]: readonly Type<object>[]): object {
  const success = { $ref: '#/components/schemas/Success' };
  if (!type) return success;
  const body = others.length === 0 ? reference(type) : { anyOf: [type, ...others].map(reference) };
  return { allOf: [success, body] };
}

/** Every error of a route: its own errors, and errors of authentication, limits, fields and resources in its path. */
function errorCodesOf(route: Route, method: string): ErrorCode[] {
  const { requirements } = route;
  const permission = requirements?.action && permissionOf(requirements.action);
  const readsFields = route.takesBody || route.queries.length > 0;
  const codes: (ErrorCode | false)[] = [
    ...(isOfOperators(route) ? OF_OPERATORS : []),
    ...(route.responds && isForGuests(route.responds.id) ? OF_GUESTS : []),
    (isOfOperators(route) || (requirements !== null && requirements.scopes.length > 0)) && 'insufficient_scope',
    (requirements?.verified === true || isOfOperators(route)) && 'email_unverified',
    requirements?.changesWorkspace === true && 'workspace_suspended',
    permission?.teamPlan === true && 'plan_required',
    permission !== undefined && permission.least !== 'member' && 'forbidden',
    // A unit of work checks the caller's rights again.
    requirements !== null && method !== 'get' && 'forbidden',
    (route.existing.length > 0 || route.pathIds.length > 0) && 'not_found',
    ...(route.responds?.errors ?? []),
    requirements !== null && 'unauthenticated',
    'validation_failed',
    'request_timeout',
    'too_large',
    readsFields && 'unsupported_media_type',
    isReplayed(route, method) && 'idempotency_in_progress',
    isReplayed(route, method) && 'idempotency_key_reused',
    route.isLimited && 'rate_limited',
    'headers_too_large',
    'internal_error',
    'unavailable',
  ];
  return [...new Set(codes.filter((code) => code !== false))];
}

function failures(codes: readonly ErrorCode[]): Responses {
  const byStatus = Map.groupBy(codes, (code) => statusOf(code));
  return Object.fromEntries(
    [...byStatus].map(([status, codesOfStatus]) => [
      String(status),
      {
        description: codesOfStatus.map((code) => `\`${code}\``).join(', '),
        headers: Object.fromEntries((FAILURE_HEADERS[status] ?? ['X-Request-Id']).map(headerReference)),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: Object.fromEntries(codesOfStatus.map((code) => [code, { value: exampleOf(code) }])),
          },
        },
      },
    ]),
  );
}

const COMMON_HEADERS = ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

const FAILURE_HEADERS: Readonly<Record<number, readonly string[]>> = {
  401: ['X-Request-Id', 'WWW-Authenticate'],
  429: [...COMMON_HEADERS, 'Retry-After'],
  503: ['X-Request-Id', 'Retry-After'],
};

function headerReference(name: string): [string, { $ref: string }] {
  return [name, { $ref: `#/components/headers/${name}` }];
}

function exampleOf(code: ErrorCode): object {
  const [, message] = ERRORS[code];
  const fields = code === 'validation_failed' ? { slot: [message.replace('slot ', '')] } : undefined;
  const error =
    code === 'insufficient_scope' ? new InsufficientScope(['boards']) : new DomainError(code, message, { fields });
  return errorBody(error, 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6');
}

function reference(type: Type<object>): { $ref: string } {
  return { $ref: `#/components/schemas/${type.name}` };
}
