import { once } from 'node:events';
import type { Response } from 'express';

export interface ServerSentEvent {
  readonly name: string;
  readonly data: object;
}

/** Interval of comments, which keep proxies from closing an idle stream. */
const HEARTBEAT_MS = 15_000;

/** A response as `text/event-stream`. */
export class EventStream {
  readonly #closed = new AbortController();

  constructor(private readonly response: Response) {
    response.once('close', () => this.#closed.abort());
  }

  /** Aborted once the client has disconnected or everything was sent. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** Sends all events and ends the response. An error of `events` destroys the connection, and the client reconnects. */
  async send(events: AsyncIterable<ServerSentEvent>): Promise<void> {
    const { response } = this;
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
    });
    response.flushHeaders();
    const heartbeat = setInterval(() => response.write(': \n\n'), HEARTBEAT_MS);
    try {
      for await (const { name, data } of events) {
        await this.#write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
      }
      response.end();
    } catch (error) {
      response.destroy();
      if (!this.closed.aborted) throw error;
    } finally {
      clearInterval(heartbeat);
      this.#closed.abort();
    }
  }

  async #write(text: string): Promise<void> {
    if (!this.response.write(text)) await once(this.response, 'drain', { signal: this.closed });
  }
}
