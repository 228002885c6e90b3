import {
  bulkhead,
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  handleAll,
  isBrokenCircuitError,
  type BulkheadPolicy,
} from 'cockatiel';
import type { ProviderSettings } from '#catalogue';
import { NotAccepted, OutcomeUnknown, ProviderFailure, type RemoteProvider } from '#generation';
import { aroundCalls } from './around-calls.ts';
import { PartlyDown, providerFailure } from './failures.ts';

const FAILURES_TO_OPEN = 5;
const OPEN_SECONDS = 10;
/** Maximum wait for a free slot. */
const WAIT_MS = 1_000;

export type Circuit = 'closed' | 'open' | 'half_open';

export interface GuardOptions {
  /**
   * Counts a submission for the limit of all workers.
   *
   * @returns seconds until the next attempt; 0 when the submission is allowed now
   */
  countSubmission(providerId: string, perMinute: number): Promise<number>;
  /** Called with each change of the circuit. */
  onCircuit(providerId: string, circuit: Circuit): void;
}

/**
 * Isolates the failures of one vendor, and limits our load on it:
 * - Circuit breaker: five failures in a row (unreachable, down, no response) open it for 10 s. While it is open,
 *   submissions throw NotAccepted and queries fail with a retryable error. Then one call decides whether it closes.
 * - Limits: at most `maxConcurrent` submissions at a time, half of them for one workspace, and `submissionsPerMinute` of
 *   all workers. A submission waits up to a second for a slot, so that a slow vendor does not block the worker.
 *
 * Downloads use other hosts, and health checks must show the vendor's current state: neither passes the guard.
 */
export function guardProvider(
  provider: RemoteProvider,
  { maxConcurrent, submissionsPerMinute }: ProviderSettings,
  { countSubmission, onCircuit }: GuardOptions,
): RemoteProvider {
  const circuit = circuitBreaker(handleAll, {
    halfOpenAfter: OPEN_SECONDS * 1_000,
    breaker: new ConsecutiveBreaker(FAILURES_TO_OPEN),
  });
  circuit.onStateChange((state) => onCircuit(provider.id, circuitOf(state)));
  const slots = bulkhead(maxConcurrent, Infinity);
  const inShare = sharesOf(Math.ceil(maxConcurrent / 2));

  const throughCircuit = async <T>(call: () => Promise<T>, refusal: () => Error): Promise<T> => {
    // Further calls would wait for the call that decides.
    if (circuit.state === CircuitState.HalfOpen) throw refusal();
    const result = await circuit
      .execute(() => settled(call))
      .catch((error: unknown) => {
        throw isBrokenCircuitError(error) ? refusal() : error;
      });
    if ('error' in result) throw result.error;
    return result.value;
  };
  const count = async (): Promise<void> => {
    if (submissionsPerMinute === null) return;
    const seconds = await countSubmission(provider.id, submissionsPerMinute).catch((cause: unknown) => {
      throw new NotAccepted('provider_busy', null, { cause });
    });
    if (seconds > 0) throw new NotAccepted('provider_busy', seconds);
  };

  const guarded = aroundCalls(provider, (verb, call) => {
    if (verb === 'fetchOutput' || verb === 'health') return call();
    return throughCircuit(call, () => providerFailure('provider_unavailable', { retryable: true }));
  });
  return {
    ...guarded,
    submit: (task, options) => {
      const submit = () => count().then(() => provider.submit(task, options));
      const refusal = () => new NotAccepted('provider_unavailable', OPEN_SECONDS);
      return inShare(options.workspaceId ?? null, () => inSlot(slots, () => throughCircuit(submit, refusal)));
    },
  };
}

/** Limits the concurrent calls of each workspace. Calls of the operator are not limited. */
function sharesOf(perWorkspace: number): <T>(workspaceId: number | null, call: () => Promise<T>) => Promise<T> {
  const shares = new Map<number, BulkheadPolicy>();
  return async (workspaceId, call) => {
    if (workspaceId === null) return call();
    const share = shares.get(workspaceId) ?? bulkhead(perWorkspace, Infinity);
    shares.set(workspaceId, share);
    try {
      return await inSlot(share, call);
    } finally {
      if (share.executionSlots === perWorkspace && shares.get(workspaceId) === share) shares.delete(workspaceId);
    }
  };
}

/** The result of a call. Throws only errors that count as failures of the vendor. */
async function settled<T>(call: () => Promise<T>): Promise<{ value: T } | { error: unknown }> {
  try {
    return { value: await call() };
  } catch (error) {
    if (isDown(error)) throw error;
    return { error };
  }
}

function isDown(error: unknown): boolean {
  if (error instanceof OutcomeUnknown) return true;
  const isFailure = error instanceof NotAccepted || error instanceof ProviderFailure;
  return isFailure && error.code === 'provider_unavailable' && !(error.cause instanceof PartlyDown);
}

/** @throws NotAccepted when no slot is free within a second */
function inSlot<T>(slots: BulkheadPolicy, call: () => Promise<T>): Promise<T> {
  const waiting = new AbortController();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      waiting.abort();
      reject(new NotAccepted('provider_busy', null));
    }, WAIT_MS);
    const run = (): Promise<T> => {
      clearTimeout(timer);
      return call();
    };
    slots.execute(run, waiting.signal).then(resolve, reject);
  });
}

function circuitOf(state: CircuitState): Circuit {
  if (state === CircuitState.Closed) return 'closed';
  return state === CircuitState.HalfOpen ? 'half_open' : 'open';
}
