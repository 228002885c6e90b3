import { once } from 'node:events';
import type { Response } from 'express';

export interface ServerSentEvent {
  readonly name: string;
  readonly data: object;
  /** Sent back in `Last-Event-ID` when the client opens the stream again. */
  readonly id?: number;
}

/** A response as `text/event-stream`. */
export class EventStream {
  readonly #ended = new AbortController();

  constructor(private readonly response: Response) {
    response.once('close', () => this.end());
  }

  /** Aborted once the client has disconnected, everything was sent, or nothing more is to be sent. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /** Sends no further events. */
  end(): void {
    this.#ended.abort();
  }

  /** Sends a comment, which keeps proxies from closing an idle stream. */
  beat(): void {
    if (this.response.headersSent) this.response.write(': \n\n');
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
    try {
      for await (const { name, data, id } of events) {
        const lines = [`event: ${name}`, ...(id === undefined ? [] : [`id: ${id}`]), `data: ${JSON.stringify(data)}`];
        await this.#write(`${lines.join('\n')}\n\n`);
      }
      response.end();
    } catch (error) {
      response.destroy();
      if (!this.ended.aborted) throw error;
    } finally {
      this.end();
    }
  }

  async #write(text: string): Promise<void> {
    if (!this.response.write(text)) await once(this.response, 'drain', { signal: this.ended });
  }
}
