import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** A text that is made where it is sent: `unit`, repeated, between `before` and `after`. */
export interface Repeated {
  readonly before?: string;
  readonly unit: string;
  readonly times: number;
  readonly after?: string;
}

export interface HostileRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Repeated;
  /** A header that is as long. */
  readonly header?: { readonly name: string; readonly value: Repeated };
}

/** Runs in a thread of its own, so that its work is not counted as that of the service. */
const CLIENT = `
const { parentPort, workerData } = require('node:worker_threads');
const { request, Agent } = require('node:http');
const agent = new Agent({ keepAlive: true });
const textOf = ({ before = '', unit, times, after = '' }) => before + unit.repeat(times) + after;
parentPort.on('message', ({ method, path, headers, body, header }) => {
  const text = body ? Buffer.from(textOf(body)) : undefined;
  const all = { ...headers, ...(header ? { [header.name]: textOf(header.value) } : {}) };
  if (text) all['content-length'] = String(text.length);
  const report = (status) => parentPort.postMessage(status);
  const sent = request({ agent, host: '127.0.0.1', port: workerData, method, path, headers: all }, (response) => {
    response.on('error', () => undefined);
    // The rest after an early response, such as that of a stream or of this body, is not waited for.
    if (response.headers.connection === 'close' || /event-stream/.test(response.headers['content-type'])) {
      report(response.statusCode);
      return response.destroy();
    }
    response.resume().on('end', () => report(response.statusCode));
  });
  sent.on('error', () => undefined).end(text);
  sent.on('close', () => sent.res || report(0));
});
`;

/** Sends requests one after the other, and measures how long each keeps the event loop of this thread. */
export class HostileClient {
  readonly #client: Worker;
  readonly #ticks: NodeJS.Timeout;
  #last = process.threadCpuUsage();
  #longestMs = 0;

  constructor(port: number) {
    this.#client = new Worker(CLIENT, { eval: true, workerData: port });
    this.#ticks = setInterval(() => this.#tick(), 5);
  }

  /** @returns the status, 0 for none, and the most processor time of this thread in which no timer came */
  async send(request: HostileRequest): Promise<{ readonly status: number; readonly stallMs: number }> {
    this.#tick();
    this.#longestMs = 0;
    this.#client.postMessage(request);
    const [status] = (await once(this.#client, 'message')) as [number];
    this.#tick();
    return { status, stallMs: this.#longestMs };
  }

  async stop(): Promise<void> {
    clearInterval(this.#ticks);
    await this.#client.terminate();
  }

  /** Processor time, so that other programs of the machine do not count. */
  #tick(): void {
    const { user, system } = process.threadCpuUsage(this.#last);
    this.#last = process.threadCpuUsage();
    this.#longestMs = Math.max(this.#longestMs, (user + system) / 1000);
  }
}
