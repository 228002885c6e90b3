export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;

/** One call of a webhook. */
export interface Attempt {
  readonly at: Date;
  /** Of the response; `null` when there was none. */
  readonly status: number | null;
  /** Why it did not succeed: a code; `null` when it did. */
  readonly error: string | null;
  readonly durationMs: number;
}

interface DeliveryFacts {
  readonly id: number;
  readonly workspaceId: number;
  readonly generationId: number;
  readonly url: string;
  /** Sent as `webhook-id`: the same for all attempts. */
  readonly messageId: string;
  /** Grows each time the schedule begins anew. */
  readonly revision: number;
  /** Attempts since then. */
  readonly tries: number;
  /** The latest ones, oldest first. */
  readonly attempts: readonly Attempt[];
  /** When the generation ended. */
  readonly createdAt: Date;
}

export interface PendingDelivery extends DeliveryFacts {
  readonly state: 'pending';
  readonly nextAttemptAt: Date;
}

export interface EndedDelivery extends DeliveryFacts {
  readonly state: 'delivered' | 'failed';
  readonly nextAttemptAt: null;
}

export type Delivery = PendingDelivery | EndedDelivery;

export type NewDelivery = Pick<DeliveryFacts, 'workspaceId' | 'generationId' | 'url' | 'messageId' | 'createdAt'>;

const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** How long after each attempt the next one follows, in seconds. */
const PAUSES = [5, 30, 2 * MINUTE, 10 * MINUTE, HOUR, 3 * HOUR, 8 * HOUR, 12 * HOUR];
/** How many attempts are shown: a delivery may be repeated any number of times. */
const KEPT_ATTEMPTS = 50;
const GONE = 410;

/** Any 2xx delivers it, 410 ends it, and after everything else it is tried again as long as the schedule lasts. */
export function afterAttempt(delivery: PendingDelivery, attempt: Attempt): Delivery {
  const attempts = [...delivery.attempts, attempt].slice(-KEPT_ATTEMPTS);
  const tried = { ...delivery, attempts, tries: delivery.tries + 1 };
  if (isSuccess(attempt.status)) return { ...tried, state: 'delivered', nextAttemptAt: null };
  const pause = attempt.status === GONE ? undefined : PAUSES[delivery.tries];
  if (pause === undefined) return { ...tried, state: 'failed', nextAttemptAt: null };
  const end = attempt.at.getTime() + attempt.durationMs;
  return { ...tried, nextAttemptAt: new Date(end + pause * 1_000) };
}

/** The error of an attempt that got this status; `null` for a success. */
export function errorOfStatus(status: number): string | null {
  if (isSuccess(status)) return null;
  return status >= 300 && status < 400 ? 'redirect_not_followed' : 'status_not_2xx';
}

/** Whether the host responded at all; `null` when it was not asked. */
export function isAnswered({ status, error }: Pick<Attempt, 'status' | 'error'>): boolean | null {
  if (status !== null) return true;
  return error === 'url_timeout' || error === 'url_unreachable' ? false : null;
}

function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}
