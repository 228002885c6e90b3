import { openAsBlob } from 'node:fs';
import { extname } from 'node:path';
import type { VendorFetch, VendorResponse } from '#adapters/outgoing-http';
import {
  OutcomeUnknown,
  vendorFields,
  type Found,
  type JsonObject,
  type Mapping,
  type Model,
  type ProviderHealth,
  type ProviderSettings,
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
import { mappedValues } from '../remote/inputs.ts';
import { fetchOutput } from '../remote/outputs.ts';
import { VendorCalls } from '../remote/vendor-calls.ts';
import { vendorFetch, type RemoteLimits } from '../remote/vendor.ts';
import { asObject, endedJob, failureOf, parsed, refusalCode, savedFiles, type EndedJob } from './answers.ts';
import { missingFrom, nodeTypesOf } from './workflow.ts';

/** Where a job is; `absent` in neither queue nor history. */
type Place = 'pending' | 'running' | EndedJob | 'absent';

/** Older versions list their whole queue, with all workflows. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
const UPLOAD_SECONDS = 120;
/** Newest jobs that are looked through. */
const MAX_HISTORY = 200;

export function createComfyUi(settings: ProviderSettings, limits: RemoteLimits): RemoteProvider {
  if (settings.baseUrl === null) throw new Error(`the provider ${settings.id} needs a base_url`);
  const baseUrl = settings.baseUrl.replace(/\/+$/, '');
  const http = vendorFetch(baseUrl, limits, { maxBytes: MAX_ANSWER_BYTES });
  return new ComfyUiProvider(settings, baseUrl, http, limits.maxOutputBytes);
}

/**
 * A ComfyUI server, by its own HTTP API. The request key is the id of the job (`prompt_id`), so a job is found whatever
 * became of the answer. Queue and history are in its memory: what is in neither does not run. It reports progress by a
 * WebSocket to the client that submitted only, while any worker may check a job, so no progress is read.
 */
export class ComfyUiProvider implements RemoteProvider {
  readonly hasWebhooks = false;
  readonly #calls: VendorCalls;

  constructor(
    private readonly settings: ProviderSettings,
    private readonly baseUrl: string,
    private readonly http: VendorFetch,
    private readonly maxOutputBytes: number,
  ) {
    this.#calls = this.#callsFor({});
  }

  get id(): string {
    return this.settings.id;
  }

  async submit(task: RemoteTask, { signal }: SubmitOptions): Promise<SubmitResult> {
    const { requestKey, model } = task;
    let uploads = 0;
    const values = await mappedValues(task, (input) => this.#upload(input, `${requestKey}-${++uploads}`, signal));
    const prompt = vendorFields(model.mapping, values, model.workflow ?? {}) as JsonObject;
    const answer = await this.#callsFor(model.mapping).submit(
      async (fetch) => {
        const response = await fetch(
          this.#url('/prompt'),
          this.#post({ prompt, prompt_id: requestKey, extra_data: { request_key: requestKey } }),
        );
        const text = await response.text();
        // The newest versions refuse an id that they have.
        if (text.includes('prompt_id already exists')) return { prompt_id: requestKey };
        return successful(response) && parsed(text);
      },
      { signal },
    );
    // Older versions give an id of their own.
    const { prompt_id: id } = asObject(answer);
    if (typeof id !== 'string') throw new OutcomeUnknown();
    return { handle: { id } };
  }

  async find(task: SubmittedTask, _since: Date, signal: AbortSignal): Promise<Found> {
    const { place, isOlder } = await this.#look(task.requestKey, signal);
    if (place !== 'absent') return { handle: { id: task.requestKey } };
    if (!isOlder) return 'absent';
    const id = await this.#idInOlder(task.requestKey, signal);
    return id === null ? 'unknown' : { handle: { id } };
  }

  /** The oldest versions give a job an id of their own, and keep what comes with it. */
  async #idInOlder(requestKey: string, signal: AbortSignal): Promise<string | null> {
    const queue = asObject(await this.#ask('/queue', signal));
    const history = asObject(await this.#ask(`/history?max_items=${MAX_HISTORY}`, signal));
    const ended = Object.values(history).map((entry) => asObject(entry)['prompt']);
    // An item is a list: number, id, workflow, extra data, …
    const items = [queue['queue_running'], queue['queue_pending'], ended].flatMap((list) =>
      Object.values(asObject(list)),
    );
    const own = items.map(asObject).find((item) => asObject(item['3'])['request_key'] === requestKey);
    return own ? String(own['1']) : null;
  }

  async check(handle: VendorHandle, signal: AbortSignal): Promise<VendorState> {
    const { place } = await this.#look(idOf(handle), signal);
    if (place === 'absent') {
      // It was lost by a restart, or deleted.
      const cause = new Error('ComfyUI has the job neither in its queue nor in its history');
      return { state: 'inconclusive', failure: providerFailure('provider_unavailable', { retryable: true, cause }) };
    }
    if (place === 'pending' || place === 'running') {
      return { state: 'pending', progress: null, checkAfterSeconds: null };
    }
    const failure = failureOf(place);
    if (failure === 'canceled') return { state: 'canceled' };
    if (failure) return { state: 'failed', failure };
    const outputs = savedFiles(place).map(({ filename, subfolder, type }): VendorOutput => {
      const query = new URLSearchParams({ filename, subfolder, type });
      return { url: this.#url(`/view?${query}`), label: null, score: null };
    });
    if (outputs.length === 0) return { state: 'failed', failure: providerFailure('unusable_output') };
    return { state: 'ended', outputs, cost: null };
  }

  fetchOutput(output: VendorOutput, target: string, signal: AbortSignal): Promise<void> {
    return fetchOutput(this.http, output, target, { maxBytes: this.maxOutputBytes, signal, headers: this.#headers });
  }

  async cancel(handle: VendorHandle, signal: AbortSignal): Promise<'canceled' | 'too_late' | 'unsupported'> {
    const id = idOf(handle);
    const answer = await this.#ask(`/api/jobs/${id}/cancel`, signal, this.#post({}), ({ status }) =>
      status === 404 || status === 405 ? 'older' : undefined,
    );
    if (answer === 'older') return this.#cancelInOlder(id, signal);
    return asObject(answer)['cancelled'] === true ? 'canceled' : 'too_late';
  }

  /** Some older versions interrupt whatever runs, so only a job that runs is interrupted. */
  async #cancelInOlder(id: string, signal: AbortSignal): Promise<'canceled' | 'too_late'> {
    const { place: before } = await this.#look(id, signal);
    if (before === 'pending') await this.#ask('/queue', signal, this.#post({ delete: [id] }));
    const { place } = before === 'pending' ? await this.#look(id, signal) : { place: before };
    if (place === 'running') await this.#ask('/interrupt', signal, this.#post({ prompt_id: id }));
    return place === 'running' || before === 'pending' ? 'canceled' : 'too_late';
  }

  isAuthentic(): Promise<boolean> {
    return Promise.resolve(false);
  }

  async health(model: Model | null, signal: AbortSignal): Promise<ProviderHealth> {
    let remedy: string | null = null;
    const health = await healthOf(model, async () => {
      await this.#ask('/system_stats', signal);
      if (!model) return null;
      remedy = await this.#missingFor(model, signal);
      return remedy === null;
    });
    return { ...health, remedy: remedy ?? health.remedy };
  }

  /** What the workflow of a model needs and the server does not have. */
  async #missingFor({ workflow, mapping }: Model, signal: AbortSignal): Promise<string | null> {
    const infoOf = (type: string) => this.#ask(`/object_info/${encodeURIComponent(type)}`, signal).then(asObject);
    const infos = await Promise.all(nodeTypesOf(workflow ?? {}).map(infoOf));
    return missingFrom(workflow ?? {}, mapping, Object.assign({}, ...infos) as JsonObject);
  }

  /** Versions since December 2025 tell of one job in a short answer. */
  async #look(id: string, signal: AbortSignal): Promise<{ place: Place; isOlder: boolean }> {
    const job = await this.#ask(`/api/jobs/${id}`, signal, {}, ({ status, headers }) => {
      if (status !== 404) return undefined;
      return headers.get('content-type')?.startsWith('application/json') ? 'absent' : 'older';
    });
    if (job === 'absent') return { place: 'absent', isOlder: false };
    if (job !== 'older') return { place: placeOf(asObject(job)), isOlder: false };
    // The job may end between two answers.
    const place =
      (await this.#ended(id, signal)) ?? (await this.#queued(id, signal)) ?? (await this.#ended(id, signal));
    return { place: place ?? 'absent', isOlder: true };
  }

  async #ended(id: string, signal: AbortSignal): Promise<EndedJob | null> {
    const history = asObject(await this.#ask(`/history/${id}`, signal));
    return Object.hasOwn(history, id) ? endedJob(asObject(history[id]), 'status') : null;
  }

  async #queued(id: string, signal: AbortSignal): Promise<'pending' | 'running' | null> {
    const queue = asObject(await this.#ask('/queue', signal));
    // An item is a list: number, id, workflow, …
    const has = (items: unknown) => Array.isArray(items) && items.some((item: unknown) => asObject(item)['1'] === id);
    if (has(queue['queue_running'])) return 'running';
    return has(queue['queue_pending']) ? 'pending' : null;
  }

  /** Returns the file's name for the workflow. A repeated upload replaces the file of the same name. */
  async #upload({ file, contentType }: RemoteInput, name: string, signal: AbortSignal): Promise<string> {
    const body = new FormData();
    body.append('image', await openAsBlob(file, { type: contentType }), `${name}${extname(file)}`);
    body.append('overwrite', 'true');
    const { name: given, subfolder } = await this.#calls.prepare(
      async (fetch) => {
        const response = await fetch(this.#url('/upload/image'), { method: 'POST', headers: this.#headers, body });
        return asObject(successful(response) && parsed(await response.text()));
      },
      { signal, timeoutSeconds: UPLOAD_SECONDS },
    );
    return subfolder ? `${String(subfolder)}/${String(given)}` : String(given);
  }

  /** The JSON of the answer, `null` when it has none, or what `meaningOf` makes of a refusal. */
  #ask(
    path: string,
    signal: AbortSignal,
    init: RequestInit = {},
    meaningOf?: (refusal: VendorResponse) => unknown,
  ): Promise<unknown> {
    return this.#calls.ask<unknown>(
      async (fetch) => {
        const response = await fetch(this.#url(path), { headers: this.#headers, ...init });
        return successful(response) && parsed(await response.text());
      },
      { signal },
      meaningOf,
    );
  }

  #callsFor(mapping: Mapping): VendorCalls {
    return new VendorCalls(this.http, (response) => refusalCode(response, mapping));
  }

  #post(body: JsonObject): RequestInit {
    const headers = { ...this.#headers, 'content-type': 'application/json' };
    return { method: 'POST', headers, body: JSON.stringify(body) };
  }

  /** ComfyUI itself has no keys; a proxy before it may want one. */
  get #headers(): Record<string, string> {
    return this.settings.key ? { authorization: `Bearer ${this.settings.key}` } : {};
  }

  #url(path: string): string {
    return `${this.baseUrl}${path}`;
  }
}

const ENDED: readonly unknown[] = ['completed', 'failed', 'cancelled'];

function placeOf(job: Readonly<Record<string, unknown>>): Place {
  if (ENDED.includes(job['status'])) return endedJob(job, 'execution_status');
  return job['status'] === 'pending' ? 'pending' : 'running';
}

/** Handles of earlier versions have a `prompt_id`. */
function idOf({ id, prompt_id }: VendorHandle): string {
  const known: unknown = id ?? prompt_id;
  if (typeof known !== 'string') throw new Error('the handle has no id');
  return known;
}

/** `VendorCalls` knows why the response is no success. */
function successful(response: Response): true {
  if (!response.ok) throw new Error('not successful');
  return true;
}
