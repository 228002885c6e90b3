import { randomBytes, randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { FakeSubmission, SignedWebhook, VendorBehaviour } from './fake-vendor.ts';
import type { SampleKind, SampleOutput } from './sample-outputs.ts';
import { VendorFake, type FakeVendorOptions } from './vendor-fake.ts';
import { formOf, type VendorCall, type VendorReply } from './vendor-server.ts';

/*
 * Where the facts are from:
 * - paths, fields, states, the form of an upload, `urls`: replicate 1.4.0, index.d.ts and lib/{predictions,files}.js
 * - trainings: index.d.ts (Training) and lib/trainings.js; `destination`: docs "HTTP API", trainings.create
 * - pages of 100, newest first; the cursor in `next`: docs "HTTP API", predictions.list
 * - `Cancel-After`, `aborted`: changelog "Set deadlines for predictions"
 * - 422, 402 and 429 as problem details; 600 creates a minute: docs "HTTP API" and "Rate limits"
 * - texts and codes of failed predictions: docs "Error codes"
 * - the signature, and the headers of webhooks: docs "Verify webhooks"
 */

interface Prediction extends FakeSubmission {
  readonly target: string;
  readonly fields: Record<string, unknown>;
  /** For a training: the model that gets the version. */
  readonly destination: string | null;
  readonly webhook: string | null;
  readonly deadlineMs: number;
  readonly behaviour: VendorBehaviour;
  startedAt: number;
  readonly outputs: SampleOutput[];
  isCanceled: boolean;
  checks: number;
}

interface FakeReplicateOptions extends FakeVendorOptions {
  /** Predictions in a page of the list. */
  readonly pageSize?: number;
  /** Models as the vendor describes them, by `owner/name`; others make a picture from a text. */
  readonly models?: Readonly<Record<string, object>>;
}

export const startFakeReplicate = (options: FakeReplicateOptions = {}): Promise<FakeReplicate> =>
  new FakeReplicate(options).start();

/** The schema of every model, as cog describes one that makes a picture from a text. */
const VERSION = {
  id: 'b'.repeat(64),
  openapi_schema: {
    components: {
      schemas: {
        Input: {
          type: 'object',
          required: ['prompt'],
          properties: {
            prompt: { type: 'string', 'x-order': 0 },
            seed: { type: 'integer', 'x-order': 1 },
            output_format: { type: 'string', enum: ['png', 'webp'], default: 'png', 'x-order': 2 },
          },
        },
        Output: { type: 'array', items: { type: 'string', format: 'uri' } },
      },
    },
  },
};

export class FakeReplicate extends VendorFake<Prediction, FakeReplicateOptions> {
  protected readonly refusals = REFUSALS;
  readonly #secret = `whsec_${randomBytes(24).toString('base64')}`;
  /** Models that it does not have, as `owner/name`. */
  readonly missing = new Set<string>();
  #refusesWebhooks = false;

  /** Refuses each prediction with a webhook from now on. */
  refuseWebhooks(): void {
    this.#refusesWebhooks = true;
  }

  protected async reply(call: VendorCall): Promise<VendorReply> {
    const [kind, ...path] = call.url.pathname.slice(1).split('/');
    if (kind === 'delivery') return this.output(this.find(path[0]), path[1]!, NOT_FOUND);
    if (call.method === 'POST' && /\/(predictions|trainings)$/.test(call.url.pathname)) this.posts++;
    if (!this.hasKey(call)) return UNAUTHENTICATED;
    if (kind === 'predictions' || kind === 'trainings') return this.#ofJobs(call, kind, path);
    if (kind === 'models') return this.#ofModels(call, path);
    if (kind === 'files' && call.method === 'POST') return this.#store(call);
    if (kind === 'account') return { status: 200, body: { type: 'user', username: 'tester', name: 'Tester' } };
    if (call.url.pathname === '/webhooks/default/secret') return { status: 200, body: { key: this.#secret } };
    return NOT_FOUND;
  }

  signWebhook(body: object, at = new Date()): SignedWebhook {
    const id = `msg_${randomUUID()}`;
    const text = JSON.stringify(body);
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(this.#secret).sign(id, at, text),
    };
    return { body: Buffer.from(text), headers };
  }

  async #ofJobs(call: VendorCall, kind: string, [id, verb]: string[]): Promise<VendorReply> {
    if (id === undefined) {
      if (call.method === 'GET') return this.#list(kind, Number(call.url.searchParams.get('cursor') ?? 0));
      const { version, ...fields } = JSON.parse(String(await call.body()));
      return this.#create(call, String(version), fields);
    }
    const prediction = this.find(id);
    if (!prediction || kindOfJob(prediction) !== kind) return NOT_FOUND;
    if (verb === 'cancel' && this.#status(prediction) !== 'succeeded') prediction.isCanceled = true;
    const reply = { status: 200, body: this.#show(prediction) };
    prediction.checks++;
    return reply;
  }

  /** `models/owner/name`, `…/versions/id`, `…/versions/id/trainings`, `…/predictions`. */
  async #ofModels(call: VendorCall, [owner, name, kind, version, verb]: string[]): Promise<VendorReply> {
    if (owner === 'nobody' || this.missing.has(`${owner}/${name}`)) return NOT_FOUND;
    if (verb === 'trainings') {
      return this.#create(call, `${owner}/${name}:${version}`, JSON.parse(String(await call.body())), true);
    }
    if (kind === 'predictions') return this.#create(call, `${owner}/${name}`, JSON.parse(String(await call.body())));
    if (kind === 'versions') return { status: 200, body: { id: version, created_at: new Date().toISOString() } };
    const known = this.options.models?.[`${owner}/${name}`];
    if (known) return { status: 200, body: known };
    const model = { owner, name, visibility: 'public', url: `https://replicate.com/${owner}/${name}` };
    return { status: 200, body: { ...model, is_official: true, latest_version: VERSION } };
  }

  #create(call: VendorCall, target: string, body: Record<string, unknown>, isTraining = false): Promise<VendorReply> {
    return this.submit(call, async (behaviour) => {
      if (this.#refusesWebhooks && body.webhook) return WRONG_WEBHOOK;
      const destination = isTraining ? String(body.destination) : null;
      if (destination !== null && !/^[\w.-]+\/[\w.-]+$/.test(destination)) return WRONG_DESTINATION;
      const fields = body.input as Record<string, unknown>;
      const prediction: Prediction = {
        id: randomBytes(13).toString('hex'),
        target,
        fields,
        destination,
        webhook: typeof body.webhook === 'string' ? body.webhook : null,
        deadlineMs: Number.parseInt(String(call.headers['cancel-after'] ?? '86400'), 10) * 1_000,
        behaviour,
        startedAt: Date.now(),
        outputs: await this.outputs(behaviour, isTraining ? 'weights' : kindOf(target), fields.num_outputs),
        isCanceled: false,
        checks: 0,
      };
      this.submissions.push(prediction);
      if (prediction.webhook && !prediction.webhook.includes('.invalid/') && behaviour !== 'never_ends')
        this.callLater(prediction.webhook, () => this.signWebhook(this.#show(prediction)));
      return { status: 201, body: this.#show(prediction) };
    });
  }

  #list(kind: string, from: number): VendorReply {
    const newest = this.submissions.filter((job) => kindOfJob(job) === kind).toReversed();
    const end = from + (this.options.pageSize ?? 100);
    const next = end < newest.length ? `${this.url}/${kind}?cursor=${end}` : null;
    const results = newest.slice(from, end).map((prediction) => this.#show(prediction));
    return { status: 200, body: { previous: null, next, results } };
  }

  #status({ behaviour, startedAt, deadlineMs, isCanceled, checks }: Prediction): string {
    const ms = Date.now() - startedAt;
    const isLate = ms >= deadlineMs;
    if (isCanceled) return 'canceled';
    if (behaviour === 'lies') return ['daydreaming', 'succeeded', 'processing', 'starting'][checks % 4]!;
    if (behaviour === 'never_ends') return isLate ? 'aborted' : 'starting';
    if (ms < this.workMs) return isLate ? 'canceled' : 'processing';
    return behaviour in ERRORS ? 'failed' : 'succeeded';
  }

  #show(prediction: Prediction): Record<string, unknown> {
    const { id, target, fields, webhook, behaviour, startedAt, deadlineMs, isCanceled } = prediction;
    const timeOf = (at: number) => new Date(at + this.clockAheadMs).toISOString();
    const status = this.#status(prediction);
    const isVersion = !target.includes('/') || target.includes(':');
    return {
      id,
      model: isVersion ? 'owner/of-version' : target,
      version: isVersion ? target.split(':').at(-1) : 'hidden',
      input: fields,
      logs: status === 'processing' ? ' 40%|████      | 4/10 [00:01<00:02,  2.0it/s]' : '',
      output: status === 'succeeded' ? this.#outputOf(prediction) : null,
      error: status === 'failed' ? ERRORS[behaviour] : null,
      status,
      source: 'api',
      data_removed: false,
      created_at: timeOf(startedAt),
      ...(status === 'canceled' && !isCanceled && { completed_at: timeOf(startedAt + deadlineMs) }),
      ...(webhook && { webhook, webhook_events_filter: ['completed'] }),
      urls: {
        get: `${this.url}/${kindOfJob(prediction)}/${id}`,
        cancel: `${this.url}/${kindOfJob(prediction)}/${id}/cancel`,
      },
    };
  }

  /** Models of pictures return lists, those of videos and vectors one URL, those of 3D objects with names. */
  #outputOf({ id, target, outputs, destination }: Prediction): unknown {
    const urls = outputs.map(({ extension }, index) => `${this.url}/delivery/${id}/${index}.${extension}`);
    if (destination !== null) return { version: `${destination}:${id.padEnd(64, '0')}`, weights: urls[0] };
    const kind = kindOf(target);
    if (kind === 'glb')
      return { color_video: `${this.url}/delivery/${id}/turn.mp4`, model_file: urls[0], no_background_images: null };
    return kind === 'image' ? urls : urls[0];
  }

  async #store(call: VendorCall): Promise<VendorReply> {
    const form = await formOf(call);
    const id = randomUUID();
    const content = form.get('content') as File;
    const get = `${this.url}/files/${id}`;
    this.uploads.set(get, Buffer.from(await content.arrayBuffer()));
    return {
      status: 201,
      body: { id, name: content.name, content_type: content.type, size: content.size, urls: { get } },
    };
  }
}

const problem = (status: number, title: string, detail: string, headers?: Record<string, string>): VendorReply => ({
  status,
  headers: { 'content-type': 'application/problem+json', ...headers },
  body: { title, detail, status },
});
const NOT_FOUND = problem(404, 'Not found', 'The requested resource could not be found.');
const UNAUTHENTICATED = problem(401, 'Unauthenticated', 'You did not pass a valid authentication token');

const WRONG_WEBHOOK = problem(422, 'Input validation failed', '- webhook: must be an HTTPS URL that can be reached\n');

const WRONG_DESTINATION = problem(422, 'Input validation failed', '- destination: must be owner/name\n');

const REFUSALS: Partial<Record<VendorBehaviour, VendorReply>> = {
  busy: problem(429, 'Too many requests', 'Request was throttled. Expected available in 7 seconds.', {
    'retry-after': '7',
  }),
  down: problem(503, 'Service unavailable', 'The service is down for maintenance.'),
  refuses_key: UNAUTHENTICATED,
  rejects: problem(422, 'Input validation failed', '- input.width: Must be less than or equal to 2048\n'),
};

const ERRORS: Partial<Record<VendorBehaviour, string>> = {
  moderates: 'The input or output was flagged as sensitive. Please try again with different inputs. (E005) (abc)',
  fails: 'Prediction interrupted; please retry (code: PA)',
};

function kindOfJob({ destination }: Prediction): string {
  return destination === null ? 'predictions' : 'trainings';
}

function kindOf(target: string): SampleKind {
  // Without the hash of the version, which can begin with 3d.
  const name = target.replace(/[0-9a-f]{64}$/, '');
  if (/video/.test(name)) return 'video';
  if (/svg|vector/.test(name)) return 'svg';
  return /\b3d|trellis|mesh/.test(name) ? 'glb' : 'image';
}
