import type { JsonWebKey } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createFalClient, parseEndpointId, type FalClient } from '@fal-ai/client';
import type { VendorFetch } from '#adapters/outgoing-http';
import { vendorFields, type Model, type ModelKind, type ProviderSettings } from '#catalogue';
import {
  OutcomeUnknown,
  type Found,
  type ProviderHealth,
  type RemoteInput,
  type RemoteProvider,
  type RemoteTask,
  type SubmittedTask,
  type SubmitOptions,
  type SubmitResult,
  type VendorHandle,
  type VendorOutput,
  type VendorState,
} from '#generation';
import { providerFailure } from '../remote/failures.ts';
import { healthOf } from '../remote/health.ts';
import { dataUri, mappedValues, uploadSeconds } from '../remote/inputs.ts';
import { fetchOutput } from '../remote/outputs.ts';
import { clockDifference, isIdentified, recognise } from '../remote/recognise.ts';
import { resultOf, resultPartOf } from '../remote/trained-styles.ts';
import { VendorCalls } from '../remote/vendor-calls.ts';
import { vendorFetch, type RemoteFactory, type RemoteLimits } from '../remote/vendor.ts';
import { FalBilling } from './billing.ts';
import { endedBy, failedBy, isNotAccepted, submissionRefusalOf } from './results.ts';
import { FalWebhooks } from './webhooks.ts';

const QUEUE = 'https://queue.fal.run';
const PLATFORM = 'https://api.fal.ai/v1';
const KEY_SET = 'https://rest.alpha.fal.ai/.well-known/jwks.json';
const OWN_HOST = /^https:\/\/((?:[a-z]+\.)*fal\.(?:run|ai))(?=\/)/;

/** fal accepts larger data URIs, but its list of requests repeats them. */
const MAX_DATA_URI_BYTES = 64 * 1024;
/** Minimum of the SDK. */
const MIN_START_TIMEOUT_SECONDS = 2;
const MAX_LIST_BYTES = 32 * 1024 * 1024;
const PAGE_SIZE = 20;
const MAX_PAGES = 10;
const CLOCK_SKEW_MS = 60_000;
const KEY_SET_TIMEOUT_MS = 10_000;
const PRICE_TIMEOUT_MS = 5_000;
/** The endpoint of health checks without a model. */
const ANY_ENDPOINT = 'fal-ai/flux/dev';

/** Identifies a request; with the URLs that fal returned. */
interface FalHandle extends VendorHandle {
  /** The kind of the model decides which files of a result are the outputs. */
  readonly kind: Model['kind'];
  /** Absent in handles of earlier versions. */
  readonly endpoint: string | null;
  readonly status_url: string;
  readonly response_url: string;
  readonly cancel_url: string;
}

/** fal's queue. Submissions and uploads use the SDK; other calls use the URLs that fal returns, which the SDK does not. */
class FalProvider implements RemoteProvider {
  readonly id: string;
  readonly hasWebhooks = true;
  /** fal keeps media for days, unless the account has another setting. */
  readonly keepsOutputsSeconds = 86_400;
  readonly #http: VendorFetch;
  readonly #calls: VendorCalls;
  readonly #webhooks = new FalWebhooks(() => this.#publicKeys());
  readonly #billing = new FalBilling((endpoint) => {
    const url = `${PLATFORM}/models/pricing?endpoint_id=${encodeURIComponent(endpoint)}`;
    return this.#get(url, AbortSignal.timeout(PRICE_TIMEOUT_MS));
  });

  constructor(
    private readonly settings: ProviderSettings,
    private readonly limits: RemoteLimits,
  ) {
    this.id = settings.id;
    this.#http = vendorFetch(settings.baseUrl ?? QUEUE, limits, { maxBytes: MAX_LIST_BYTES });
    this.#calls = new VendorCalls(this.#http, submissionRefusalOf, isNotAccepted);
  }

  async submit(task: RemoteTask, { webhookUrl, signal }: SubmitOptions): Promise<SubmitResult> {
    const { model } = task;
    const values = await mappedValues(task, (input) => this.#deliver(input, signal));
    const input = vendorFields(model.mapping, values);
    // fal drops the request if it is still queued after this time.
    const startTimeout = Math.max(Math.ceil(model.timeLimitSeconds), MIN_START_TIMEOUT_SECONDS);
    const submitted = await this.#calls.submit(
      (fetch) =>
        this.#sdk(fetch).queue.submit(model.target, {
          input,
          startTimeout,
          ...(webhookUrl !== null && { webhookUrl }),
        }),
      { signal },
    );
    const { request_id, status_url, response_url, cancel_url } = submitted;
    const handle = { id: request_id, kind: model.kind, endpoint: model.target, status_url, response_url, cancel_url };
    if (!isComplete(handle)) throw new OutcomeUnknown({ cause: new Error('the response has no handle') });
    return { handle: { ...resultPartOf(model), ...handle } };
  }

  /**
   * Searches fal's list of requests, which shows neither the webhook nor a request key, for the only request with all
   * fields and pictures and an identifying seed, or the word of the style that it trains. The result is never `absent`:
   * the list omits queued requests.
   */
  async find(task: SubmittedTask, since: Date, signal: AbortSignal): Promise<Found> {
    const ids = new Set<string>();
    if (!isIdentified(task)) return 'unknown';
    for await (const { request_id, sent_at, json_input, ahead } of this.#requests(task.model.target, since, signal)) {
      const createdAt = new Date(Date.parse(sent_at) - ahead);
      if (recognise({ fields: json_input, createdAt }, task, since) === 'same') ids.add(request_id);
    }
    const [id, ...others] = ids;
    if (id === undefined || others.length > 0) return 'unknown';
    return { handle: this.#handleOf(id, task.model) };
  }

  /** fal reports an input that the model refuses as the result of the request. */
  async check(handle: VendorHandle, signal: AbortSignal): Promise<VendorState> {
    const { kind, endpoint = null, status_url, response_url } = handle as FalHandle;
    const known = await this.#calls.query<{ readonly status?: unknown } | null>(
      (fetch) => this.#json(fetch, status_url),
      { signal },
      (refusal) => (refusal.status === 404 ? null : undefined),
    );
    if (!known) return { state: 'inconclusive', failure: providerFailure('provider_outcome_unknown') };
    if (known.status !== 'COMPLETED') return { state: 'pending', progress: null, checkAfterSeconds: null };
    return this.#calls.query(
      async (fetch) => {
        const response = await this.#fetched(fetch, response_url);
        const state = endedBy(await response.json(), kind, resultOf(handle));
        return state.state === 'ended' ? { ...state, cost: await this.#billing.costOf(response, endpoint) } : state;
      },
      { signal },
      failedBy,
    );
  }

  fetchOutput(output: VendorOutput, target: string, kind: ModelKind, signal: AbortSignal): Promise<void> {
    return fetchOutput(this.#http, output, target, { kind, limits: this.limits, signal });
  }

  /** Many models ignore the cancellation of a running request. */
  async cancel(handle: VendorHandle, signal: AbortSignal): Promise<'canceled' | 'too_late'> {
    const { cancel_url } = handle as FalHandle;
    return this.#calls.query<'canceled' | 'too_late'>(
      async (fetch) => {
        await succeeding(fetch(cancel_url, { method: 'PUT', headers: this.#headers(cancel_url) }));
        return 'canceled';
      },
      { signal },
      // The request has ended, or fal no longer knows it.
      ({ status }) => (status === 400 || status === 404 ? 'too_late' : undefined),
    );
  }

  isAuthentic(body: Buffer, headers: Readonly<Record<string, string>>): Promise<boolean> {
    return this.#webhooks.isAuthentic(body, headers);
  }

  /** Reads the list of requests, which requires a key, and the public list of models. */
  health(model: Model | null, signal: AbortSignal): Promise<ProviderHealth> {
    return healthOf(model, async () => {
      const endpoint = `endpoint_id=${encodeURIComponent(model?.target ?? ANY_ENDPOINT)}`;
      await this.#get(`${PLATFORM}/models/requests/by-endpoint?${endpoint}&limit=1`, signal);
      if (!model) return null;
      return this.#calls.query(
        async (fetch) => {
          const { models } = await this.#json<{ models: readonly unknown[] }>(fetch, `${PLATFORM}/models?${endpoint}`);
          return models.length > 0;
        },
        { signal },
        ({ status }) => (status === 404 ? false : undefined),
      );
    });
  }

  async #deliver(input: RemoteInput, signal: AbortSignal): Promise<string> {
    if (input.url !== null) return input.url;
    if ((await stat(input.file)).size <= MAX_DATA_URI_BYTES) return dataUri(input);
    const file = await openAsBlob(input.file, { type: input.contentType });
    // The SDK sends large files in parts.
    const timeoutSeconds = await uploadSeconds(input, Infinity);
    return this.#calls.prepare((fetch) => this.#sdk(fetch).storage.upload(file), { signal, timeoutSeconds });
  }

  /** The requests of an endpoint since a time. */
  async *#requests(endpoint: string, since: Date, signal: AbortSignal) {
    const start = new Date(since.getTime() - CLOCK_SKEW_MS).toISOString();
    const query = new URLSearchParams({ endpoint_id: endpoint, start, expand: 'payloads', limit: String(PAGE_SIZE) });
    for (let page = 0; page < MAX_PAGES; page++) {
      const url = `${PLATFORM}/models/requests/by-endpoint?${query}`;
      const { items, next_cursor, ahead } = await this.#calls.query(
        async (fetch) => {
          const response = await this.#fetched(fetch, url);
          return { ...((await response.json()) as RequestList), ahead: clockDifference(response.headers) };
        },
        { signal },
      );
      for (const item of items) yield { ...item, ahead };
      if (next_cursor === null) return;
      query.set('cursor', next_cursor);
    }
  }

  async #publicKeys(): Promise<readonly JsonWebKey[]> {
    const { keys } = await this.#get<{ keys: readonly JsonWebKey[] }>(KEY_SET, AbortSignal.timeout(KEY_SET_TIMEOUT_MS));
    return keys;
  }

  #get<T>(url: string, signal: AbortSignal): Promise<T> {
    return this.#calls.query((fetch) => this.#json<T>(fetch, url), { signal });
  }

  async #json<T>(fetch: Fetch, url: string): Promise<T> {
    return (await (await this.#fetched(fetch, url)).json()) as T;
  }

  #fetched(fetch: Fetch, url: string): Promise<Response> {
    return succeeding(fetch(this.#at(url), { headers: this.#headers(this.#at(url)) }));
  }

  #sdk(fetch: Fetch): FalClient {
    return createFalClient({
      credentials: this.settings.key ?? '',
      fetch: (url, init) => fetch(this.#at(String(url)), init),
    });
  }

  /** With another base URL, fal's host becomes the first segment of the path. */
  #at(url: string): string {
    const base = this.settings.baseUrl?.replace(/\/$/, '');
    return base === undefined ? url : url.replace(OWN_HOST, `${base}/$1`);
  }

  /** The key is sent to fal's hosts only, whatever URLs a response has. */
  #headers(url: string): Record<string, string> {
    const { baseUrl, key } = this.settings;
    const isOwn = baseUrl === null ? OWN_HOST.test(url) : URL.parse(url)?.origin === new URL(baseUrl).origin;
    return isOwn ? { authorization: `Key ${key}` } : {};
  }

  /** The handle of a listed request, without URLs in the list. An app is an endpoint without its path. */
  #handleOf(id: string, model: Model): FalHandle {
    const { kind, target } = model;
    const { namespace, owner, alias } = parseEndpointId(target);
    const app = [namespace, owner, alias].filter(Boolean).join('/');
    const url = this.#at(`${QUEUE}/${app}/requests/${id}`);
    const urls = { status_url: `${url}/status`, response_url: url, cancel_url: `${url}/cancel` };
    return { ...resultPartOf(model), id, kind, endpoint: target, ...urls };
  }
}

export const createFalProvider: RemoteFactory = (settings, limits) => new FalProvider(settings, limits);

type Fetch = typeof globalThis.fetch;

interface ListedRequest {
  readonly request_id: string;
  readonly sent_at: string;
  readonly json_input?: unknown;
}

interface RequestList {
  readonly items: readonly ListedRequest[];
  readonly next_cursor: string | null;
}

function isComplete(handle: Readonly<Record<keyof FalHandle, unknown>>): handle is FalHandle {
  return Object.values(handle).every((part) => typeof part === 'string');
}

async function succeeding(responding: Promise<Response>): Promise<Response> {
  const response = await responding;
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response;
}
