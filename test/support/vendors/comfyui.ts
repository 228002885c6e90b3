import type { FakeSubmission, FakeVendor, VendorBehaviour } from './fake-vendor.ts';
import { sampleOutput, type SampleKind, type SampleOutput } from './sample-outputs.ts';
import {
  startVendorServer,
  VendorPlan,
  type FakeVendorOptions,
  type VendorCall,
  type VendorReply,
} from './vendor-server.ts';

/*
 * Written from Comfy-Org/ComfyUI at 5e14d79 (server.py) and cb707e9 (execution.py, comfy_execution/jobs.py):
 * - routes, the answers of /prompt, /queue, /interrupt, /history, /view and /upload/image: server.py;
 * - every route is also found below /api, /api/jobs only there: server.py, add_routes;
 * - a prompt_id of the client: server.py post_prompt; a duplicate is queued again, and refused with 409 since 5e14d79;
 * - errors of validation, missing_node_type (older: invalid_prompt, as in issue 12105): execution.py validate_prompt;
 * - the entries of history, execution_error, execution_interrupted: execution.py task_done, handle_execution_error;
 * - a job of /api/jobs: jobs.py normalize_history_item; its cancel answers {"cancelled": …}: pull request 14493;
 * - `ui` of nodes: SaveImage and SaveSVG images, SaveVideo images with animated, VHS_VideoCombine gifs, SaveGLB 3d.
 * 401, 429 and 503 are what a proxy before it answers: it has no keys and no limits of its own.
 */

type Workflow = Record<string, { class_type: string; inputs: Record<string, unknown>; _meta?: { title: string } }>;

interface Job {
  readonly id: string;
  readonly number: number;
  readonly prompt: Workflow;
  readonly extraData: object;
  readonly behaviour: VendorBehaviour;
  state: 'pending' | 'running' | 'done' | 'gone' | 'resting';
  isCanceled: boolean;
  entry: HistoryEntry | null;
  looks: number;
}

interface HistoryEntry {
  readonly prompt: unknown;
  readonly outputs: Record<string, unknown>;
  readonly status: { status_str: string; completed: boolean; messages: readonly unknown[] };
}

export interface FakeComfyUiOptions extends FakeVendorOptions {
  /**
   * `oldest`: gives ids of its own, as before the prompt_id of the client. `older`: without /api/jobs, as before December
   * 2025. `newest`: refuses a duplicate prompt_id.
   */
  readonly version?: 'oldest' | 'older' | 'recent' | 'newest';
  /** The picture that it makes, instead of samples. */
  readonly picture?: Buffer;
  /** Further types of nodes. */
  readonly nodes?: readonly string[];
}

export interface FakeComfyUi extends FakeVendor {
  /** What 'fails' fails with. */
  failWith(exceptionType: string, message: string): void;
  /** What it was asked to interrupt: ids, or `all`. */
  readonly interrupts: readonly string[];
  isRunning(id: string): boolean;
  /** The picture that a submission has made. */
  pictureOf(id: string): Promise<Buffer>;
  /** Whether it says of all jobs that it has them not. */
  hide(isHidden: boolean): void;
}

const CHECKPOINTS = ['sd_xl_base_1.0.safetensors', 'v1-5-pruned-emaonly-fp16.safetensors'];

/** The nodes that it has, with the choices of their inputs. */
const NODES: Record<string, Record<string, readonly string[]>> = {
  CheckpointLoaderSimple: { ckpt_name: CHECKPOINTS },
  CLIPTextEncode: {},
  EmptyLatentImage: {},
  KSampler: { sampler_name: ['euler', 'dpmpp_2m'], scheduler: ['normal', 'karras'] },
  VAEDecode: {},
  VAEEncode: {},
  LoadImage: {},
  ImageScaleToTotalPixels: { upscale_method: ['nearest-exact', 'lanczos'] },
  SaveImage: {},
  PreviewImage: {},
  SaveSVG: {},
  SaveVideo: {},
  VHS_VideoCombine: {},
  SaveGLB: {},
};

/** Of a node that saves: the key of its outputs, what it saves, and the type of the file. */
const SAVES: Record<string, readonly [key: string, kind: SampleKind, type: string]> = {
  SaveImage: ['images', 'image', 'output'],
  PreviewImage: ['images', 'image', 'temp'],
  SaveSVG: ['images', 'svg', 'output'],
  SaveVideo: ['images', 'video', 'output'],
  VHS_VideoCombine: ['gifs', 'video', 'output'],
  SaveGLB: ['3d', 'glb', 'output'],
};
const EXTENSIONS = { image: 'png', svg: 'svg', video: 'mp4', glb: 'glb', html: 'png' } as const;

const TEXT = { 'content-type': 'text/plain; charset=utf-8' };
const BUSY: VendorReply = { status: 429, headers: { 'retry-after': '2' }, body: 'too many requests' };
const DOWN: VendorReply = { status: 503, headers: TEXT, body: 'no server is available' };

export async function startFakeComfyUi(options: FakeComfyUiOptions = {}): Promise<FakeComfyUi> {
  const fake = new ComfyUi(options);
  return Object.assign(fake, await startVendorServer((call) => fake.reply(call), options.port));
}

class ComfyUi {
  posts = 0;
  readonly interrupts: string[] = [];
  readonly #plan = new VendorPlan();
  readonly #nodes: Record<string, Record<string, readonly string[]>>;
  readonly #version: NonNullable<FakeComfyUiOptions['version']>;
  readonly #uploads = new Map<string, Buffer>();
  #jobs: Job[] = [];
  #isHidden = false;
  readonly #started: Job[] = [];
  #failure = { type: 'RuntimeError', message: 'mat1 and mat2 shapes cannot be multiplied' };

  constructor(private readonly options: FakeComfyUiOptions) {
    this.#version = options.version ?? 'recent';
    this.#nodes = { ...NODES, ...Object.fromEntries((options.nodes ?? []).map((name) => [name, {}])) };
  }

  get submissions(): readonly FakeSubmission[] {
    return this.#started.map(({ id, prompt, isCanceled }) => ({ id, fields: prompt, isCanceled }));
  }

  plan(next: readonly VendorBehaviour[], otherwise?: VendorBehaviour): void {
    this.#plan.plan(next, otherwise);
  }

  failWith(type: string, message: string): void {
    this.#failure = { type, message };
  }

  isRunning(id: string): boolean {
    return this.#jobs.some((job) => job.id === id && job.state === 'running');
  }

  async pictureOf(id: string): Promise<Buffer> {
    return (
      await this.#made(
        this.#started.find((job) => job.id === id)!,
        'image',
      )
    ).bytes;
  }

  hide(isHidden: boolean): void {
    this.#isHidden = isHidden;
  }

  spare(text: string): void {
    this.#plan.spare(text);
  }

  upload(name: string): Buffer | null {
    return this.#uploads.get(name) ?? null;
  }

  /** Queue and history are in memory; uploads are files. */
  restart(): void {
    for (const job of this.#jobs) job.state = 'gone';
    this.#jobs = [];
  }

  async reply(call: VendorCall): Promise<VendorReply> {
    const [, first = '', second = '', third = ''] = call.url.pathname.replace(/^\/api(?!\/jobs)/, '').split('/');
    const route = `${call.method} /${first}`;
    if (route === 'POST /prompt') this.posts++;
    const { key } = this.options;
    if (key && call.headers.authorization !== `Bearer ${key}`) return { status: 401, body: { error: 'unauthorized' } };
    if (route === 'POST /prompt') return this.#prompt(call);
    if (route === 'GET /history') return { status: 200, body: this.#history(decodeURIComponent(second)) };
    if (route === 'GET /queue') return { status: 200, body: this.#queue() };
    if (route === 'POST /queue') return this.#deleteFromQueue(call);
    if (route === 'POST /interrupt') return this.#interrupt(call);
    if (route === 'POST /upload') return this.#upload(call);
    if (route === 'GET /view') return this.#view(call.url.searchParams.get('filename') ?? '');
    if (route === 'GET /system_stats') return { status: 200, body: { system: { comfyui_version: '0.28.0' } } };
    if (route === 'GET /object_info') return { status: 200, body: this.#objectInfo(decodeURIComponent(second)) };
    if (first === 'api' && second === 'jobs' && !['oldest', 'older'].includes(this.#version))
      return this.#job(call, third);
    // Its static files answer GET and HEAD only.
    if (call.method === 'GET') return { status: 404, headers: TEXT, body: '404: Not Found' };
    return { status: 405, headers: TEXT, body: '405: Method Not Allowed' };
  }

  async #prompt(call: VendorCall): Promise<VendorReply> {
    const behaviour = await this.#plan.take(call);
    if (behaviour === 'drops_before') return 'drop';
    if (behaviour === 'busy') return BUSY;
    if (behaviour === 'down') return DOWN;
    if (behaviour === 'refuses_key') return { status: 401, body: { error: 'unauthorized' } };
    const body = (await jsonOf(call)) as { prompt: Workflow; prompt_id?: string; extra_data?: object };
    const { prompt, prompt_id: wanted, extra_data: extraData = {} } = body;
    const id = (this.#version !== 'oldest' && wanted) || crypto.randomUUID();
    const invalid = this.#validate(prompt, behaviour);
    if (invalid) return { status: 400, body: invalid };
    if (this.#version === 'newest' && this.#jobs.some((job) => job.id === id)) {
      return { status: 409, body: { error: 'prompt_id already exists' } };
    }
    const number = this.#started.length;
    this.#start({
      id,
      number,
      prompt,
      extraData,
      behaviour,
      state: 'pending',
      isCanceled: false,
      entry: null,
      looks: 0,
    });
    if (behaviour === 'drops_after') return 'drop';
    if (behaviour === 'hangs') return 'hang';
    if (behaviour === 'busy_but_starts') return BUSY;
    if (behaviour === 'down_but_starts') return DOWN;
    return { status: 200, body: { prompt_id: id, number, node_errors: {} } };
  }

  #validate(prompt: Workflow, behaviour: VendorBehaviour): object | null {
    for (const [nodeId, node] of Object.entries(prompt)) {
      if (Object.hasOwn(this.#nodes, node.class_type)) continue;
      const title = node._meta?.title ?? node.class_type;
      const missing = {
        type: 'missing_node_type',
        message: `Node '${title}' not found. The custom node may not be installed.`,
        extra_info: { node_id: nodeId, class_type: node.class_type, node_title: title },
      };
      const older = {
        type: 'invalid_prompt',
        message: `Cannot execute because node ${node.class_type} does not exist.`,
        extra_info: {},
      };
      const error = ['oldest', 'older'].includes(this.#version) ? older : missing;
      return { error: { ...error, details: `Node ID '#${nodeId}'` }, node_errors: {} };
    }
    const errors: Record<string, object> = {};
    for (const [nodeId, { class_type, inputs }] of Object.entries(prompt)) {
      const wrong = Object.entries(this.#nodes[class_type]!).find(
        ([name, choices]) => typeof inputs[name] === 'string' && !choices.includes(inputs[name]),
      );
      if (wrong) errors[nodeId] = nodeError(class_type, wrong[0], 'value_not_in_list', 'Value not in list');
      if (behaviour === 'rejects' && 'seed' in inputs) {
        errors[nodeId] = nodeError(class_type, 'seed', 'value_bigger_than_max', 'Value 9 bigger than max of 8');
      }
    }
    if (Object.keys(errors).length === 0) return null;
    const details = 'Value not in list: ckpt_name: /models/private.safetensors';
    const message = 'Prompt outputs failed validation';
    const error = { type: 'prompt_outputs_failed_validation', message, details, extra_info: {} };
    return { error, node_errors: errors };
  }

  #start(job: Job): void {
    this.#started.push(job);
    this.#jobs.push(job);
    const { workMs = 40 } = this.options;
    const afterHalf = (next: () => void) => setTimeout(next, workMs / 2).unref();
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
      // A partner node, whose vendor refuses (comfy_api_nodes).
      this.#fail(job, { type: 'Exception', message: 'API Error: Request was rejected by the moderation system.' });
    } else this.#record(job, 'success', ['execution_success', { prompt_id: job.id }], outputsOf(job));
  }

  #fail(job: Job, failure: { type: string; message: string }): void {
    const [nodeId, node] = Object.entries(job.prompt)[0]!;
    const facts = { prompt_id: job.id, node_id: nodeId, node_type: node.class_type, executed: [] };
    const error = { exception_type: failure.type, exception_message: `${failure.message}\n`, traceback: ['/srv/x.py'] };
    this.#record(job, 'error', ['execution_error', { ...facts, ...error }], {});
  }

  #record(job: Job, status: string, last: unknown, outputs: Record<string, unknown>): void {
    job.state = 'done';
    job.entry = {
      prompt: [job.number, job.id, job.prompt, job.extraData, []],
      outputs,
      status: {
        status_str: status,
        completed: status === 'success',
        messages: [['execution_start', { prompt_id: job.id, timestamp: 1 }], last],
      },
    };
  }

  /** The job as it is now, or in a state that it has no longer or that does not exist. */
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
        .map(({ number, id, prompt, extraData }) => [number, id, prompt, { ...extraData, create_time: 1 }, ['9']]);
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

  /** Ends a job as the real one does: one that waited leaves no trace. */
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
    const headers = { 'content-type': call.headers['content-type'] ?? '' };
    const form = await new Response(new Uint8Array(await call.body()), { headers }).formData();
    const image = form.get('image');
    if (!(image instanceof File)) return { status: 400 };
    let name = image.name;
    // Without `overwrite` a second file gets another name.
    if (form.get('overwrite') !== 'true' && this.#uploads.has(name)) name = name.replace('.', ' (1).');
    this.#uploads.set(name, Buffer.from(await image.arrayBuffer()));
    return { status: 200, body: { name, subfolder: form.get('subfolder') ?? '', type: form.get('type') ?? 'input' } };
  }

  async #view(name: string): Promise<VendorReply> {
    const job = this.#started.findLast(({ id }) => name.startsWith(id));
    if (!job || job.behaviour === 'loses_output') return { status: 404 };
    if (job.behaviour === 'hangs_output') return 'hang';
    const extension = name.split('.').at(-1);
    const kind = Object.values(SAVES).find(([, saved]) => EXTENSIONS[saved] === extension)![1];
    const { bytes, contentType } = await this.#made(job, kind);
    return {
      status: 200,
      headers: { 'content-type': contentType, 'content-disposition': `filename="${name}"` },
      body: bytes,
    };
  }

  async #made(job: Job, kind: SampleKind): Promise<SampleOutput> {
    const made = await sampleOutput(job.behaviour === 'sends_html' ? 'html' : kind, job.number);
    const { picture } = this.options;
    return picture && kind === 'image' && job.behaviour !== 'sends_html' ? { ...made, bytes: picture } : made;
  }

  #objectInfo(node: string): Record<string, object> {
    const names = node === '' ? Object.keys(this.#nodes) : [node].filter((name) => Object.hasOwn(this.#nodes, name));
    return Object.fromEntries(names.map((name) => [name, nodeInfo(name, this.#nodes[name]!)]));
  }
}

/** An input with choices is a list of them, or "COMBO" with options (nodes of the newer kind). */
function nodeInfo(name: string, inputs: Record<string, readonly string[]>): object {
  const required = Object.entries(inputs).map(([input, choices]) =>
    name === 'KSampler' ? [input, [choices, {}]] : [input, ['COMBO', { options: choices }]],
  );
  return { name, input: { required: { ...Object.fromEntries(required), other: ['INT', { min: 0 }] } } };
}

function nodeError(classType: string, input: string, type: string, message: string): object {
  const error = { type, message, details: input, extra_info: { input_name: input } };
  return { errors: [error], dependent_outputs: ['9'], class_type: classType };
}

function outputsOf({ id, prompt }: Job): Record<string, unknown> {
  const outputs: Record<string, unknown> = {};
  for (const [nodeId, { class_type }] of Object.entries(prompt)) {
    const saves = SAVES[class_type];
    if (!saves) continue;
    const [key, kind, type] = saves;
    const filename = `${id}_${nodeId}_.${EXTENSIONS[kind]}`;
    outputs[nodeId] = { [key]: [{ filename, subfolder: '', type }], ...(kind === 'video' && { animated: [true] }) };
  }
  return outputs;
}

async function jsonOf(call: VendorCall): Promise<unknown> {
  return JSON.parse((await call.body()).toString()) as unknown;
}
