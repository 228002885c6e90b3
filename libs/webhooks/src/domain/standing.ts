/** What is known of a host that webhooks are sent to. */
export type Standing =
  | { readonly kind: 'good' }
  /** Nothing is known of it. */
  | { readonly kind: 'new' }
  /** Its latest calls, so many, got no response. */
  | { readonly kind: 'failing'; readonly failures: number };

/** How many calls may be under way at once, and how long each may take. */
export interface Allowance {
  /** To this host. */
  readonly ofHost: number;
  /** To all hosts of this kind. */
  readonly ofKind: number;
  /** Of one workspace, to hosts of this kind. */
  readonly ofWorkspace: number;
  readonly patienceSeconds: number;
}

/** How long a host in good standing may take to respond. */
const PATIENCE_SECONDS = 15;
const SHORTEST_PATIENCE_SECONDS = 2;
/** A failing host gets its whole patience again this long after its latest call. */
const MEMORY_MS = 5 * 60_000;

/**
 * The allowance of a host, of the `places` of a worker. A host that does not respond gets half the places and half the
 * patience each time, and all failing hosts together a quarter of the places: whatever hangs, the rest is free.
 */
export function allowanceOf(standing: Standing, places: number): Allowance {
  const quarter = Math.max(1, Math.floor(places / 4));
  switch (standing.kind) {
    case 'good':
      return { ofHost: quarter, ofKind: places, ofWorkspace: places, patienceSeconds: PATIENCE_SECONDS };
    case 'new':
      return {
        ofHost: quarter,
        ofKind: Math.max(1, Math.floor(places / 2)),
        ofWorkspace: 1,
        patienceSeconds: PATIENCE_SECONDS,
      };
    case 'failing': {
      const share = 2 ** standing.failures;
      return {
        ofHost: Math.max(1, Math.floor((2 * quarter) / share)),
        ofKind: quarter,
        ofWorkspace: 1,
        patienceSeconds: Math.max(SHORTEST_PATIENCE_SECONDS, PATIENCE_SECONDS / share),
      };
    }
  }
}

/** The latest calls to a host, or of a workspace. */
export interface CallRecord {
  /** Calls in a row, up to the latest one, that got no response; 0 when it got one. */
  readonly failures: number;
  /** The end of the latest call. */
  readonly at: Date;
}

/** The record after one more call. */
export function afterCall(before: CallRecord | undefined, isAnswered: boolean, at: Date): CallRecord {
  if (isAnswered) return { failures: 0, at };
  return { failures: (before && isFresh(before, at) ? before.failures : 0) + 1, at };
}

/** A host that nothing is known of has the standing of the workspace that calls it, where its hosts fail. */
export function standingOf(host: CallRecord | undefined, workspace: CallRecord | undefined, now: Date): Standing {
  if (host && isFresh(host, now)) {
    return host.failures === 0 ? { kind: 'good' } : { kind: 'failing', failures: host.failures };
  }
  if (workspace && workspace.failures > 0 && isFresh(workspace, now)) {
    return { kind: 'failing', failures: workspace.failures };
  }
  return { kind: 'new' };
}

/** A host that has responded stays in good standing: it loses that by its next failure. */
function isFresh({ failures, at }: CallRecord, now: Date): boolean {
  return failures === 0 || now.getTime() - at.getTime() < MEMORY_MS;
}

/** How long the `waiting`-th call in a row of a workspace that finds no place waits: they come back one by one. */
export function waitSeconds(waiting: number): number {
  return Math.min(1 + waiting / 4, 15);
}
