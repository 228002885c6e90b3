import type { EventLog, NewEvent } from '../index.ts';

/** Keeps what was recorded. */
export class RecordedEvents implements EventLog {
  readonly events: NewEvent[] = [];

  record(...events: readonly NewEvent[]): Promise<void> {
    this.events.push(...events);
    return Promise.resolve();
  }

  recordApart(event: NewEvent): Promise<void> {
    return this.record(event);
  }
}
