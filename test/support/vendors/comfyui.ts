import type { FakeSubmission, VendorBehaviour } from './fake-vendor.ts';
import {
  invalidity,
  kindOf,
  lorasOf,
  NODES,
  nodeInfos,
  outputsOf,
  type Nodes,
  type Workflow,
} from './comfyui-nodes.ts';
import type { SampleKind, SampleOutput } from './sample-outputs.ts';
import { VendorFake, type FakeVendorOptions } from './vendor-fake.ts';
import { formOf, type FakeSocket, type VendorCall, type VendorReply } from './vendor-server.ts';

/*
 * Written from Comfy-Org/ComfyUI at 5e14d79 (server.py) and cb707e9 (execution.py, comfy_execution/jobs.py):
 * - routes, the responses of /prompt, /queue, /interrupt, /history, /view and /upload/image: server.py;
 * - every route is also found below /api, /api/jobs only there: server.py, add_routes;
 * - a prompt_id of the client: server.py post_prompt; a duplicate is queued again, and refused with 409 since 5e14d79;
 * - errors of validation, missing_node_type (older: invalid_prompt, as in issue 12105): execution.py validate_prompt;
 * - the entries of history, execution_error, execution_interrupted: execution.py task_done, handle_execution_error;
 * - a job of /api/jobs: jobs.py normalize_history_item; its cancel returns {"cancelled": …}: pull request 14493;
 * - training: comfy_extras/nodes_train.py (TrainLoraNode, SaveLoRA) and nodes_dataset.py (LoadImageDataSetFromFolder);
 *   LoRAs in output/loras can be loaded: main.py;
 * - `ui` of nodes: SaveImage and SaveSVG images, SaveVideo images with animated, VHS_VideoCombine gifs, SaveGLB 3d.
 * 401, 429 and 503 are responses of a proxy: ComfyUI has no keys and no limits.
 */

interface Job extends FakeSubmission {
  readonly number: number;
  readonly fields: Workflow;
  readonly extraData: object;
  readonly clientId: string;
  readonly behaviour: VendorBehaviour;
  state: 'pending' | 'running' | 'done' | 'gone' | 'resting';
  isCanceled: boolean;
  entry: HistoryEntry | null;
  looks: number;
}

interface PromptBody {
  readonly prompt: Workflow;
  readonly prompt_id?: string;
  readonly extra_data?: object;
  readonly client_id?: string;
}

interface HistoryEntry {
  readonly prompt: unknown;
  readonly outputs: Record<string, unknown>;
  readonly status: { status_str: string; completed: boolean; messages: readonly unknown[] };
}

export interface FakeComfyUiOptions extends FakeVendorOptions {
  /**
   * `oldest`: assigns its own ids and ignores the client's prompt_id. `older`: without /api/jobs, as before December
   * 2025. `newest`: refuses a duplicate prompt_id.
   */
  readonly version?: 'oldest' | 'older' | 'recent' | 'newest';
  /** Further types of nodes. */
  readonly nodes?: readonly string[];
}

const TEXT = { 'content-type': 'text/plain; charset=utf-8' };
const UNAUTHORIZED: VendorReply = { status: 401, body: { error: 'unauthorized' } };

export const startFakeComfyUi = (options: FakeComfyUiOptions = {}): Promise<FakeComfyUi> =>
  new FakeComfyUi(options).start();

export class FakeComfyUi extends VendorFake<Job, FakeComfyUiOptions> {
  /** Interrupted jobs: ids, or `all`. */
  readonly interrupts: string[] = [];
  protected readonly refusals: Partial<Record<VendorBehaviour, VendorReply>> = {
    busy: { status: 429, headers: { 'retry-after': '2' }, body: 'too many requests' },
    down: { status: 503, headers: TEXT, body: 'no server is available' },
    refuses_key: UNAUTHORIZED,
  };
  readonly #ownNodes: Nodes;
  readonly #version: NonNullable<FakeComfyUiOptions['version']>;
  /** Files, which survive a restart. */
  readonly #loras = new Set<string>();
  readonly #sockets = new Map<string, FakeSocket>();
  #jobs: Job[] = [];
  #isHidden = false;
  #failure = { type: 'RuntimeError', message: 'mat1 and mat2 shapes cannot be multiplied' };

  constructor(options: FakeComfyUiOptions) {
    super(options);
    this.#version = options.version ?? 'recent';
    this.#ownNodes = { ...NODES, ...Object.fromEntries((options.nodes ?? []).map((name) => [name, {}])) };
  }

  /** The nodes, with the choices that change: folders of inputs, and LoRAs. */
  get #nodes(): Nodes {
    const folders = [...this.uploads.keys()].flatMap((name) => /^(.+)\/[^/]+$/.exec(name)?.[1] ?? []);
    return {
      ...this.#ownNodes,
      LoadImageDataSetFromFolder: { folder: folders },
      LoraLoader: { lora_name: [...this.#loras] },
    };
  }

  /** The error of the behaviour 'fails'. */
  failWith(type: string, message: string): void {
    this.#failure = { type, message };
  }

  isRunning(id: string): boolean {
    return this.#jobs.some((job) => job.id === id && job.state === 'running');
  }

  override async outputsOf(id: string): Promise<readonly Buffer[]> {
    const job = this.find(id)!;
    return [(await this.#made(job, 'image')).bytes];
  }

  /** A newer WebSocket of the same client replaces the older one (server.py websocket_handler). */
  protected override connect(call: VendorCall, socket: FakeSocket): void {
    this.#sockets.set(call.url.searchParams.get('clientId') ?? '', socket);
    socket.send(JSON.stringify({ type: 'status', data: { status: { exec_info: { queue_remaining: 1 } } } }));
  }

  /**
   * Sends a step of a running job to the WebSocket of its client_id, as main.py hijack_progress does.
   *
   * @returns whether there is such a WebSocket
   */
  step(id: string, value: number, max: number): boolean {
    const job = this.#jobs.findLast((each) => each.id === id && each.state === 'running');
    const socket = job && this.#sockets.get(job.clientId);
    if (!socket?.isOpen()) return false;
    socket.send(JSON.stringify({ type: 'progress', data: { value, max, prompt_id: id, node: '3' } }));
    return true;
  }

  /** Denies having any job, or no longer. */
  hide(isHidden: boolean): void {
    this.#isHidden = isHidden;
  }

  /** Queue and history are in memory; uploads are files. */
  override restart(): void {
    for (const job of this.#jobs) job.state = 'gone';
    this.#jobs = [];
  }

  protected async reply(call: VendorCall): Promise<VendorReply> {
    const [, first = '', second = '', third = ''] = call.url.pathname.replace(/^\/api(?!\/jobs)/, '').split('/');
    const route = `${call.method} /${first}`;
    if (route === 'POST /prompt') this.posts++;
    if (!this.hasKey(call)) return UNAUTHORIZED;
    if (route === 'POST /prompt') return this.#prompt(call);
    if (route === 'GET /history') return { status: 200, body: this.#history(decodeURIComponent(second)) };
    if (route === 'GET /queue') return { status: 200, body: this.#queue() };
    if (route === 'POST /queue') return this.#deleteFromQueue(call);
    if (route === 'POST /interrupt') return this.#interrupt(call);
    if (route === 'POST /upload') return this.#upload(call);
    if (route === 'GET /view') return this.#view(call.url.searchParams.get('filename') ?? '');
    if (route === 'GET /system_stats') return { status: 200, body: { system: { comfyui_version: '0.28.0' } } };
    if (route === 'GET /object_info') return { status: 200, body: nodeInfos(this.#nodes, decodeURIComponent(second)) };
    if (first === 'api' && second === 'jobs' && !['oldest', 'older'].includes(this.#version))
      return this.#job(call, third);
    // The handler of static files accepts GET and HEAD only.
    if (call.method === 'GET') return { status: 404, headers: TEXT, body: '404: Not Found' };
    return { status: 405, headers: TEXT, body: '405: Method Not Allowed' };
  }

  #prompt(call: VendorCall): Promise<VendorReply> {
    return this.submit(call, async (behaviour) => {
      const body = (await jsonOf(call)) as PromptBody;
      const { prompt, prompt_id: wanted, extra_data: extraData = {}, client_id: clientId = '' } = body;
      const id = (this.#version !== 'oldest' && wanted) || crypto.randomUUID();
      const isOlder = ['oldest', 'older'].includes(this.#version);
      const invalid = invalidity(prompt, this.#nodes, { isOlder, isSeedWrong: behaviour === 'rejects' });
      if (invalid) return { status: 400, body: invalid };
      if (this.#version === 'newest' && this.#jobs.some((job) => job.id === id)) {
        return { status: 409, body: { error: 'prompt_id already exists' } };
      }
      const number = this.submissions.length;
      const job = { id, number, fields: prompt, extraData, clientId, behaviour };
      this.#start({ ...job, state: 'pending', isCanceled: false, entry: null, looks: 0 });
      return { status: 200, body: { prompt_id: id, number, node_errors: {} } };
    });
  }

  #start(job: Job): void {
    this.submissions.push(job);
    this.#jobs.push(job);
    const afterHalf = (next: () => void) => setTimeout(next, this.workMs / 2).unref();
    afterHalf(() => {
      if (job.state !== 'pending') return;
      job.state = 'running';
      if (job.behaviour === 'never_ends') return;
      afterHalf(() => {
        if (job.state === 'running') this.#end(job);
      });
    });
  }

  #end(job: Job): void {
    if (job.behaviour === 'fails') this.#fail(job, this.#failure);
    else if (job.behaviour === 'moderates') {
      // A node of a partner whose moderation rejects the content (comfy_api_nodes).
      this.#fail(job, { type: 'Exception', message: 'API Error: Request was rejected by the moderation system.' });
    } else {
      for (const name of lorasOf(job.fields)) this.#loras.add(name);
      this.#record(job, 'success', ['execution_success', { prompt_id: job.id }], outputsOf(job));
    }
  }

  #fail(job: Job, failure: { type: string; message: string }): void {
    const [nodeId, node] = Object.entries(job.fields)[0]!;
    const facts = { prompt_id: job.id, node_id: nodeId, node_type: node.class_type, executed: [] };
    const error = { exception_type: failure.type, exception_message: `${failure.message}\n`, traceback: ['/srv/x.py'] };
    this.#record(job, 'error', ['execution_error', { ...facts, ...error }], {});
  }

  #record(job: Job, status: string, last: unknown, outputs: Record<string, unknown>): void {
    job.state = 'done';
    job.entry = {
      prompt: [job.number, job.id, job.fields, job.extraData, []],
      outputs,
      status: {
        status_str: status,
        completed: status === 'success',
        messages: [['execution_start', { prompt_id: job.id, timestamp: 1 }], last],
      },
    };
  }

  /** The job; for the behaviour 'lies', sometimes in an earlier or an invented state. */
  #look(job: Job): Job {
    if (job.behaviour !== 'lies' || job.state !== 'done') return job;
    return [{ ...job, state: 'running' as const }, { ...job, state: 'resting' as const }, job][job.looks++ % 3]!;
  }

  #found(id: string): Job | null {
    // The last of duplicates: history is a dictionary.
    const job = this.#jobs.findLast((known) => known.id === id && known.state !== 'gone' && !this.#isHidden);
    return job ? this.#look(job) : null;
  }

  #history(id: string): Record<string, HistoryEntry> {
    if (!id) return Object.fromEntries(this.#jobs.flatMap((job) => (job.entry ? [[job.id, job.entry]] : [])));
    const job = this.#found(id);
    return job?.state === 'done' ? { [id]: job.entry! } : {};
  }

  #queue(): object {
    const items = (state: Job['state']) =>
      this.#jobs
        .filter((job) => job.state === state)
        .map(({ number, id, fields, extraData }) => [number, id, fields, { ...extraData, create_time: 1 }, ['9']]);
    return { queue_running: items('running'), queue_pending: items('pending') };
  }

  #job(call: VendorCall, id: string): VendorReply {
    if (call.method === 'POST' && call.url.pathname.endsWith('/cancel')) {
      const job = this.#jobs.findLast((known) => known.id === id);
      return { status: 200, body: { cancelled: job ? this.#stop(job) : false } };
    }
    const job = this.#found(id);
    if (!job) return { status: 404, body: { error: 'Job not found' } };
    if (job.state !== 'done') {
      const status = job.state === 'running' ? 'in_progress' : job.state;
      return { status: 200, body: { id, status, priority: job.number, create_time: 1, outputs_count: 0 } };
    }
    const { outputs, status } = job.entry!;
    const state = status.status_str === 'error' ? 'failed' : 'completed';
    return { status: 200, body: { id, status: state, priority: job.number, outputs, execution_status: status } };
  }

  /** Cancels a job. A pending job leaves no trace. */
  #stop(job: Job): boolean {
    if (job.state === 'pending') job.state = 'gone';
    else if (job.state === 'running') {
      this.#record(job, 'error', ['execution_interrupted', { prompt_id: job.id, node_id: '3' }], {});
    } else return false;
    job.isCanceled = true;
    return true;
  }

  async #deleteFromQueue(call: VendorCall): Promise<VendorReply> {
    const { delete: ids = [] } = (await jsonOf(call)) as { delete?: readonly string[] };
    for (const job of this.#jobs) if (job.state === 'pending' && ids.includes(job.id)) this.#stop(job);
    return { status: 200 };
  }

  async #interrupt(call: VendorCall): Promise<VendorReply> {
    const { prompt_id: id } = (await jsonOf(call)) as { prompt_id?: string };
    this.interrupts.push(id ?? 'all');
    for (const job of this.#jobs) if (job.state === 'running' && (!id || job.id === id)) this.#stop(job);
    return { status: 200 };
  }

  async #upload(call: VendorCall): Promise<VendorReply> {
    const form = await formOf(call);
    const image = form.get('image');
    if (!(image instanceof File)) return { status: 400 };
    let name = image.name;
    // Without `overwrite` a second file gets another name.
    if (form.get('overwrite') !== 'true' && this.uploads.has(name)) name = name.replace('.', ' (1).');
    const subfolder = form.get('subfolder') as string | null;
    this.uploads.set(subfolder ? `${subfolder}/${name}` : name, Buffer.from(await image.arrayBuffer()));
    return { status: 200, body: { name, subfolder: subfolder ?? '', type: form.get('type') ?? 'input' } };
  }

  async #view(name: string): Promise<VendorReply> {
    const job = this.submissions.findLast(({ id }) => name.startsWith(id));
    if (!job || job.behaviour === 'loses_output') return { status: 404 };
    if (this.hangs(job)) return 'hang';
    const kind = kindOf(name);
    const { bytes, contentType } = await this.#made(job, kind);
    return {
      status: 200,
      headers: { 'content-type': contentType, 'content-disposition': `filename="${name}"` },
      body: bytes,
    };
  }

  #made(job: Job, kind: SampleKind): Promise<SampleOutput> {
    return this.sample(job.behaviour, kind, job.number);
  }
}

async function jsonOf(call: VendorCall): Promise<unknown> {
  return JSON.parse((await call.body()).toString()) as unknown;
}
