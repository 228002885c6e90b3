import { createHash, generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto';
import type { FakeSubmission, SignedWebhook, VendorBehaviour } from './fake-vendor.ts';
import { editedOutput, type SampleKind, type SampleOutput } from './sample-outputs.ts';
import { VendorFake, type FakeVendorOptions } from './vendor-fake.ts';
import type { VendorCall, VendorReply } from './vendor-server.ts';

/*
 * Where the facts are from:
 * - hosts, paths, `fal_webhook`, headers of requests, the upload: @fal-ai/client 1.10.1, src/{request,queue,storage}.js
 * - states, `queue_position`, the three URLs: src/types/common.d.ts and docs "Queue" (documentation/model-apis/inference)
 * - the response to a cancel: docs "Cancel a request" (inference-api/queue/cancel)
 * - refused input and failures in the result: docs "Model Errors" and "Request Error Types" (documentation/model-apis)
 * - trainers, LoRAs and styles: src/types/endpoints.d.ts (FluxKreaTrainerInput and Output, StyleReferenceInput and Output,
 *   LoraWeight, Recraft20bInput)
 * - the list of requests and the list of models: docs "Platform APIs" v1 (models/requests/by-endpoint, models)
 * - prices: docs "Platform APIs" v1 (models/pricing); the billed units: the header `x-fal-billable-units` of results
 * - the signature of webhooks: docs "Webhooks" (documentation/model-apis/inference/webhooks)
 */

const QUEUE = 'queue.fal.run';
const STORAGE = 'rest.fal.ai';
const PLATFORM = 'api.fal.ai';
/** Price of each image. */
export const UNIT_PRICE = 0.025;
const KEYS = 'rest.alpha.fal.ai';

interface FalRequest extends FakeSubmission {
  readonly endpoint: string;
  readonly behaviour: VendorBehaviour;
  readonly fields: Record<string, unknown>;
  readonly startedAt: number;
  /** Seconds that it may be queued; `null` for no limit. */
  readonly startTimeout: number | null;
  readonly outputs: SampleOutput[];
  isCanceled: boolean;
  checks: number;
}

interface FakeFalOptions extends FakeVendorOptions {
  /** True if pictures are made from the picture and the mask of a submission, as an editor makes them. */
  readonly edits?: boolean;
}

export const startFakeFal = (options: FakeFalOptions = {}): Promise<FakeFal> => new FakeFal(options).start();

/** Speaks like fal; the vendor's host is the first segment of each path. */
export class FakeFal extends VendorFake<FalRequest, FakeFalOptions> {
  protected readonly refusals = { busy: BUSY, down: DOWN, refuses_key: UNAUTHORIZED };
  readonly #keys = generateKeyPairSync('ed25519');

  protected async reply(call: VendorCall): Promise<VendorReply> {
    const [, host, ...segments] = call.url.pathname.split('/');
    if (host === KEYS) return { status: 200, body: { keys: [publicJwk(this.#keys.publicKey)] } };
    if (host === 'files') return this.output(this.find(segments[0]), segments[1]!, NO_FILE);
    if (host === 'uploads') return this.#storeUpload(call);
    if (!this.hasKey(call, 'Key')) {
      if (host === QUEUE && call.method === 'POST') this.posts++;
      return UNAUTHORIZED;
    }
    if (host === STORAGE) return this.#initiateUpload();
    if (host === PLATFORM) return this.#platform(call, segments.join('/'));
    if (host === QUEUE) return call.method === 'POST' ? this.#submit(call, segments) : this.#request(call, segments);
    return { status: 404 };
  }

  async #submit(call: VendorCall, segments: readonly string[]): Promise<VendorReply> {
    this.posts++;
    return this.submit(call, async (behaviour) => {
      const request = await this.#start(call, segments.join('/'), behaviour);
      const webhook = call.url.searchParams.get('fal_webhook');
      if (webhook && behaviour !== 'never_ends') this.callLater(webhook, () => this.#webhookOf(request));
      return { status: 200, body: { status: 'IN_QUEUE', queue_position: 0, ...this.#addresses(request) } };
    });
  }

  async #start(call: VendorCall, endpoint: string, behaviour: VendorBehaviour): Promise<FalRequest> {
    const fields = JSON.parse(String(await call.body())) as Record<string, unknown>;
    const startTimeout = Number(call.headers['x-fal-request-timeout'] ?? 0) || null;
    const outputs = await this.outputs(behaviour, kindOf(endpoint), fields.num_images);
    if (this.options.edits && kindOf(endpoint) === 'image' && typeof fields.image_url === 'string')
      outputs.splice(0, 1, await this.#edited(fields));
    const request = {
      ...{ id: randomUUID(), endpoint, fields, behaviour, outputs },
      ...{ startTimeout, startedAt: Date.now(), isCanceled: false, checks: 0 },
    };
    this.submissions.push(request);
    return request;
  }

  async #edited({ image_url, mask_url }: Record<string, unknown>): Promise<SampleOutput> {
    const read = async (url: unknown) =>
      this.upload(String(url)) ?? Buffer.from(await (await fetch(String(url))).arrayBuffer());
    return editedOutput(await read(image_url), mask_url === undefined ? null : await read(mask_url), this.seed);
  }

  /** Status and result are asked at the app, which is the endpoint without its path. */
  #addresses({ id, endpoint }: FalRequest): Record<string, string> {
    const [owner, app] = endpoint.split('/');
    const url = `${this.url}/${QUEUE}/${owner}/${app}/requests/${id}`;
    return { request_id: id, response_url: url, status_url: `${url}/status`, cancel_url: `${url}/cancel` };
  }

  #request(call: VendorCall, segments: readonly string[]): VendorReply {
    const at = segments.indexOf('requests');
    const request = this.find(segments[at + 1]);
    const verb = segments[at + 2];
    if (!request) return { status: 404, body: { detail: 'Request not found' } };
    if (verb === 'status') return this.#status(request);
    if (verb === 'cancel' && call.method === 'PUT') return this.#cancel(request);
    return this.#result(request);
  }

  /** `IN_QUEUE` for ever, `IN_PROGRESS` at first and then `COMPLETED`, or, of one that lies, anything. */
  #state(request: FalRequest): string {
    if (request.isCanceled) return 'COMPLETED';
    if (request.behaviour === 'never_ends') return 'IN_QUEUE';
    if (request.behaviour === 'lies') return ['DREAMING', 'COMPLETED', 'IN_PROGRESS', 'IN_QUEUE'][request.checks % 4]!;
    return Date.now() - request.startedAt < this.workMs ? 'IN_PROGRESS' : 'COMPLETED';
  }

  #status(request: FalRequest): VendorReply {
    const status = this.#state(request);
    request.checks++;
    const addresses = this.#addresses(request);
    if (status === 'IN_QUEUE') return { status: 202, body: { status, queue_position: 3, ...addresses } };
    if (status !== 'COMPLETED') return { status: 202, body: { status, logs: [], ...addresses } };
    return { status: 200, body: { status, logs: [], metrics: { inference_time: 0.03 }, ...addresses } };
  }

  /** A cancel takes one out of the queue; of one that runs it is only a wish, which most models ignore. */
  #cancel(request: FalRequest): VendorReply {
    const state = this.#state(request);
    if (state === 'COMPLETED') return { status: 400, body: { status: 'ALREADY_COMPLETED' } };
    if (state === 'IN_QUEUE') request.isCanceled = true;
    return { status: 202, body: { status: 'CANCELLATION_REQUESTED' } };
  }

  #result(request: FalRequest): VendorReply {
    if (request.isCanceled) return requestError(499, 'client_cancelled', 'Request was cancelled by the client');
    const refusal = FAILED_RESULTS[request.behaviour] ?? this.#refusalOf(request);
    if (refusal) return refusal;
    const isReady = request.behaviour === 'lies' || this.#state(request) === 'COMPLETED';
    if (!isReady) return { status: 400, body: { detail: 'Request is still in progress' } };
    const headers = { 'x-fal-request-id': request.id, 'x-fal-billable-units': String(request.outputs.length) };
    return { status: 200, headers, body: this.#payload(request) };
  }

  /** A trainer needs pictures, a LoRA its weights, and a style has to be one of Recraft's. */
  #refusalOf({ endpoint, fields }: FalRequest): VendorReply | null {
    if (isTrainer(endpoint) && !isUrl(fields.images_data_url)) return missing('images_data_url');
    const loras = (fields.loras ?? []) as readonly { readonly path?: unknown }[];
    if (!loras.every(({ path }) => isUrl(path))) return missing('loras', '0', 'path');
    const isKnown = this.submissions.some(({ id }) => id === fields.style_id);
    return fields.style_id === undefined || isKnown ? null : unknownStyle;
  }

  #payload({ id, endpoint, fields, outputs }: FalRequest): object {
    const files = outputs.map(({ bytes, contentType, extension }, index) => ({
      url: `${this.url}/files/${id}/${index}.${extension}`,
      content_type: contentType,
      file_name: `${index}.${extension}`,
      file_size: bytes.length,
    }));
    if (/create-style/.test(endpoint)) return { style_id: id };
    if (isTrainer(endpoint))
      return { diffusers_lora_file: files[0], config_file: { ...files[0], file_name: 'config.json' } };
    if (endpoint.includes('sam')) {
      return { masks: files, scores: files.map((_, index) => 0.9 - index / 10), prompt: fields.prompt };
    }
    if (/video/.test(endpoint)) return { video: files[0] };
    if (/3d|trellis/.test(endpoint)) return { model_mesh: files[0] };
    if (/vectorize|rembg|birefnet|upscale/.test(endpoint)) return { image: { ...files[0], width: 64, height: 64 } };
    const images = files.map((file) => ({ ...file, width: 64, height: 64 }));
    return { images, seed: fields.seed ?? 7, has_nsfw_concepts: files.map(() => false), prompt: fields.prompt };
  }

  #initiateUpload(): VendorReply {
    const url = `${this.url}/uploads/${randomUUID()}`;
    return { status: 200, body: { upload_url: url, file_url: url } };
  }

  async #storeUpload(call: VendorCall): Promise<VendorReply> {
    if (call.method !== 'PUT') return { status: 404 };
    this.uploads.set(this.url + call.url.pathname, await call.body());
    return { status: 200 };
  }

  #platform({ url }: VendorCall, path: string): VendorReply {
    const endpoint = url.searchParams.get('endpoint_id');
    if (path === 'v1/models') {
      if (endpoint?.includes('unknown')) return { status: 404, body: { error: { type: 'not_found', message: '' } } };
      const models = [{ endpoint_id: endpoint, metadata: { display_name: endpoint, status: 'active' } }];
      return { status: 200, body: { models, next_cursor: null, has_more: false } };
    }
    if (path === 'v1/models/pricing') {
      const prices = [{ endpoint_id: endpoint, unit_price: UNIT_PRICE, unit: 'image', currency: 'USD' }];
      return { status: 200, body: { prices, next_cursor: null, has_more: false } };
    }
    if (path !== 'v1/models/requests/by-endpoint') return { status: 404 };
    return this.#list(url.searchParams, endpoint);
  }

  /** By its own clock. */
  #sentAt({ startedAt }: FalRequest): number {
    return startedAt + this.clockAheadMs;
  }

  /** Only what a runner has taken: `started_at` is a required field of an item. */
  #list(query: URLSearchParams, endpoint: string | null): VendorReply {
    const start = Date.parse(query.get('start') ?? '') || 0;
    const limit = Number(query.get('limit') ?? 50);
    const offset = Number(query.get('cursor') ?? 0);
    const all = this.submissions
      .filter((request) => request.endpoint === endpoint && this.#sentAt(request) >= start && isStarted(request))
      .toReversed();
    const items = all
      .slice(offset, offset + limit)
      .map((request) => ({ ...request, sentAt: new Date(this.#sentAt(request)).toISOString() }))
      .map(({ id, fields, sentAt }) => ({
        ...{ request_id: id, endpoint_id: endpoint, ended_at: null, status_code: null, duration: null },
        ...{ sent_at: sentAt, started_at: sentAt },
        ...(query.getAll('expand').includes('payloads') ? { json_input: fields } : {}),
      }));
    const hasMore = all.length > offset + limit;
    return { status: 200, body: { items, next_cursor: hasMore ? String(offset + limit) : null, has_more: hasMore } };
  }

  #webhookOf(request: FalRequest): SignedWebhook {
    const isGood = !FAILED_RESULTS[request.behaviour];
    return this.signWebhook({
      request_id: request.id,
      gateway_request_id: request.id,
      ...(isGood ? { status: 'OK', payload: this.#payload(request) } : { status: 'ERROR', error: 'Invalid status' }),
    });
  }

  signWebhook(body: object, at = new Date()): SignedWebhook {
    const bytes = Buffer.from(JSON.stringify(body));
    const [requestId, userId] = [randomUUID(), 'user_1'];
    const timestamp = String(Math.floor(at.getTime() / 1000));
    const digest = createHash('sha256').update(bytes).digest('hex');
    const signature = sign(null, Buffer.from([requestId, userId, timestamp, digest].join('\n')), this.#keys.privateKey);
    return {
      body: bytes,
      headers: {
        'content-type': 'application/json',
        'x-fal-webhook-request-id': requestId,
        'x-fal-webhook-user-id': userId,
        'x-fal-webhook-timestamp': timestamp,
        'x-fal-webhook-signature': signature.toString('hex'),
      },
    };
  }
}

const isStarted = ({ behaviour }: FalRequest): boolean => behaviour !== 'never_ends';

const BUSY: VendorReply = { status: 429, headers: { 'retry-after': '7' }, body: { detail: 'Too many requests' } };
const DOWN: VendorReply = { status: 503, body: { detail: 'Service unavailable' } };
const NO_FILE: VendorReply = { status: 404, body: { detail: 'File not found' } };
const UNAUTHORIZED: VendorReply = {
  status: 401,
  body: { detail: 'Cannot access application. Authentication is required to access this application.' },
};

const isTrainer = (endpoint: string): boolean => /train|create-style/.test(endpoint);

const isUrl = (value: unknown): boolean => typeof value === 'string' && /^(https?|data):/.test(value);

function kindOf(endpoint: string): SampleKind {
  if (isTrainer(endpoint)) return 'weights';
  if (/video/.test(endpoint)) return 'video';
  if (/3d|trellis/.test(endpoint)) return 'glb';
  return /vector/.test(endpoint) ? 'svg' : 'image';
}

/** The response of a model to an input that it does not take. */
function modelError(loc: readonly string[], type: string, message: string): VendorReply {
  const url = `https://docs.fal.ai/errors/#${type}`;
  const detail = [{ loc, msg: message, type, url, input: '…' }];
  return { status: 422, headers: { 'x-fal-retryable': 'false', 'x-fal-error-type': type }, body: { detail } };
}

const missing = (...fields: string[]): VendorReply => modelError(['body', ...fields], 'missing', 'Field required');
const unknownStyle = modelError(['body', 'style_id'], 'value_error', 'Style not found');

/** The response of the platform when a model could not be run to its end. */
function requestError(status: number, type: string, message: string): VendorReply {
  return { status, headers: { 'x-fal-error-type': type }, body: { detail: message, error_type: type } };
}

const FAILED_RESULTS: Partial<Record<VendorBehaviour, VendorReply>> = {
  rejects: modelError(['body', 'prompt'], 'string_too_long', 'String should have at most 5 characters'),
  moderates: modelError(['body', 'prompt'], 'content_policy_violation', 'The content was flagged by a checker.'),
  fails: requestError(500, 'runner_server_error', 'The runner encountered an internal server error'),
};

function publicJwk(key: KeyObject): object {
  return { ...key.export({ format: 'jwk' }), use: 'sig' };
}
