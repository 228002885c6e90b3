import type { Client } from './generated/client/index.ts';
import { followEvents } from './server-events.ts';

/** A member who looks at a board. */
export interface Onlooker {
  readonly user_id: number;
  readonly name: string | null;
}

/** An event of a board: after `changed` it has to be read again. `presence` has the members who look at it now. */
export type BoardEvent =
  | { readonly type: 'changed'; readonly version: number }
  | { readonly type: 'comment' | 'decision'; readonly version: number; readonly media_id: number }
  | { readonly type: 'presence'; readonly people: readonly Onlooker[] };

const url = '/v2/boards/{id}/events';
const TYPES = ['changed', 'comment', 'decision', 'presence'] as const;

/**
 * Follows a board until the signal is aborted. A broken stream is opened again with the version that is known; `changed`
 * comes first if the board has changed since.
 *
 * @throws X12Error if the stream can't be opened: `not_found` once the board is deleted
 */
export async function* boardEvents(
  client: Client,
  id: number,
  signal?: AbortSignal,
): AsyncGenerator<BoardEvent, void, undefined> {
  for await (const { type, data } of followEvents(client, { url, path: { id } }, TYPES, signal)) {
    yield { type, ...(data as object) } as BoardEvent;
  }
}
