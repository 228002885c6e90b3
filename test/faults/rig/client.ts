import { setTimeout as sleep } from 'node:timers/promises';

export interface Reply {
  readonly status: number;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- bodies of any shape
  readonly body: any;
}

export interface Call {
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: object;
  /** The idempotency key: makes a POST safe to repeat. */
  readonly key?: string;
}

const PATIENCE_MS = 120_000;
const RETRY_MS = 250;

/** A client that repeats a request until it gets a response that is not temporary, and relies on that. */
export class Client {
  /** Responses that blame the service for a fault of its surroundings. */
  readonly internalErrors: string[] = [];
  repeated = 0;
  /** Nothing is repeated any more. */
  isOver = false;
  #requests = 0;

  /** @param baseUrls of each API, used in turn */
  constructor(
    private readonly baseUrls: readonly string[],
    private readonly token: string,
  ) {}

  /** @throws Error when there is no such response for two minutes */
  async call(method: string, path: string, { form, json, key }: Call = {}): Promise<Reply> {
    const headers: Record<string, string> = { authorization: `Bearer ${this.token}` };
    if (key !== undefined) headers['idempotency-key'] = key;
    if (json) headers['content-type'] = 'application/json';
    const body = json ? JSON.stringify(json) : form && new URLSearchParams(form);
    return this.#untilFinal(`${method} ${path}`, async () => {
      const url = new URL(path, this.baseUrls[this.#requests++ % this.baseUrls.length]);
      const response = await fetch(url, { method, headers, body, signal: inTime() });
      const reply = { status: response.status, body: await response.json() };
      if (reply.status === 500) this.internalErrors.push(`${method} ${path}: ${JSON.stringify(reply.body)}`);
      return reply;
    });
  }

  /** The body of a response to `call` that accepts it; a POST is done once. @throws Error for another response, too */
  async body(method: 'GET' | 'POST' | 'PUT', path: string, json?: object): Promise<Reply['body']> {
    const key = method === 'POST' ? JSON.stringify([path, json]).slice(0, 200) : undefined;
    const reply = await this.call(method, path, { json, key: key?.replace(/[^!-~]/g, '') });
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  }

  async put(url: string, bytes: Buffer, headers: Record<string, string>): Promise<number> {
    const { status } = await this.#untilFinal('PUT', async () => {
      const body = new Uint8Array(bytes);
      const response = await fetch(url, { method: 'PUT', headers, body, signal: inTime() });
      await response.arrayBuffer();
      return { status: response.status, body: null };
    });
    return status;
  }

  /** Reads a public URL, without a token. */
  async read(url: string): Promise<{ readonly status: number; readonly bytes: Buffer }> {
    const { status, body } = await this.#untilFinal('read', async () => {
      const response = await fetch(url, { signal: inTime() });
      return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
    });
    return { status, bytes: body as Buffer };
  }

  async #untilFinal(what: string, send: () => Promise<Reply>): Promise<Reply> {
    let last = '';
    for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline && !this.isOver;) {
      try {
        const reply = await send();
        if (!isTemporary(reply)) return reply;
        last = `${reply.status} ${JSON.stringify(reply.body)}`;
      } catch (error) {
        last = String(error);
      }
      this.repeated++;
      await sleep(RETRY_MS);
    }
    throw new Error(`${what} gets no final response: ${last}`);
  }
}

function isTemporary({ status, body }: Reply): boolean {
  return status >= 500 || (status === 409 && body.code === 'idempotency_in_progress');
}

function inTime(): AbortSignal {
  return AbortSignal.timeout(20_000);
}
