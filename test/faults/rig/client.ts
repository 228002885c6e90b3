import { setTimeout as sleep } from 'node:timers/promises';

export interface Reply {
  readonly status: number;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- bodies of any shape
  readonly body: any;
}

export interface Call {
  readonly form?: Readonly<Record<string, string>>;
  /** Makes a POST safe to repeat. */
  readonly key?: string;
}

const PATIENCE_MS = 120_000;
const ASK_AGAIN_MS = 250;

/** A client that repeats a call until the service says something about it, and then believes what it says. */
export class Client {
  /** Answers that blame the service for what only its surroundings did. */
  readonly internalErrors: string[] = [];
  repeated = 0;
  #asked = 0;

  /** @param baseUrls of each API: they are asked in turn */
  constructor(
    private readonly baseUrls: readonly string[],
    private readonly token: string,
  ) {}

  /** @throws Error when there is no answer for two minutes */
  async call(method: string, path: string, { form, key }: Call = {}): Promise<Reply> {
    const headers: Record<string, string> = { authorization: `Bearer ${this.token}` };
    if (key !== undefined) headers['idempotency-key'] = key;
    const body = form && new URLSearchParams(form);
    return this.#untilAnswered(`${method} ${path}`, async () => {
      const url = new URL(path, this.baseUrls[this.#asked++ % this.baseUrls.length]);
      const response = await fetch(url, { method, headers, body, signal: soon() });
      const reply = { status: response.status, body: await response.json() };
      if (reply.status === 500) this.internalErrors.push(`${method} ${path}: ${JSON.stringify(reply.body)}`);
      return reply;
    });
  }

  async put(url: string, bytes: Buffer, headers: Record<string, string>): Promise<number> {
    const { status } = await this.#untilAnswered('PUT', async () => {
      const body = new Uint8Array(bytes);
      const response = await fetch(url, { method: 'PUT', headers, body, signal: soon() });
      await response.arrayBuffer();
      return { status: response.status, body: null };
    });
    return status;
  }

  /** What anyone gets from a public URL. */
  async read(url: string): Promise<{ readonly status: number; readonly bytes: Buffer }> {
    const { status, body } = await this.#untilAnswered('read', async () => {
      const response = await fetch(url, { signal: soon() });
      return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
    });
    return { status, bytes: body as Buffer };
  }

  async #untilAnswered(what: string, ask: () => Promise<Reply>): Promise<Reply> {
    let last = '';
    for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline;) {
      try {
        const reply = await ask();
        if (!isPassing(reply)) return reply;
        last = `${reply.status} ${JSON.stringify(reply.body)}`;
      } catch (error) {
        last = String(error);
      }
      this.repeated++;
      await sleep(ASK_AGAIN_MS);
    }
    throw new Error(`${what} is not answered: ${last}`);
  }
}

function isPassing({ status, body }: Reply): boolean {
  return status >= 500 || (status === 409 && body.code === 'idempotency_in_progress');
}

function soon(): AbortSignal {
  return AbortSignal.timeout(20_000);
}

/** A client that does its part again and again, and remembers what it was promised. */
export interface FaultActor {
  readonly name: string;
  /** Between two pieces of work. */
  readonly meanPauseMs: number;
  /** One piece of work, from the first call to the answer that it relies on. */
  work(): Promise<void>;
  /** Everything that is not as promised, once all jobs have ended. */
  brokenPromises(): Promise<string[]>;
  /** What was promised, for the report. */
  summary(): string;
}
