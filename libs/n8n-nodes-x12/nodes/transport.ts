import { createHash } from 'node:crypto';
import type * as n8n from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

interface Call {
  readonly body?: n8n.IDataObject;
  readonly qs?: n8n.IDataObject;
  /** Idempotency-Key. */
  readonly key?: string;
  readonly itemIndex?: number;
}

interface Refusal {
  readonly code?: string;
  readonly message: string;
  readonly errors?: Record<string, string[]>;
  readonly request_id?: string;
}

const CHANGED = 'This retry differs from the first try: an expression, such as the time, has another value now';

/**
 * @returns the response, `replayed` if an earlier call with the same key got it
 * @throws NodeApiError
 */
export async function callApi<T = n8n.IDataObject>(
  context: n8n.IExecuteFunctions | n8n.IHookFunctions | n8n.ILoadOptionsFunctions,
  method: n8n.IHttpRequestMethods,
  path: string,
  { key, itemIndex, ...request }: Call = {},
): Promise<{ readonly body: T; readonly replayed: boolean }> {
  const { baseUrl } = await context.getCredentials<{ baseUrl: string }>('x12Api');
  const url = baseUrl.replace(/\/+$/, '') + path;
  const headers = key ? { 'Idempotency-Key': key } : {};
  const whole = { returnFullResponse: true, ignoreHttpStatusErrors: true, json: true };
  const options: n8n.IHttpRequestOptions = { ...request, ...whole, method, url, headers };
  const response = await context.helpers.httpRequestWithAuthentication.call(context, 'x12Api', options);
  requireSuccess(context.getNode(), response, itemIndex);
  return { body: response.body as T, replayed: response.headers['idempotent-replayed'] === 'true' };
}

/** @throws NodeApiError unless the response is a success of the service or its storage */
export function requireSuccess(node: n8n.INode, { statusCode, body }: n8n.IN8nHttpFullResponse, itemIndex?: number) {
  const isJson = typeof body === 'object' && body !== null && 'status' in body;
  if (statusCode < 300 && (isJson || !body)) return;
  const message = `Unexpected response with status ${statusCode}: check the base URL of the credential`;
  const refusal = { message, ...(isJson && (body as object)) } as Refusal;
  const isReused = refusal.code === 'idempotency_key_reused';
  throw apiError(node, isReused ? { ...refusal, message: CHANGED } : refusal, itemIndex, String(statusCode));
}

/** @returns an error with the code, and the messages of each field, in its description and its context */
export function apiError(node: n8n.INode, refusal: Refusal, itemIndex?: number, httpCode?: string): NodeApiError {
  const { code, message, errors, request_id: requestId } = refusal;
  const fields = Object.entries(errors ?? {}).map(([field, problems]) => `${field}: ${problems.join(', ')}`);
  const description = [code, ...fields, requestId && `Request ${requestId}`].filter(Boolean).join('\n');
  const error = new NodeApiError(node, { ...refusal } as n8n.JsonObject, { message, description, httpCode, itemIndex });
  Object.assign(error.context, { code, errors });
  return error;
}

/**
 * Idempotency-Key of a call for an item. The service responds to a repeated key as it did the first time, for 24 hours, and
 * charges nothing.
 *
 * "Retry on Fail" runs the node again within the execution: execution, node, run and items stay, and so do the keys. A loop
 * has another run index; "Retry" in the list of executions has another execution id: both are charged. The tries of an
 * agent's tool have run indexes of their own, so the call takes their place: equal calls of an agent in an execution are one.
 *
 * @param purpose distinguishes the calls of an item
 */
export function keyOf(context: n8n.IExecuteFunctions, itemIndex: number, purpose: string, call: unknown): string {
  const runIndex = () => context.evaluateExpression('{{ $runIndex }}', itemIndex);
  const run = context.isToolExecution() ? [call] : [runIndex(), itemIndex];
  const node = [context.getInstanceId(), context.getWorkflow().id, context.getExecutionId(), context.getNode().id];
  return `n8n-${createHash('sha256')
    .update(JSON.stringify([...node, ...run, purpose]))
    .digest('hex')}`;
}
