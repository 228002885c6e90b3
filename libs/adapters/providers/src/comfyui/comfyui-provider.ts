import { openAsBlob } from 'node:fs';
import type { VendorFetch, VendorResponse } from '#adapters/outgoing-http';
import {
  vendorFields,
  type JsonObject,
  type Mapping,
  type Model,
  type ModelKind,
  type ProviderSettings,
} from '#catalogue';
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
import { PartlyDown, providerFailure } from '../remote/failures.ts';
import { healthOf } from '../remote/health.ts';
import { mappedValues, uploadName, uploadSeconds } from '../remote/inputs.ts';
import { asObject, parsedJson } from '../remote/json.ts';
import { fetchOutput } from '../remote/outputs.ts';
import { VendorCalls } from '../remote/vendor-calls.ts';
import { resultOf, resultPartOf, trainedOutputs } from '../remote/trained-styles.ts';
import type { RemoteLimits } from '../remote/vendor.ts';
import { JobSteps } from './job-steps.ts';
import { endedJob, failureOf, refusalCode, savedFiles, type EndedJob, type SavedFile } from './responses.ts';
import { missingFrom, nodeTypesOf } from './workflow.ts';

interface UploadTarget {
  readonly name: string;
  /** A folder in the folder of inputs. */
  readonly folder?: string;
}

/** `absent`: neither in the queue nor in the history. */
type JobState = 'pending' | 'running' | EndedJob | 'absent';

/** Older versions return the whole queue, with all workflows. */
export const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;
/** Number of latest jobs that a search reads. */
const MAX_HISTORY = 200;

/**
 * A ComfyUI server, by its HTTP API. The request key is the id of the job (`prompt_id`), so a job is found after a lost
 * response. A job in neither queue nor history does not run: both are kept in memory.
 */
export class ComfyUiProvider implements RemoteProvider {
  readonly hasWebhooks = false;
  /** Files stay until the operator deletes them. */
  readonly keepsOutputsSeconds = 86_400;
  readonly #calls: VendorCalls;
  readonly #steps: JobSteps;

  constructor(
    private readonly settings: ProviderSettings,
    readonly baseUrl: string,
    private readonly http: VendorFetch,
    private readonly limits: RemoteLimits,
  ) {
    this.#calls = this.#callsFor({});
    this.#steps = new JobSteps((id) => http.socket(this.#url(`/ws?clientId=${encodeURIComponent(id)}`), this.#headers));
  }

  get id(): string {
    return this.settings.id;
  }

  async submit(task: RemoteTask, { signal }: SubmitOptions): Promise<SubmitResult> {
    const { requestKey, model } = task;
    let uploads = 0;
    const values = await mappedValues(
      task,
      (input) => this.#upload(input, { name: `${requestKey}-${++uploads}` }, signal),
      (pictures) => this.#uploadFolder(pictures, requestKey, signal),
    );
    const prompt = vendorFields(model.mapping, values, model.workflow ?? {}) as JsonObject;
    const response = await this.#callsFor(model.mapping).submit(
      async (fetch) => {
        const response = await fetch(
          this.#url('/prompt'),
          this.#post({ prompt, prompt_id: requestKey, client_id: requestKey, extra_data: { request_key: requestKey } }),
        );
        const text = await response.text();
        // The newest versions refuse a duplicate id.
        if (text.includes('prompt_id already exists')) return { prompt_id: requestKey };
        return successful(response) && parsedJson(text);
      },
      { signal },
    );
    // The oldest versions assign their own id.
    const { prompt_id: id } = asObject(response);
    if (typeof id !== 'string') throw new OutcomeUnknown();
    return { handle: { ...resultPartOf(model), id } };
  }

  async find(task: SubmittedTask, _since: Date, signal: AbortSignal): Promise<Found> {
    const { state, isOlder } = await this.#look(task.requestKey, signal);
    if (state !== 'absent') return { handle: { ...resultPartOf(task.model), id: task.requestKey } };
    if (!isOlder) return 'absent';
    const id = await this.#idInOlder(task.requestKey, signal);
    return id === null ? 'unknown' : { handle: { ...resultPartOf(task.model), id } };
  }

  /** The oldest versions assign their own ids, but keep `extra_data`. */
  async #idInOlder(requestKey: string, signal: AbortSignal): Promise<string | null> {
    const queue = asObject(await this.#query('/queue', signal));
    const history = asObject(await this.#query(`/history?max_items=${MAX_HISTORY}`, signal));
    const ended = Object.values(history).map((entry) => asObject(entry)['prompt']);
    // An item is a list: number, id, workflow, extra data, …
    const items = [queue['queue_running'], queue['queue_pending'], ended].flatMap((list) =>
      Object.values(asObject(list)),
    );
    const own = items.map(asObject).find((item) => asObject(item['3'])['request_key'] === requestKey);
    return own ? String(own['1']) : null;
  }

  /** The number of jobs that run or wait. */
  async queueLength(signal: AbortSignal): Promise<number> {
    const queue = asObject(await this.#query('/queue', signal));
    return Object.keys(asObject(queue['queue_running'])).length + Object.keys(asObject(queue['queue_pending'])).length;
  }

  async check(handle: VendorHandle, signal: AbortSignal): Promise<VendorState> {
    if (!this.#has(handle)) {
      const cause = new PartlyDown(new Error('the server of the job is no longer in the catalogue'));
      throw providerFailure('provider_unavailable', { retryable: true, cause });
    }
    const { state } = await this.#look(idOf(handle), signal);
    if (state === 'absent') {
      // A restart has lost it, or it was deleted.
      const cause = new Error('ComfyUI has the job neither in its queue nor in its history');
      return { state: 'inconclusive', failure: providerFailure('provider_unavailable', { retryable: true, cause }) };
    }
    if (state === 'pending' || state === 'running') {
      const progress = state === 'running' ? this.#steps.progressOf(idOf(handle)) : null;
      return { state: 'pending', progress, checkAfterSeconds: null };
    }
    this.#steps.end(idOf(handle));
    const failure = failureOf(state);
    if (failure === 'canceled') return { state: 'canceled' };
    if (failure) return { state: 'failed', failure };
    const result = resultOf(handle);
    const outputs = result
      ? trainedOutputs(result, state.outputs)
      : savedFiles(state).map((file) => this.#output(file));
    if (outputs.length === 0) return { state: 'failed', failure: providerFailure('unusable_output') };
    return { state: 'ended', outputs, cost: null };
  }

  #output({ filename, subfolder, type }: SavedFile): VendorOutput {
    const query = new URLSearchParams({ filename, subfolder, type });
    return { url: this.#url(`/view?${query}`), label: null, score: null };
  }

  fetchOutput(output: VendorOutput, target: string, kind: ModelKind, signal: AbortSignal): Promise<void> {
    return fetchOutput(this.http, output, target, { kind, limits: this.limits, signal, headers: this.#headers });
  }

  async cancel(handle: VendorHandle, signal: AbortSignal): Promise<'canceled' | 'too_late' | 'unsupported'> {
    if (!this.#has(handle)) return 'unsupported';
    const id = idOf(handle);
    const response = await this.#query(`/api/jobs/${id}/cancel`, signal, this.#post({}), ({ status }) =>
      status === 404 || status === 405 ? 'older' : undefined,
    );
    if (response === 'older') return this.#cancelInOlder(id, signal);
    return asObject(response)['cancelled'] === true ? 'canceled' : 'too_late';
  }

  /** Some older versions interrupt any running job, so the job must be running. */
  async #cancelInOlder(id: string, signal: AbortSignal): Promise<'canceled' | 'too_late'> {
    const { state: before } = await this.#look(id, signal);
    if (before === 'pending') await this.#query('/queue', signal, this.#post({ delete: [id] }));
    const state = before === 'pending' ? (await this.#look(id, signal)).state : before;
    if (state === 'running') await this.#query('/interrupt', signal, this.#post({ prompt_id: id }));
    return state === 'running' || before === 'pending' ? 'canceled' : 'too_late';
  }

  isAuthentic(): Promise<boolean> {
    return Promise.resolve(false);
  }

  async health(model: Model | null, signal: AbortSignal): Promise<ProviderHealth> {
    let remedy: string | null = null;
    const health = await healthOf(model, async () => {
      await this.#query('/system_stats', signal);
      if (!model) return null;
      remedy = await this.#missingFor(model, signal);
      return remedy === null;
    });
    return { ...health, remedy: remedy ?? health.remedy };
  }

  /** The remedy for what the workflow of a model needs and the server lacks. */
  async #missingFor({ workflow, mapping }: Model, signal: AbortSignal): Promise<string | null> {
    const infoOf = (type: string) => this.#query(`/object_info/${encodeURIComponent(type)}`, signal).then(asObject);
    const infos = await Promise.all(nodeTypesOf(workflow ?? {}).map(infoOf));
    return missingFrom(workflow ?? {}, mapping, Object.assign({}, ...infos) as JsonObject);
  }

  /** Reads the state of a job: by `/api/jobs` since December 2025, by history and queue in older versions. */
  async #look(id: string, signal: AbortSignal): Promise<{ state: JobState; isOlder: boolean }> {
    const job = await this.#query(`/api/jobs/${id}`, signal, {}, ({ status, headers }) => {
      if (status !== 404) return undefined;
      return headers.get('content-type')?.startsWith('application/json') ? 'absent' : 'older';
    });
    if (job === 'absent') return { state: 'absent', isOlder: false };
    if (job !== 'older') return { state: stateOf(asObject(job)), isOlder: false };
    // The job may end between two responses.
    const state =
      (await this.#ended(id, signal)) ?? (await this.#queued(id, signal)) ?? (await this.#ended(id, signal));
    return { state: state ?? 'absent', isOlder: true };
  }

  async #ended(id: string, signal: AbortSignal): Promise<EndedJob | null> {
    const history = asObject(await this.#query(`/history/${id}`, signal));
    return Object.hasOwn(history, id) ? endedJob(asObject(history[id]), 'status') : null;
  }

  async #queued(id: string, signal: AbortSignal): Promise<'pending' | 'running' | null> {
    const queue = asObject(await this.#query('/queue', signal));
    // An item is a list: number, id, workflow, …
    const has = (items: unknown) => Array.isArray(items) && items.some((item: unknown) => asObject(item)['1'] === id);
    if (has(queue['queue_running'])) return 'running';
    return has(queue['queue_pending']) ? 'pending' : null;
  }

  /** Uploads pictures into a folder of inputs, and returns the name of the folder: no node of ComfyUI reads a zip. */
  async #uploadFolder(pictures: readonly RemoteInput[], folder: string, signal: AbortSignal): Promise<string> {
    for (const [index, picture] of pictures.entries()) {
      await this.#upload(picture, { name: String(index + 1).padStart(3, '0'), folder }, signal);
    }
    return folder;
  }

  /** Uploads an input and returns its name for the workflow. A repeated upload replaces the file. */
  async #upload(input: RemoteInput, { name, folder }: UploadTarget, signal: AbortSignal): Promise<string> {
    const body = new FormData();
    const timeoutSeconds = await uploadSeconds(input);
    body.append('image', await openAsBlob(input.file, { type: input.contentType }), uploadName(name, input));
    body.append('overwrite', 'true');
    if (folder !== undefined) body.append('subfolder', folder);
    const { name: given, subfolder } = await this.#calls.prepare(
      async (fetch) => {
        const response = await fetch(this.#url('/upload/image'), { method: 'POST', headers: this.#headers, body });
        return asObject(successful(response) && parsedJson(await response.text()));
      },
      { signal, timeoutSeconds },
    );
    return subfolder ? `${String(subfolder)}/${String(given)}` : String(given);
  }

  /** The JSON of a response, `null` when it has none, or the result of a refusal by `resultOf`. */
  #query(
    path: string,
    signal: AbortSignal,
    init: RequestInit = {},
    resultOf?: (refusal: VendorResponse) => unknown,
  ): Promise<unknown> {
    return this.#calls.query<unknown>(
      async (fetch) => {
        const response = await fetch(this.#url(path), { headers: this.#headers, ...init });
        return successful(response) && parsedJson(await response.text());
      },
      { signal },
      resultOf,
    );
  }

  #callsFor(mapping: Mapping): VendorCalls {
    return new VendorCalls(this.http, (response) => refusalCode(response, mapping));
  }

  #post(body: JsonObject): RequestInit {
    const headers = { ...this.#headers, 'content-type': 'application/json' };
    return { method: 'POST', headers, body: JSON.stringify(body) };
  }

  /** ComfyUI has no keys; a proxy before it may require one. */
  get #headers(): Record<string, string> {
    return this.settings.key ? { authorization: `Bearer ${this.settings.key}` } : {};
  }

  /** Reports whether the job was sent to this server. A handle names its server when the provider had several. */
  #has({ server }: VendorHandle): boolean {
    return server === undefined || server === this.baseUrl;
  }

  #url(path: string): string {
    return `${this.baseUrl}${path}`;
  }
}

const ENDED: readonly unknown[] = ['completed', 'failed', 'cancelled'];

function stateOf(job: Readonly<Record<string, unknown>>): JobState {
  if (ENDED.includes(job['status'])) return endedJob(job, 'execution_status');
  return job['status'] === 'pending' ? 'pending' : 'running';
}

/** Handles of earlier versions have a `prompt_id`. */
function idOf({ id, prompt_id }: VendorHandle): string {
  const known: unknown = id ?? prompt_id;
  if (typeof known !== 'string') throw new Error('the handle has no id');
  return known;
}

/** Throws for a status other than 2xx; `VendorFetch` has recorded the response. */
function successful(response: Response): true {
  if (!response.ok) throw new Error('not successful');
  return true;
}
