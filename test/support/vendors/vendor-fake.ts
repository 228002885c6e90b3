import { setTimeout as sleep } from 'node:timers/promises';
import type { FakeSubmission, FakeVendor, SignedWebhook, VendorBehaviour } from './fake-vendor.ts';
import { sampleOutput, type SampleKind, type SampleOutput } from './sample-outputs.ts';
import {
  startVendorServer,
  type FakeSocket,
  type VendorCall,
  type VendorReply,
  type VendorServer,
} from './vendor-server.ts';

export interface FakeVendorOptions {
  /** Default: a free one. */
  readonly port?: number;
  /** The only key that it accepts; `null` (default) for any. */
  readonly key?: string | null;
  /** How long it is busy with a submission. */
  readonly workMs?: number;
  /** How long a download takes. */
  readonly downloadMs?: number;
  /** How far its clock is ahead. */
  readonly clockAheadMs?: number;
  /** The picture that each submission makes, instead of a small one of its own. */
  readonly picture?: Buffer;
}

interface Made {
  readonly behaviour: VendorBehaviour;
  readonly outputs: readonly SampleOutput[];
}

/** Downloads of an output that hang, of a submission whose outputs do. */
const HANGS = 2;

/** A response that announces more bytes than the weights of a style may have. */
const TOO_MUCH: VendorReply = {
  status: 200,
  headers: { 'content-type': 'application/octet-stream', 'content-length': String(2 * 1024 ** 3 + 1) },
  body: 'the beginning',
};

/** A fake vendor without its API: its server, key, plan, outputs and webhooks. */
export abstract class VendorFake<
  Submission extends FakeSubmission & Partial<Made>,
  Options extends FakeVendorOptions = FakeVendorOptions,
> implements FakeVendor {
  url = '';
  posts = 0;
  /** Downloads of outputs that hang, or hung. */
  hungDownloads = 0;
  readonly submissions: Submission[] = [];
  protected readonly uploads = new Map<string, Buffer>();
  /** The responses to submissions that start nothing; `busy` and `down` also to some that start. */
  protected abstract readonly refusals: Partial<Record<VendorBehaviour, VendorReply>>;
  /** The responses to those that are busy or down, and start it. Default: as if they had not. */
  protected readonly lies: Partial<Record<VendorBehaviour, VendorReply>> = {};
  readonly #webhooks = new Set<NodeJS.Timeout>();
  readonly #hung = new Map<object, number>();
  #server: VendorServer | null = null;
  #next: VendorBehaviour[] = [];
  #otherwise: VendorBehaviour = 'works';
  #spared: string | null = null;

  constructor(protected readonly options: Options) {}

  protected abstract reply(call: VendorCall): Promise<VendorReply>;
  protected connect?(call: VendorCall, socket: FakeSocket): void;

  async start(): Promise<this> {
    const onSocket = this.connect?.bind(this);
    this.#server = await startVendorServer(
      (call) => this.reply(call),
      this.options.port,
      this.options.clockAheadMs,
      onSocket,
    );
    this.url = this.#server.url;
    return this;
  }

  async close(): Promise<void> {
    for (const timer of this.#webhooks) clearTimeout(timer);
    await this.#server?.close();
  }

  plan(next: readonly VendorBehaviour[], otherwise: VendorBehaviour = 'works'): void {
    this.#next = [...next];
    this.#otherwise = otherwise;
  }

  spare(text: string): void {
    this.#spared = text;
  }

  upload(name: string): Buffer | null {
    return this.uploads.get(name) ?? null;
  }

  /** Most keep nothing in memory only. */
  restart(): void {}

  async outputsOf(id: string): Promise<readonly Buffer[]> {
    return this.find(id)!.outputs!.map(({ bytes }) => bytes);
  }

  protected find(id: string | undefined): Submission | undefined {
    return this.submissions.find((each) => each.id === id);
  }

  protected get workMs(): number {
    return this.options.workMs ?? 30;
  }

  protected get clockAheadMs(): number {
    return this.options.clockAheadMs ?? 0;
  }

  /** The seed of the first output of the next submission. */
  protected get seed(): number {
    return 16 * (this.submissions.length + 1);
  }

  protected hasKey({ headers }: VendorCall, scheme = 'Bearer'): boolean {
    const { key = null } = this.options;
    return key === null || headers.authorization === `${scheme} ${key}`;
  }

  /** Does with a submission what is planned. @param start starts it; the response may refuse the input */
  protected async submit(
    call: VendorCall,
    start: (behaviour: VendorBehaviour) => Promise<VendorReply>,
  ): Promise<VendorReply> {
    const behaviour = await this.#take(call);
    if (behaviour === 'drops_before') return 'drop';
    const refusal = this.refusals[behaviour];
    if (refusal) return refusal;
    const response = await start(behaviour);
    if (typeof response === 'object' && response.status >= 400) return response;
    if (behaviour === 'drops_after') return 'drop';
    if (behaviour === 'hangs') return 'hang';
    if (behaviour === 'busy_but_starts') return this.lies[behaviour] ?? this.refusals.busy!;
    if (behaviour === 'down_but_starts') return this.lies[behaviour] ?? this.refusals.down!;
    return response;
  }

  /** Reads the submission only where a text is spared: some close the connection before. */
  async #take(submission: VendorCall): Promise<VendorBehaviour> {
    if (this.#spared !== null && (await submission.body()).includes(this.#spared)) return 'works';
    return this.#next.shift() ?? this.#otherwise;
  }

  /** Makes the outputs of the next submission. */
  protected outputs(behaviour: VendorBehaviour, kind: SampleKind, count: unknown = 1): Promise<SampleOutput[]> {
    const { seed } = this;
    return Promise.all(Array.from({ length: Number(count) }, (_, index) => this.sample(behaviour, kind, seed + index)));
  }

  protected async sample(behaviour: VendorBehaviour, kind: SampleKind, seed: number): Promise<SampleOutput> {
    if (behaviour === 'sends_html') return sampleOutput('html', seed);
    const made = await sampleOutput(kind, seed);
    const { picture } = this.options;
    return picture && kind === 'image' ? { ...made, bytes: picture } : made;
  }

  /** The response to a download. @param file begins with the number of the output */
  protected async output(made: Made | undefined, file: string, notFound: VendorReply = { status: 404 }) {
    await sleep(this.options.downloadMs ?? 0);
    const output = made?.outputs[Number.parseInt(file, 10)];
    if (!output || made?.behaviour === 'loses_output') return notFound;
    if (made && this.hangs(made)) return 'hang';
    if (made?.behaviour === 'sends_too_much') return TOO_MUCH;
    return { status: 200, headers: { 'content-type': output.contentType }, body: output.bytes };
  }

  /** Reports whether a download of an output hangs. */
  protected hangs(made: Pick<Made, 'behaviour'>): boolean {
    const hung = this.#hung.get(made) ?? 0;
    if (made.behaviour !== 'hangs_output' || hung === HANGS) return false;
    this.#hung.set(made, hung + 1);
    this.hungDownloads++;
    return true;
  }

  /** Sends a webhook once the work is done. Whether it is accepted does not matter here. */
  protected callLater(webhook: string, sign: () => SignedWebhook): void {
    const timer = setTimeout(() => {
      this.#webhooks.delete(timer);
      const { body, headers } = sign();
      fetch(webhook, { method: 'POST', headers, body: new Uint8Array(body) }).catch(() => {});
    }, this.workMs + 5);
    this.#webhooks.add(timer);
  }
}
