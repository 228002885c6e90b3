import { Inject, Injectable, Module, type OnModuleDestroy } from '@nestjs/common';
import type { Response } from 'express';
import { Gauge, Registry, type RegistryContentType } from 'prom-client';
import type { Actor } from '#identity';
import { IdentityModule, waiting } from '#wiring';
import { EventStream, type ServerSentEvent } from './event-stream.ts';
import { StreamLimit } from './stream-limit.ts';
import { StreamRights } from './stream-rights.ts';

/** Interval of heartbeats, shorter than the patience of proxies. */
const HEARTBEAT_MS = 15_000;

/** Sends events to callers for as long as they have the right to them. */
@Injectable()
export class EventStreams implements OnModuleDestroy {
  readonly #streams = new Set<EventStream>();
  readonly #heartbeat = setInterval(() => this.#streams.forEach((stream) => stream.beat()), HEARTBEAT_MS).unref();
  #isStopping = false;

  constructor(
    @Inject(StreamRights) private readonly rights: StreamRights,
    @Inject(StreamLimit) private readonly limit: StreamLimit,
    @Inject(Registry) registry: Registry<RegistryContentType>,
  ) {
    const open = this.#streams;
    new Gauge({
      name: 'x12_open_streams',
      help: 'Event streams that are open.',
      registers: [registry],
      collect() {
        this.set(open.size);
      },
    });
  }

  onModuleDestroy(): void {
    this.#isStopping = true;
    clearInterval(this.#heartbeat);
    this.#streams.forEach((stream) => stream.end());
  }

  /**
   * Sends all events and ends the response.
   *
   * @param follow the events, which end when the signal is aborted
   * @throws DomainError `rate_limited`; what `follow` throws
   */
  async send<Event>(
    actor: Actor,
    response: Response,
    follow: (stop: AbortSignal) => Promise<AsyncIterable<Event>>,
    sentAs: (event: Event) => ServerSentEvent | Promise<ServerSentEvent>,
  ): Promise<void> {
    this.limit.acquire(actor.userId, response);
    await this.#open(response, async (stream) => {
      this.rights.watch(actor, stream);
      try {
        await stream.send(this.#permitted(actor, await follow(stream.ended), sentAs));
      } finally {
        this.rights.unwatch(stream);
      }
    });
  }

  /**
   * Waits for something instead of sending events, no longer than `seconds`. Holds no connection of the database.
   *
   * @param wait resolves when the signal is aborted, too
   * @returns `null` at once for a user with too many open streams
   */
  async wait<T>(
    actor: Actor,
    response: Response,
    seconds: number,
    wait: (stop: AbortSignal) => Promise<T>,
  ): Promise<T | null> {
    if (!this.limit.tryAcquire(actor.userId, response)) return null;
    return this.#open(response, async (stream) => {
      const timer = setTimeout(() => stream.end(), seconds * 1000);
      return waiting(() => wait(stream.ended)).finally(() => clearTimeout(timer));
    });
  }

  /** Runs with a stream that ends with its response, its client's connection or the process. */
  async #open<T>(response: Response, work: (stream: EventStream) => Promise<T>): Promise<T> {
    const stream = new EventStream(response);
    this.#streams.add(stream);
    if (this.#isStopping || response.destroyed) stream.end();
    try {
      return await work(stream);
    } finally {
      stream.end();
      this.#streams.delete(stream);
    }
  }

  async *#permitted<Event>(
    actor: Actor,
    events: AsyncIterable<Event>,
    sentAs: (event: Event) => ServerSentEvent | Promise<ServerSentEvent>,
  ): AsyncGenerator<ServerSentEvent> {
    for await (const event of events) {
      if (!(await this.rights.holds(actor))) return;
      yield sentAs(event);
    }
  }
}

@Module({ imports: [IdentityModule], providers: [EventStreams, StreamLimit, StreamRights], exports: [EventStreams] })
export class StreamsModule {}
