import { DomainError, forEach, type UnitOfWork } from '#kernel';
import type { EventData, RecordedEvent } from './domain/event.ts';
import type { EventConsumer, EventStore, EventSubjects } from './ports.ts';

/** Events that are published at once. */
const GROUP_SIZE = 200;
const CONCURRENT_READS = 8;

/**
 * Publishes recorded events: gives each its number and its data, and hands it to the consumers, in one unit of work.
 * Numbers are given after the commit of what happened, so that no event becomes visible after one with a higher number.
 * Several processes may publish; one does at a time.
 */
export class EventPublisher {
  #running: Promise<void> | null = null;
  #again = false;

  constructor(
    private readonly deps: {
      readonly store: Pick<EventStore, 'unpublished' | 'publish'>;
      readonly subjects: EventSubjects;
      readonly consumers: readonly EventConsumer[];
      readonly unitOfWork: UnitOfWork;
      /** Reports an error; the events are published later. */
      readonly report: (error: unknown) => void;
    },
  ) {}

  /** Publishes what is recorded by now. Concurrent calls share a run. */
  async run(): Promise<void> {
    this.#again = true;
    while (this.#again) {
      this.#running ??= this.#publishAll().finally(() => (this.#running = null));
      await this.#running;
    }
  }

  async #publishAll(): Promise<void> {
    try {
      while (this.#again) {
        this.#again = false;
        if ((await this.#publishSome()) === GROUP_SIZE) this.#again = true;
      }
    } catch (error) {
      this.deps.report(error);
    }
  }

  async #publishSome(): Promise<number> {
    const { store, consumers, unitOfWork } = this.deps;
    const events = await store.unpublished(GROUP_SIZE);
    if (events.length === 0) return 0;
    // Read before the unit of work, which stays short.
    const data = new Map<number, EventData>();
    await forEach(events, CONCURRENT_READS, async (event) => void data.set(event.seq, await this.#dataOf(event)));
    return unitOfWork.run(async () => {
      const published = await store.publish(events.map(({ seq }) => ({ seq, data: data.get(seq)! })));
      if (!published) return 0;
      if (published.length > 0) for (const consumer of consumers) await consumer.consume(published);
      return events.length;
    });
  }

  /** An event whose object can't be shown has only the facts, and stops no other. */
  async #dataOf(event: RecordedEvent): Promise<EventData> {
    try {
      return (await this.deps.subjects.read(event)) ?? event.facts;
    } catch (error) {
      if (error instanceof DomainError && error.code === 'unavailable') throw error;
      this.deps.report(error);
      return event.facts;
    }
  }
}
