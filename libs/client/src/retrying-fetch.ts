import { sleep } from './sleep.ts';
import { throwIfAborted, X12Error, X12TimeoutError } from './x12-error.ts';

export interface RetryOptions {
  /** Sends requests. Default: the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /** Milliseconds until a response must begin. Default: 30,000. */
  readonly timeout?: number;
  /** Maximum retries of a call after `429`, `503`, a time-out or a network error. Default: 2. */
  readonly maxRetries?: number;
}

const KEY = 'Idempotency-Key';
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 8000;
/** A longer `Retry-After` is not followed: the service's own limits last a minute at most. */
const LONGEST_RETRY_AFTER_MS = 60_000;

/** A `fetch` with retries. A POST is retried too, with the same `Idempotency-Key` in all attempts. */
export function retryingFetch(options: RetryOptions): typeof globalThis.fetch {
  const { fetch: send = globalThis.fetch, timeout = 30_000, maxRetries = 2 } = options;
  return async (input, init) => {
    const given = new Request(input, init);
    const hasKey = given.headers.has(KEY);
    const request = withIdempotencyKey(given);
    for (let attempt = 0; ; attempt++) {
      const outcome = await attemptOnce(send, request, timeout);
      const delay = attempt < maxRetries ? await delayBeforeNext(outcome, attempt, hasKey) : null;
      if (delay === null) {
        if (outcome instanceof X12Error) throw outcome;
        return outcome;
      }
      if (outcome instanceof Response) await outcome.body?.cancel();
      await sleep(delay, request.signal);
    }
  };
}

function withIdempotencyKey(request: Request): Request {
  if (request.method === 'POST' && !request.headers.has(KEY)) {
    request.headers.set(KEY, randomKey());
  }
  return request;
}

/** Replaces `crypto.randomUUID`, which exists only on HTTPS and localhost. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @returns an error instead of a response for a network error or time-out; throws X12AbortError, X12TimeoutError when the caller aborts */
async function attemptOnce(send: typeof fetch, request: Request, timeout: number): Promise<Response | X12Error> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeout);
  try {
    return await send(request.clone(), { signal: AbortSignal.any([request.signal, late.signal]) });
  } catch (cause) {
    throwIfAborted(request.signal);
    return late.signal.aborted
      ? new X12TimeoutError(`the service did not respond within ${timeout} ms: try again`, cause, true)
      : new X12Error('network_error', 'the service cannot be reached: check the address and the network', { cause });
  } finally {
    clearTimeout(timer);
  }
}

/** @param hasKey whether the caller gave the key, which an earlier call may have had @returns milliseconds; null if the outcome is final */
async function delayBeforeNext(outcome: Response | X12Error, attempt: number, hasKey: boolean): Promise<number | null> {
  const backoff = Math.min(FIRST_DELAY_MS * 2 ** attempt, LONGEST_DELAY_MS) * (0.5 + Math.random() / 2);
  if (outcome instanceof X12Error) return backoff;
  const isBusy = outcome.status === 429 || outcome.status === 503;
  if (!isBusy && !((attempt > 0 || hasKey) && (await stillRuns(outcome)))) return null;
  const requested = retryAfter(outcome.headers.get('Retry-After'));
  if (requested === null) return backoff;
  return requested <= LONGEST_RETRY_AFTER_MS ? requested : null;
}

/**
 * Reports whether an earlier attempt, whose response was lost, still runs: a retry with the same key gets its
 * response.
 */
async function stillRuns(response: Response): Promise<boolean> {
  return response.status === 409 && (await response.clone().text()).includes('"idempotency_in_progress"');
}

/** @param value seconds or a date @returns milliseconds */
function retryAfter(value: string | null): number | null {
  if (value === null) return null;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
