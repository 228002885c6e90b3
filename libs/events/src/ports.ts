import type { Event, EventData, EventType, NewEvent, RecordedEvent, SubjectType } from './domain/event.ts';

/** The record of what happened. Nothing else decides that something did. */
export interface EventLog {
  /** Records events. Must be called in the unit of work of what they tell. */
  record(...events: readonly NewEvent[]): Promise<void>;

  /** Records an event of something that is refused, whose unit of work fails. */
  recordApart(event: NewEvent): Promise<void>;
}

export interface EventStore extends EventLog {
  /** Recorded events that are not published, in their order. */
  unpublished(limit: number): Promise<readonly RecordedEvent[]>;

  /**
   * Gives events their numbers and data, in their order; without effect on published and deleted ones. Must be called in
   * a unit of work: the events become visible with it, each after all with lower numbers of its workspace.
   *
   * @returns the events that it published; `null` while another unit of work publishes
   */
  publish(events: readonly { readonly seq: number; readonly data: EventData }[]): Promise<readonly Event[] | null>;
}

/** Selects the events that match all given fields. */
export interface EventFilter {
  readonly types?: readonly EventType[] | undefined;
  readonly subject?: { readonly type: SubjectType; readonly id: string } | undefined;
  readonly customer?: string | undefined;
}

/** A part of the events of a workspace. */
export interface EventPage {
  /** Only events with greater numbers. */
  readonly after?: number;
  /** Only events with lower numbers. */
  readonly before?: number;
  /** Default: oldest first. */
  readonly isNewestFirst?: boolean;
  readonly limit: number;
}

/** Reads of published events. */
export interface EventViews {
  list(workspaceId: number, page: EventPage, filter: EventFilter): Promise<readonly Event[]>;

  /** The number of the latest event of a workspace; 0 without any. */
  lastNumber(workspaceId: number): Promise<number>;
}

/** Signals from all processes. A signal may be lost. */
export interface EventSignals {
  /**
   * Calls `listener` after events of a workspace were published, or for `'recorded'` after any were recorded, from when
   * the promise resolves until the returned function is called.
   *
   * @throws DomainError `unavailable` when the subscription fails
   */
  watchEvents(of: number | 'recorded', listener: () => void): Promise<() => void>;
}

/** The object that an event is about, as its GET returns it at this moment. */
export interface EventSubjects {
  /** @returns `null` when there is no such object any more */
  read(event: RecordedEvent): Promise<EventData | null>;
}

/** Acts on events. */
export interface EventConsumer {
  /** Called once for each event, in their order, in the unit of work that publishes them. */
  consume(events: readonly Event[]): Promise<void>;
}
