export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;

/** One call of a webhook. */
export interface Attempt {
  readonly at: Date;
  /** HTTP status; `null` without a response. */
  readonly status: number | null;
  /** Error code; `null` for a success. */
  readonly error: string | null;
  readonly durationMs: number;
}

interface DeliveryFacts {
  readonly id: number;
  readonly workspaceId: number;
  /** The generation, the batch or the endpoint that it is about: one of them, the others are `null`. */
  readonly generationId: number | null;
  readonly batchId: number | null;
  readonly endpointId: number | null;
  readonly url: string;
  /** Sent as `webhook-id`: the same for all attempts. */
  readonly messageId: string;
  /** Incremented each time the delivery is started again. */
  readonly revision: number;
  /** Attempts in this revision. */
  readonly tries: number;
  /** The latest attempts, oldest first. */
  readonly attempts: readonly Attempt[];
  /** When it ended. */
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

export type NewDelivery = Pick<
  DeliveryFacts,
  'workspaceId' | 'generationId' | 'batchId' | 'url' | 'messageId' | 'createdAt'
>;

const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** Seconds between two attempts. */
const PAUSES = [5, 30, 2 * MINUTE, 10 * MINUTE, HOUR, 3 * HOUR, 8 * HOUR, 12 * HOUR];
/** Attempts kept: a delivery may be started again any number of times. */
const KEPT_ATTEMPTS = 50;
const GONE = 410;

/** A status 2xx delivers; 410, and the end of the schedule, fail; after anything else the call is retried. */
export function afterAttempt(delivery: PendingDelivery, attempt: Attempt): Delivery {
  const attempts = [...delivery.attempts, attempt].slice(-KEPT_ATTEMPTS);
  const tried = { ...delivery, attempts, tries: delivery.tries + 1 };
  if (hasSucceeded(attempt)) return { ...tried, state: 'delivered', nextAttemptAt: null };
  const pause = attempt.status === GONE ? undefined : PAUSES[delivery.tries];
  if (pause === undefined) return { ...tried, state: 'failed', nextAttemptAt: null };
  const end = attempt.at.getTime() + attempt.durationMs;
  return { ...tried, nextAttemptAt: new Date(end + pause * 1_000) };
}

/** The error code for an HTTP status; `null` for a success. */
export function errorOfStatus(status: number): string | null {
  if (hasSucceeded({ status })) return null;
  return status >= 300 && status < 400 ? 'redirect_not_followed' : 'status_not_2xx';
}

/** Reports whether the host responded; `null` when no call was sent. */
export function hasResponded({ status, error }: Pick<Attempt, 'status' | 'error'>): boolean | null {
  if (status !== null) return true;
  return error === 'url_timeout' || error === 'url_unreachable' ? false : null;
}

export function hasSucceeded({ status }: Pick<Attempt, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300;
}
