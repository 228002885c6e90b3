import { Inject, Injectable, Module, type OnModuleDestroy } from '@nestjs/common';
import type { Response } from 'express';
import { Gauge, Registry, type RegistryContentType } from 'prom-client';
import type { Actor } from '#identity';
import { GenerationModule, IdentityModule } from '#wiring';
import { EventStream, type ServerSentEvent } from './event-stream.ts';
import { GenerationWaits } from './generation-waits.ts';
import { StreamLimit } from './stream-limit.ts';
import { StreamRights } from './stream-rights.ts';

/** Interval of heartbeats, shorter than the patience of proxies. */
const HEARTBEAT_MS = 15_000;

/** Sends events to callers for as long as they have the right to them. */
@Injectable()
export class EventStreams implements OnModuleDestroy {
  readonly #open = new Set<EventStream>();
  readonly #heartbeat = setInterval(() => this.#open.forEach((stream) => stream.beat()), HEARTBEAT_MS).unref();
  #isStopping = false;

  constructor(
    @Inject(StreamRights) private readonly rights: StreamRights,
    @Inject(StreamLimit) private readonly limit: StreamLimit,
    @Inject(Registry) registry: Registry<RegistryContentType>,
  ) {
    const open = this.#open;
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
    this.#open.forEach((stream) => stream.end());
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
    sentAs: (event: Event) => ServerSentEvent,
  ): Promise<void> {
    this.limit.acquire(actor.userId, response);
    const stream = new EventStream(response);
    this.#open.add(stream);
    this.rights.watch(actor, stream);
    if (this.#isStopping) stream.end();
    try {
      await stream.send(this.#permitted(actor, await follow(stream.ended), sentAs));
    } finally {
      stream.end();
      this.rights.unwatch(stream);
      this.#open.delete(stream);
    }
  }

  async *#permitted<Event>(
    actor: Actor,
    events: AsyncIterable<Event>,
    sentAs: (event: Event) => ServerSentEvent,
  ): AsyncGenerator<ServerSentEvent> {
    for await (const event of events) {
      if (!(await this.rights.holds(actor))) return;
      yield sentAs(event);
    }
  }
}

@Module({
  imports: [GenerationModule, IdentityModule],
  providers: [EventStreams, GenerationWaits, StreamLimit, StreamRights],
  exports: [EventStreams, GenerationWaits],
})
export class StreamsModule {}
