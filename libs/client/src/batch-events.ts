import type { Client } from './generated/client/index.ts';
import type { BatchDto } from './generated/index.ts';
import { followEvents, STATE_EVENTS, type StateEvent } from './server-events.ts';

const url = '/v2/batches/{id}/events';

/** An event of a batch. The first has its current state, the last is `done`. */
export interface BatchChange {
  readonly type: StateEvent;
  readonly batch: BatchDto;
}

/**
 * Follows a batch to its end. A broken stream is opened again; the first event of the new stream has the current state.
 *
 * @throws X12Error if the stream can't be opened
 */
export async function* batchEvents(
  client: Client,
  id: number,
  signal?: AbortSignal,
): AsyncGenerator<BatchChange, void, undefined> {
  for await (const { type, data } of followEvents(client, { url, path: { id } }, STATE_EVENTS, signal)) {
    yield { type, batch: data as BatchDto };
  }
}
