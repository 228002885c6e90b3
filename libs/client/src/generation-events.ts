import type { Client } from './generated/client/index.ts';
import type { GenerationResponse } from './generated/index.ts';
import { followEvents, STATE_EVENTS, type ServerEvent, type StateEvent } from './server-events.ts';

const url = '/v2/generations/{id}/events';

/** An event of a generation. The first has its current state, the last is `done`. */
export type GenerationEvent =
  | {
      readonly type: 'state' | 'progress';
      readonly state: GenerationResponse['state'];
      /** From 0 to 1. */
      readonly progress: number;
    }
  | { readonly type: 'done'; readonly generation: GenerationResponse };

/**
 * Follows a generation to its end. A broken stream is opened again; the first event of the new stream has the current state.
 *
 * @throws X12Error if the stream can't be opened
 */
export async function* generationEvents(
  client: Client,
  id: number,
  signal?: AbortSignal,
): AsyncGenerator<GenerationEvent, void, undefined> {
  const events = followEvents(client, { url, path: { id } }, STATE_EVENTS, signal);
  for await (const event of events) yield eventOf(event);
}

type Progress = Omit<Extract<GenerationEvent, { readonly progress: number }>, 'type'>;

function eventOf({ type, data }: ServerEvent<StateEvent>): GenerationEvent {
  return type === 'done' ? { type, generation: data as GenerationResponse } : { type, ...(data as Progress) };
}
