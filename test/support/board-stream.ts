import type { TestResponse } from './call-api.ts';
import { eventually } from './eventually.ts';

export interface BoardEvent {
  readonly name: string;
  readonly id: number | null;
  readonly data: TestResponse['body'];
}

export type BoardStream = Awaited<ReturnType<typeof followBoard>>;
export type FollowedStream = Awaited<ReturnType<typeof followStream>>;

/** Follows a stream of events over HTTP. */
export async function followStream(url: string, token: string, headers: Record<string, string> = {}) {
  const stopping = new AbortController();
  const authorization = `Bearer ${token}`;
  const response = await fetch(url, { headers: { authorization, ...headers }, signal: stopping.signal });
  const events: BoardEvent[] = [];
  const read = async () => {
    let buffered = '';
    for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
      const blocks = (buffered + text).split('\n\n');
      buffered = blocks.pop()!;
      for (const block of blocks) {
        const [, name, id, data] = /^event: ([\w.]+)\n(?:id: (\d+)\n)?data: (.*)$/.exec(block) ?? [];
        if (name) events.push({ name, id: id === undefined ? null : Number(id), data: JSON.parse(data!) });
      }
    }
  };
  let isOpen = response.status === 200;
  const closed = (isOpen ? read() : Promise.resolve())
    .catch(() => undefined)
    .then(() => {
      isOpen = false;
    });
  /** Waits until an event is as `probe` wants. */
  const until = (probe: (event: BoardEvent) => boolean) => eventually(() => events.find(probe), { everyMs: 5 });
  return { status: response.status, events, closed, until, isOpen: () => isOpen, stop: () => stopping.abort() };
}

/** Follows a board over HTTP. */
export async function followBoard(
  baseUrl: string,
  token: string,
  boardId: number,
  { lastEventId }: { readonly lastEventId?: number | string } = {},
) {
  const headers = lastEventId === undefined ? undefined : { 'last-event-id': String(lastEventId) };
  const stream = await followStream(`${baseUrl}/boards/${boardId}/events`, token, headers);
  const { events } = stream;
  return {
    ...stream,
    /** The names of the people whom the last event of presence shows. */
    people: (): number[] =>
      events
        .filter(({ name }) => name === 'presence')
        .at(-1)
        ?.data.people.map(({ user_id }: { user_id: number }) => user_id) ?? [],
    versions: (): number[] => events.filter(({ name }) => name === 'changed').map(({ id }) => id!),
  };
}
