import { createHash } from 'node:crypto';
import {
  type IDataObject,
  type IExecuteFunctions,
  type IHookFunctions,
  type IHttpRequestMethods,
  type ILoadOptionsFunctions,
  type IN8nHttpFullResponse,
  type INode,
  type JsonObject,
  NodeApiError,
} from 'n8n-workflow';

interface Call {
  readonly body?: IDataObject;
  readonly qs?: IDataObject;
  /** Idempotency-Key. */
  readonly key?: string;
  readonly itemIndex?: number;
}

export interface Reply<T> {
  readonly body: T;
  /** True if an earlier call with the same key got this response. */
  readonly replayed: boolean;
}

interface Refusal {
  readonly code?: string;
  readonly message?: string;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  readonly request_id?: string;
}

/** @throws NodeApiError with the `code` and the `errors` of the response in its context */
export async function callApi<T = IDataObject>(
  context: IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions,
  method: IHttpRequestMethods,
  path: string,
  { body, qs, key, itemIndex }: Call = {},
): Promise<Reply<T>> {
  const { baseUrl } = await context.getCredentials<{ baseUrl: string }>('x12Api');
  const response = (await context.helpers.httpRequestWithAuthentication.call(context, 'x12Api', {
    method,
    url: baseUrl.replace(/\/+$/, '') + path,
    qs,
    body,
    json: true,
    headers: key ? { 'Idempotency-Key': key } : {},
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
  })) as IN8nHttpFullResponse;
  requireSuccess(context.getNode(), response, itemIndex);
  return { body: response.body as T, replayed: response.headers['idempotent-replayed'] === 'true' };
}

/** @throws NodeApiError unless the response is a success of the service or its storage */
export function requireSuccess(node: INode, { statusCode, body }: IN8nHttpFullResponse, itemIndex?: number): void {
  const isJson = typeof body === 'object' && body !== null && 'status' in body;
  if (statusCode < 300 && (isJson || !body)) return;
  const { code, message, errors, request_id: requestId } = (isJson ? body : {}) as Refusal;
  const fields = Object.entries(errors ?? {}).map(([field, problems]) => `${field}: ${problems.join(', ')}`);
  const error = new NodeApiError(node, (isJson ? body : { statusCode }) as JsonObject, {
    message: message ?? `Unexpected response with status ${statusCode}: check the base URL of the credential`,
    description: [code, ...fields, requestId && `Request ${requestId}`].filter(Boolean).join('\n'),
    httpCode: String(statusCode),
    itemIndex,
  });
  Object.assign(error.context, { code, errors });
  throw error;
}

/**
 * Idempotency-Key of a call for an item. The service answers a repeated key as the first time, for 24 hours, and charges
 * nothing.
 *
 * "Retry on Fail" runs the node again within the execution, with the same execution id, node, run and items: it has the same
 * keys. A loop has another run index; "Retry" in the list of executions has another execution id: both are charged anew. The
 * tries of an agent's tool have run indexes of their own, so its keys have the call instead: within an execution, equal calls
 * of an agent are one.
 *
 * @param purpose distinguishes the calls of an item
 */
export function keyOf(context: IExecuteFunctions, itemIndex: number, purpose: string, call: unknown): string {
  const run = context.isToolExecution()
    ? [call]
    : [context.evaluateExpression('{{ $runIndex }}', itemIndex), itemIndex];
  const execution = [context.getInstanceId(), context.getWorkflow().id, context.getExecutionId(), context.getNode().id];
  const digest = createHash('sha256').update(JSON.stringify([...execution, ...run, purpose]));
  return `n8n-${digest.digest('hex')}`;
}
