import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { EventDto } from '../generated/index.ts';
import { sleep } from '../sleep.ts';
import type { X12 } from '../x12.ts';
import { X12Error } from '../x12-error.ts';
import type { Call } from './command.ts';
import { UsageError } from './failures.ts';
import type { Session } from './session.ts';

const RECONNECT_MS = 2000;
const FORWARD_TIMEOUT_MS = 30_000;

interface Listen {
  readonly types?: string;
  readonly forward?: string;
}

/** Follows the events until it is interrupted, and forwards each before it goes on with the next. */
export async function listen(session: Session, { options: { types, forward } }: Call<Listen>): Promise<void> {
  if (forward !== undefined && !URL.canParse(forward)) throw new UsageError(`--forward takes a URL, not ${forward}`);
  const x12 = await session.client();
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const { events } = await x12.events.list({ order: 'newest', limit: 1 }, { signal: session.signal });
  session.note(forward === undefined ? 'Listening.' : `Listening. Events are signed with the secret ${secret}`);
  for await (const event of followed(x12, types, events[0]?.number ?? 0, session)) {
    const response = forward === undefined ? null : await post(forward, event, secret, session.signal);
    const { number, type, subject } = event;
    const outcome = response === null ? [] : ['→', response];
    session.print(forward === undefined ? event : { event, response }, [
      [number, type, `${subject.type}:${subject.id}`, ...outcome],
    ]);
  }
}

/** The events after a number, also after the service was away. */
async function* followed(
  x12: X12,
  types: string | undefined,
  start: number,
  session: Session,
): AsyncGenerator<EventDto> {
  const { signal } = session;
  const which = { types: types?.split(',') as EventDto['type'][] | undefined };
  for (let after = start; ;) {
    try {
      for await (const event of x12.followEvents({ ...which, after }, { signal })) {
        after = event.number;
        yield event;
      }
    } catch (error) {
      if (!(error instanceof X12Error && error.isTransient)) throw error;
      session.note(`The service is away (${error.code}): trying again`);
      await sleep(RECONNECT_MS, signal);
    }
  }
}

/** Sends an event as the service does. @returns the status, or the reason of a failed connection */
async function post(url: string, event: EventDto, secret: string, signal: AbortSignal): Promise<number | string> {
  const [at, body] = [new Date(), JSON.stringify(event)];
  const headers = {
    'content-type': 'application/json',
    'webhook-id': event.id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(event.id, at, body),
  };
  const until = AbortSignal.any([signal, AbortSignal.timeout(FORWARD_TIMEOUT_MS)]);
  try {
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: until });
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    signal.throwIfAborted();
    return error instanceof Error && error.name === 'TimeoutError' ? 'no response in time' : 'not reachable';
  }
}
