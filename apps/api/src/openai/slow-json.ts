import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { Response } from 'express';

/**
 * Proxies give up a connection on which nothing comes for a minute. Before that the status is still open: most calls have
 * ended by then.
 */
const FIRST_BYTE_MS = 45_000;
const NEXT_BYTE_MS = 15_000;

/** A JSON response that is kept awake by white space until its body is known, and sent with a part of it in memory. */
export class SlowJson {
  #timer: NodeJS.Timeout;
  /** One listener for all: those who wait for the response have several. */
  readonly #closed: Promise<unknown>;

  constructor(private readonly response: Response) {
    const beat = () => {
      if (!response.headersSent) this.#begin(200);
      response.write(' ');
      this.#timer = setTimeout(beat, NEXT_BYTE_MS);
    };
    this.#timer = setTimeout(beat, FIRST_BYTE_MS);
    this.#closed = once(response, 'close').then(
      () => clearTimeout(this.#timer),
      () => clearTimeout(this.#timer),
    );
  }

  /** @param status without effect once white space was sent */
  async send(status: number, chunks: AsyncIterable<string | Buffer> | Iterable<string | Buffer>): Promise<void> {
    clearTimeout(this.#timer);
    if (!this.response.headersSent) this.#begin(status);
    for await (const chunk of chunks) {
      // The client has gone: what was made is kept.
      if (this.response.destroyed) return;
      if (!this.response.write(chunk)) await Promise.race([once(this.response, 'drain'), this.#closed]);
    }
    this.response.end();
  }

  fail(status: number, error: object): Promise<void> {
    return this.send(status, [JSON.stringify({ error })]);
  }

  #begin(status: number): void {
    this.response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' });
  }
}

/** Base64 of a stream. */
export async function* base64Of(bytes: Readable): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    const whole = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const end = whole.length - (whole.length % 3);
    yield whole.toString('base64', 0, end);
    rest = whole.subarray(end);
  }
  yield rest.toString('base64');
}
