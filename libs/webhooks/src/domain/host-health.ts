/** How a host that receives webhooks has behaved towards a workspace. */
export type HostHealth =
  | { readonly kind: 'responding' }
  | { readonly kind: 'unknown' }
  /** The number of its latest calls in a row without a response. */
  | { readonly kind: 'failing'; readonly failures: number };

/** Limits of concurrent calls, and the time limit of each. */
export interface CallLimits {
  /** Calls to this host, of all workspaces for which it has the same kind of health. */
  readonly perHost: number;
  /** Calls to all hosts of this kind of health. */
  readonly perKind: number;
  /** Calls of one workspace to hosts of this kind. */
  readonly perWorkspace: number;
  readonly timeoutSeconds: number;
}

const TIMEOUT_SECONDS = 15;
const SHORTEST_TIMEOUT_SECONDS = 2;
/** Failures are forgotten this long after the latest call. */
const MEMORY_MS = 5 * 60_000;

/**
 * The limits of a host, of the `concurrency` of a worker. Each failure in a row halves the calls and the timeout of a
 * host, and all failing hosts share a quarter of the calls: hosts that hang never block the others.
 */
export function limitsOf(health: HostHealth, concurrency: number): CallLimits {
  const quarter = Math.max(1, Math.floor(concurrency / 4));
  switch (health.kind) {
    case 'responding':
      return { perHost: quarter, perKind: concurrency, perWorkspace: concurrency, timeoutSeconds: TIMEOUT_SECONDS };
    case 'unknown':
      return {
        perHost: quarter,
        perKind: Math.max(1, Math.floor(concurrency / 2)),
        perWorkspace: 1,
        timeoutSeconds: TIMEOUT_SECONDS,
      };
    case 'failing': {
      const share = 2 ** health.failures;
      return {
        perHost: Math.max(1, Math.floor((2 * quarter) / share)),
        perKind: quarter,
        perWorkspace: 1,
        timeoutSeconds: Math.max(SHORTEST_TIMEOUT_SECONDS, TIMEOUT_SECONDS / share),
      };
    }
  }
}

/** The latest calls of a workspace, to a host or to all. */
export interface CallRecord {
  /** The latest calls in a row without a response; 0 after a response. */
  readonly failures: number;
  /** The end of the latest call. */
  readonly at: Date;
}

/** The record after one more call. */
export function afterCall(before: CallRecord | undefined, hasResponded: boolean, at: Date): CallRecord {
  if (hasResponded) return { failures: 0, at };
  return { failures: (before && isFresh(before, at) ? before.failures : 0) + 1, at };
}

/** An unknown host counts as failing when the other hosts of the workspace fail. */
export function healthOf(host: CallRecord | undefined, workspace: CallRecord | undefined, now: Date): HostHealth {
  if (host && isFresh(host, now)) {
    return host.failures === 0 ? { kind: 'responding' } : { kind: 'failing', failures: host.failures };
  }
  if (workspace && workspace.failures > 0 && isFresh(workspace, now)) {
    return { kind: 'failing', failures: workspace.failures };
  }
  return { kind: 'unknown' };
}

/** A response counts until the next failure. */
function isFresh({ failures, at }: CallRecord, now: Date): boolean {
  return failures === 0 || now.getTime() - at.getTime() < MEMORY_MS;
}

/** Seconds until a call is retried, after so many earlier calls of its workspace were refused: spreads the retries. */
export function retryAfter(refusedBefore: number): number {
  return Math.min(1 + refusedBefore / 4, 15);
}
