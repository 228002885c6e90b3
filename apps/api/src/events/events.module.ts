import { Inject, Logger, Module, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { PostgresEvents, PostgresSignals } from '#adapters/postgres';
import { EventPublisher } from '#events';
import { InboxNews } from '#inbox';
import { Deliveries } from '#webhooks';
import {
  atMostEvery,
  BoardModule,
  EventsModule,
  GenerationModule,
  IdentityModule,
  InboxModule,
  provideMade,
  ReviewModule,
  SharingModule,
  TeamModule,
  unitOfWork,
} from '#wiring';
import { StreamsModule } from '../streams/event-streams.ts';
import { EndpointsController } from './endpoints.controller.ts';
import { ApiEventSubjects } from './event-subjects.ts';
import { EventsController } from './events.controller.ts';

/** A signal may be lost: events are then published this much later. */
const LOOK_MS = 5_000;

/** Events, the endpoints that get them, and their publication. */
@Module({
  imports: [
    BoardModule,
    EventsModule,
    GenerationModule,
    IdentityModule,
    InboxModule,
    ReviewModule,
    SharingModule,
    StreamsModule,
    TeamModule,
  ],
  controllers: [EndpointsController, EventsController],
  providers: [
    ApiEventSubjects,
    provideMade(
      EventPublisher,
      [PostgresEvents, ApiEventSubjects, Deliveries, InboxNews, unitOfWork],
      (store, subjects, deliveries, inboxNews, work) => {
        const logger = new Logger('Events');
        const warn = atMostEvery(60, (message) => logger.error(message));
        const report = (error: unknown) => warn(`events can't be published: ${String(error)}`);
        return new EventPublisher({ store, subjects, consumers: [deliveries, inboxNews], unitOfWork: work, report });
      },
    ),
  ],
})
export class EventsApiModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  #timer: NodeJS.Timeout | undefined;
  #unsubscribe: () => void = () => undefined;

  constructor(
    @Inject(EventPublisher) private readonly publisher: EventPublisher,
    @Inject(PostgresSignals) private readonly signals: PostgresSignals,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.#timer = setInterval(() => void this.publisher.run(), LOOK_MS).unref();
    this.#unsubscribe = await this.signals.watchEvents('recorded', () => void this.publisher.run());
    void this.publisher.run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.#timer);
    this.#unsubscribe();
    await this.publisher.run();
  }
}
