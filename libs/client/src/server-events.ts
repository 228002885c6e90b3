import type { Client } from './generated/client/index.ts';
import { sleep } from './sleep.ts';
import { throwIfAborted, X12Error } from './x12-error.ts';

/** The events of a thing that ends: the first has its current state, the last is `done`. */
export const STATE_EVENTS = ['state', 'progress', 'done'] as const;
export type StateEvent = (typeof STATE_EVENTS)[number];

/** A server-sent event of a thing that is followed. */
export interface ServerEvent<Type extends string> {
  readonly type: Type;
  readonly data: unknown;
}

interface IdentifiedEvent<Type extends string> extends ServerEvent<Type> {
  readonly id: string | undefined;
}

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 10_000;

/**
 * The events of a thing until `done`. A broken stream is opened again, with the id of the last event that had one.
 *
 * @param url with `{id}`
 * @param types others are left out
 * @throws X12Error if the stream can't be opened
 */
export async function* followEvents<Type extends string>(
  client: Client,
  url: string,
  id: number,
  types: readonly Type[],
  signal?: AbortSignal,
): AsyncGenerator<ServerEvent<Type>, void, undefined> {
  let lastId: string | undefined;
  for (let delay = FIRST_DELAY_MS; ; delay = Math.min(delay * 2, LONGEST_DELAY_MS)) {
    try {
      for await (const event of serverSentEvents(await openStream(client, url, id, lastId, signal), types)) {
        const { type, data } = event;
        lastId = event.id ?? lastId;
        yield { type, data };
        if (type === 'done') return;
        delay = FIRST_DELAY_MS;
      }
    } catch (error) {
      throwIfAborted(signal);
      if (error instanceof X12Error) throw error;
    }
    await sleep(delay, signal);
  }
}

async function openStream(
  client: Client,
  url: string,
  id: number,
  lastId: string | undefined,
  signal?: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const stream = await client.get({
    url,
    path: { id },
    security: [{ scheme: 'bearer', type: 'http' }],
    headers: { Accept: 'text/event-stream', ...(lastId !== undefined && { 'Last-Event-ID': lastId }) },
    parseAs: 'stream',
    responseStyle: 'data',
    signal,
  });
  return stream as unknown as ReadableStream<Uint8Array>;
}

async function* serverSentEvents<Type extends string>(
  stream: ReadableStream<Uint8Array>,
  types: readonly Type[],
): AsyncGenerator<IdentifiedEvent<Type>> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  try {
    for (let text = ''; ;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (text + decoder.decode(value, { stream: true })).split('\n\n');
      text = blocks.pop()!;
      for (const block of blocks) yield* eventOf(block, types);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** @returns nothing for comments and events of later versions */
function eventOf<Type extends string>(block: string, types: readonly Type[]): IdentifiedEvent<Type>[] {
  const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1];
  const type = types.find((each) => each === field('event'));
  return type === undefined ? [] : [{ type, data: JSON.parse(field('data')!), id: field('id') }];
}
