import {
  bulkhead,
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  handleAll,
  isBrokenCircuitError,
  type BulkheadPolicy,
} from 'cockatiel';
import { NotAccepted, OutcomeUnknown, ProviderFailure, type ProviderSettings, type RemoteProvider } from '#generation';
import { aroundCalls } from './around-calls.ts';
import { providerFailure } from './failures.ts';

const FAILURES_TO_OPEN = 5;
const OPEN_SECONDS = 10;
const WAIT_MS = 1_000;

export type Circuit = 'closed' | 'open' | 'half_open';

export interface GuardOptions {
  /**
   * Counts a submission in the minute of all workers.
   *
   * @returns the seconds until it may be tried again, 0 when it is allowed now
   */
  countSubmission(providerId: string, perMinute: number): Promise<number>;
  /** Called with each change of the circuit. */
  onCircuit(providerId: string, circuit: Circuit): void;
}

/**
 * Keeps one vendor's trouble from the others, and our load from the vendor:
 * - After five calls in a row in which it could not be reached, was down or did not answer, no call is made for 10 s;
 *   then one is, and decides. Meanwhile submissions are not accepted, and questions fail for now.
 * - At most `maxConcurrent` submissions are sent at a time, half of them of one workspace, and `submissionsPerMinute` from
 *   all workers. A submission waits a second for its place, so that short ones need no other attempt and long ones hold up
 *   no worker.
 *
 * Outputs are fetched from other hosts, and health is asked for to see how it is: both are left alone.
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
  const places = bulkhead(maxConcurrent, Infinity);
  const inShare = sharedBy(Math.ceil(maxConcurrent / 2));

  const throughCircuit = async <T>(call: () => Promise<T>, refusal: () => Error): Promise<T> => {
    // While one call decides, further ones would wait for it.
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
      return inShare(options.workspaceId ?? null, () => inPlace(places, () => throughCircuit(submit, refusal)));
    },
  };
}

/** Gives each workspace so many places; calls of the operator have no such limit. */
function sharedBy(ofWorkspace: number): <T>(workspaceId: number | null, call: () => Promise<T>) => Promise<T> {
  const shares = new Map<number, BulkheadPolicy>();
  return async (workspaceId, call) => {
    if (workspaceId === null) return call();
    const share = shares.get(workspaceId) ?? bulkhead(ofWorkspace, Infinity);
    shares.set(workspaceId, share);
    try {
      return await inPlace(share, call);
    } finally {
      if (share.executionSlots === ofWorkspace && shares.get(workspaceId) === share) shares.delete(workspaceId);
    }
  };
}

/** The end of a call; throws only what says that the vendor is down. */
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
  return isFailure && error.code === 'provider_unavailable';
}

/** @throws NotAccepted when no place is free within a second */
function inPlace<T>(places: BulkheadPolicy, call: () => Promise<T>): Promise<T> {
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
    places.execute(run, waiting.signal).then(resolve, reject);
  });
}

function circuitOf(state: CircuitState): Circuit {
  if (state === CircuitState.Closed) return 'closed';
  return state === CircuitState.HalfOpen ? 'half_open' : 'open';
}
