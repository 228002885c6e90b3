import { follow, type LatestChange } from '#kernel';
import type { Event } from './domain/event.ts';
import type { EventFilter, EventSignals, EventViews } from './ports.ts';

const PAGE = 100;
/** A signal may be lost: events are then found this much later. */
const CHECK_MS = 5_000;

/** Event streams of workspaces. */
export class EventWatch {
  constructor(
    private readonly signals: EventSignals,
    private readonly views: EventViews,
  ) {}

  /**
   * Follows the events of a workspace, in their order.
   *
   * @param after the number after which they begin; `null` for now
   * @param signal ends the events and frees all resources; must be aborted in the end
   * @throws DomainError `unavailable`
   */
  follow(
    workspaceId: number,
    filter: EventFilter,
    after: number | null,
    signal: AbortSignal,
  ): Promise<AsyncIterable<Event>> {
    const { signals, views } = this;
    return follow(
      async (onChange: (change: null) => void) => {
        const timer = setInterval(() => onChange(null), CHECK_MS);
        const stop = await signals
          .watchEvents(workspaceId, () => onChange(null))
          .catch((error: unknown) => {
            clearInterval(timer);
            throw error;
          });
        return () => {
          clearInterval(timer);
          stop();
        };
      },
      async () => after ?? (await views.lastNumber(workspaceId)),
      (first, changes) => this.#eventsAfter(workspaceId, filter, first, changes),
      signal,
    );
  }

  async *#eventsAfter(
    workspaceId: number,
    filter: EventFilter,
    first: number,
    changes: LatestChange<null>,
  ): AsyncGenerator<Event> {
    let after = first;
    do {
      for (let page = PAGE; page === PAGE;) {
        const events = await this.views.list(workspaceId, { after, limit: PAGE }, filter);
        yield* events;
        after = events.at(-1)?.number ?? after;
        page = events.length;
      }
    } while (await changes.next());
  }
}
