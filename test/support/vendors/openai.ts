import { setTimeout as sleep } from 'node:timers/promises';
import type { FakeSubmission, VendorBehaviour } from './fake-vendor.ts';
import type { SampleOutput } from './sample-outputs.ts';
import { VendorFake, type FakeVendorOptions } from './vendor-fake.ts';
import { formOf, type VendorCall, type VendorReply } from './vendor-server.ts';

/*
 * Where the facts are from:
 * - paths, `image[]` and `mask` of edits, `response_format`, the response: openai 7.57, resources/images.{js,d.ts},
 *   internal/uploads.js
 * - the form of errors: core/error.js (`error.{message,type,param,code}`)
 * - `rate_limit_exceeded`, `slow_down`, `server_is_overloaded`: docs "Error codes"
 * - `moderation_blocked` with type `image_generation_user_error`, `insufficient_quota`: docs "Error codes" and the
 *   reports of users in public issues
 * - URLs instead of base64: models before gpt-image, and gateways that speak the same API
 */

interface ImageCall extends FakeSubmission {
  readonly path: 'generations' | 'edits';
  /** The caller's own id of it. */
  readonly requestId: unknown;
  readonly fields: Record<string, unknown>;
  readonly behaviour: VendorBehaviour;
  readonly outputs: readonly SampleOutput[];
}

export const startFakeOpenAi = (options: FakeVendorOptions = {}): Promise<FakeOpenAi> =>
  new FakeOpenAi(options).start();

/** Speaks like OpenAI's image API; `url` is the base URL. */
export class FakeOpenAi extends VendorFake<ImageCall> {
  protected readonly refusals = REFUSALS;
  protected override readonly lies = LIES;
  #withheld = 0;

  override async start(): Promise<this> {
    await super.start();
    this.url += '/v1';
    return this;
  }

  /** The next response has so many pictures less than were asked for: an entry without a picture stands for each. */
  withhold(pictures: number): void {
    this.#withheld = pictures;
  }

  protected async reply(call: VendorCall): Promise<VendorReply> {
    const path = call.url.pathname;
    const [, id, file] = /^\/v1\/files\/(\d+)\/(.+)/.exec(path) ?? [];
    if (id && file) return this.output(this.find(id), file);
    const isKeyGood = this.hasKey(call);
    if (path === '/v1/models') {
      const models = ['gpt-image-2', 'gpt-image-2.5-flare', 'flux-schnell'];
      const data = models.map((id) => ({ id, object: 'model', created: 1, owned_by: 'system' }));
      return isKeyGood ? { status: 200, body: { object: 'list', data } } : WRONG_KEY;
    }
    const [, verb] = /^\/v1\/images\/(generations|edits)$/.exec(path) ?? [];
    if (!verb || call.method !== 'POST') return error(404, 'invalid_request_error', 'unknown_url', 'Unknown URL');
    this.posts++;
    return isKeyGood ? this.#make(call, verb as ImageCall['path']) : WRONG_KEY;
  }

  #make(call: VendorCall, path: ImageCall['path']): Promise<VendorReply> {
    return this.submit(call, async (behaviour) => {
      const fields = path === 'edits' ? await this.#readForm(call) : JSON.parse(String(await call.body()));
      const isGptImage = String(fields.model).startsWith('gpt-image');
      if (isGptImage && fields.response_format) {
        return error(400, 'invalid_request_error', 'unknown_parameter', "Unknown parameter: 'response_format'.");
      }
      const kind = fields.output_format === 'svg' ? 'svg' : 'image';
      const outputs = await this.outputs(behaviour, kind, fields.n);
      if (behaviour === 'loses_output') this.#withheld = outputs.length;
      const id = String(this.submissions.length);
      const requestId = call.headers['x-client-request-id'];
      this.submissions.push({ id, path, fields, requestId, behaviour, outputs, isCanceled: false });
      if (behaviour === 'never_ends') return 'hang';
      await sleep(this.workMs);
      if (behaviour === 'fails') {
        return error(500, 'server_error', null, 'The server had an error while processing your request.');
      }
      const isBase64 = isGptImage || fields.response_format === 'b64_json';
      return { status: 200, body: this.#response(id, outputs, isBase64) };
    });
  }

  /** Files are kept by a name of their own, which stands for them in the fields; `image[]` becomes a list. */
  async #readForm(call: VendorCall): Promise<Record<string, unknown>> {
    const fields: Record<string, unknown> = {};
    for (const [name, value] of await formOf(call)) {
      const kept = typeof value === 'string' ? value : await this.#keep(value);
      if (name.endsWith('[]')) fields[name.slice(0, -2)] = [...((fields[name.slice(0, -2)] as string[]) ?? []), kept];
      else fields[name] = kept;
    }
    return fields;
  }

  async #keep(file: Blob): Promise<string> {
    const name = `file-${this.uploads.size}`;
    this.uploads.set(name, Buffer.from(await file.arrayBuffer()));
    return name;
  }

  #response(id: string, outputs: readonly SampleOutput[], isBase64: boolean): object {
    const withheld = this.#withheld;
    this.#withheld = 0;
    const data = outputs.map(({ bytes, extension }, index) => {
      if (index < withheld) return {};
      if (isBase64) return { b64_json: bytes.toString('base64') };
      return { url: `${this.url}/files/${id}/${index}.${extension}`, revised_prompt: 'a picture' };
    });
    const usage = { input_tokens: 10, output_tokens: 272, total_tokens: 282 };
    return { created: Math.floor(Date.now() / 1000), data, ...(isBase64 ? { usage } : {}) };
  }
}

function error(status: number, type: string, code: string | null, message: string): VendorReply {
  return { status, body: { error: { message, type, param: null, code } } };
}

const WRONG_KEY = error(401, 'invalid_request_error', 'invalid_api_key', 'Incorrect API key provided: sk-****.');

/** As of a gateway that lost the connection to a server behind it, or has a limit of its own. */
const LIES: Partial<Record<VendorBehaviour, VendorReply>> = {
  busy_but_starts: { status: 429, headers: { 'retry-after': '1' }, body: { detail: 'Too many requests' } },
  down_but_starts: error(503, 'server_error', null, 'The server is currently unavailable.'),
};

const REFUSALS: Partial<Record<VendorBehaviour, VendorReply>> = {
  refuses_key: WRONG_KEY,
  busy: {
    status: 429,
    headers: { 'retry-after': '7' },
    body: { error: { message: 'Rate limit reached', type: 'requests', param: null, code: 'rate_limit_exceeded' } },
  },
  down: error(503, 'service_unavailable_error', 'server_is_overloaded', 'The model is currently overloaded.'),
  rejects: error(400, 'invalid_request_error', 'invalid_value', "Invalid value: '7x7'. Supported sizes: 'auto'."),
  moderates: error(
    400,
    'image_generation_user_error',
    'moderation_blocked',
    'Your request was rejected by the safety system. safety_violations=[violence].',
  ),
};
