import type { Client } from './generated/client/index.ts';
import type { GenerationResponse } from './generated/index.ts';
import { sleep } from './sleep.ts';
import { X12Error } from './x12-error.ts';

/** An event of a generation. The first has its current state, the last is `done`. */
export type GenerationEvent =
  | {
      readonly type: 'state' | 'progress';
      readonly state: GenerationResponse['state'];
      /** From 0 to 1. */
      readonly progress: number;
    }
  | { readonly type: 'done'; readonly generation: GenerationResponse };

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 10_000;

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
  for (let delay = FIRST_DELAY_MS; ; delay = Math.min(delay * 2, LONGEST_DELAY_MS)) {
    try {
      for await (const event of serverSentEvents(await openStream(client, id, signal))) {
        yield event;
        if (event.type === 'done') return;
        delay = FIRST_DELAY_MS;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof X12Error) throw error;
    }
    await sleep(delay, signal);
  }
}

async function openStream(client: Client, id: number, signal?: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const stream = await client.get({
    url: '/v2/generations/{id}/events',
    path: { id },
    security: [{ scheme: 'bearer', type: 'http' }],
    headers: { Accept: 'text/event-stream' },
    parseAs: 'stream',
    responseStyle: 'data',
    signal,
  });
  return stream as unknown as ReadableStream<Uint8Array>;
}

async function* serverSentEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<GenerationEvent> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  try {
    for (let text = ''; ;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (text + decoder.decode(value, { stream: true })).split('\n\n');
      text = blocks.pop()!;
      for (const block of blocks) yield* eventOf(block);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** @returns nothing for comments and events of later versions */
function eventOf(block: string): GenerationEvent[] {
  const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1];
  const type = field('event');
  if (type === 'done') return [{ type, generation: JSON.parse(field('data')!) }];
  if (type === 'state' || type === 'progress') return [{ type, ...JSON.parse(field('data')!) }];
  return [];
}
