import type { Client } from './generated/client/index.ts';
import type { EventDto } from './generated/index.ts';
import { followEvents } from './server-events.ts';

export interface EventsToFollow {
  readonly types?: readonly EventDto['type'][];
  /** Such as `generation:12`. */
  readonly subject?: string;
  /** The number of the last known event; by default the events begin with the next one. */
  readonly after?: number;
}

/**
 * Follows the events of a workspace until the signal is aborted. A broken stream is opened again, after the last event that
 * came: none is missed.
 *
 * @throws X12Error if the stream can't be opened
 */
export async function* workspaceEvents(
  client: Client,
  { types, subject, after }: EventsToFollow,
  signal?: AbortSignal,
): AsyncGenerator<EventDto, void, undefined> {
  const query = { types: types?.join(), subject };
  const source = { url: '/v2/events/stream', query, lastId: after === undefined ? undefined : String(after) };
  for await (const { data } of followEvents(client, source, null, signal)) yield data as EventDto;
}
