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

/** Where events come from. */
export interface EventSource {
  readonly url: string;
  readonly path?: { readonly id: number };
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** Begins after the event with this id. */
  readonly lastId?: string | undefined;
}

/**
 * The events of a thing until `done`. A broken stream is opened again, with the id of the last event that had one.
 *
 * @param types others are left out; `null` for all
 * @throws X12Error if the stream can't be opened
 */
export async function* followEvents<Type extends string>(
  client: Client,
  source: EventSource,
  types: readonly Type[] | null,
  signal?: AbortSignal,
): AsyncGenerator<ServerEvent<Type>, void, undefined> {
  let { lastId } = source;
  for (let delay = FIRST_DELAY_MS; ; delay = Math.min(delay * 2, LONGEST_DELAY_MS)) {
    try {
      for await (const event of serverSentEvents(await openStream(client, { ...source, lastId }, signal), types)) {
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
  { url, path, query, lastId }: EventSource,
  signal?: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const stream = await client.get({
    url,
    path,
    query,
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
  types: readonly Type[] | null,
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
function eventOf<Type extends string>(block: string, types: readonly Type[] | null): IdentifiedEvent<Type>[] {
  const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1];
  const named = field('event') as Type | undefined;
  const type = types ? types.find((each) => each === named) : named;
  return type === undefined ? [] : [{ type, data: JSON.parse(field('data')!), id: field('id') }];
}
