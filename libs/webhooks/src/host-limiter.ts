import type { Clock } from '#kernel';
import { afterCall, healthOf, limitsOf, retryAfter, type CallRecord, type HostHealth } from './domain/host-health.ts';

/** The permission for one call. */
export interface CallPermit {
  readonly timeoutSeconds: number;
  /** Must be called once. @param hasResponded `null` when the call was interrupted, which is not recorded */
  release(hasResponded: boolean | null): void;
}

export interface CallRefusal {
  readonly retryAfterSeconds: number;
}

interface RunningCall {
  readonly host: string;
  readonly workspaceId: number;
  readonly kind: HostHealth['kind'];
}

/** Beyond this number the oldest records are dropped; their hosts are unknown again. */
const MAX_RECORDS = 10_000;

/**
 * Limits the concurrent webhook calls of one worker by host and workspace. Kept in memory: a new process learns the
 * health of a host with its first call.
 */
export class HostLimiter {
  /** By workspace and host: what one workspace has at a host does not affect others there. */
  readonly #hosts = new Map<string, CallRecord>();
  readonly #workspaces = new Map<number, CallRecord>();
  /** Calls refused since the last call of a workspace ended. */
  readonly #refused = new Map<number, number>();
  readonly #running = new Set<RunningCall>();

  constructor(
    private readonly concurrency: number,
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  acquire(url: string, workspaceId: number): CallPermit | CallRefusal {
    const host = URL.canParse(url) ? new URL(url).host : '';
    const hostOfWorkspace = `${workspaceId} ${host}`;
    const health = healthOf(this.#hosts.get(hostOfWorkspace), this.#workspaces.get(workspaceId), this.clock.now());
    const { perHost, perKind, perWorkspace, timeoutSeconds } = limitsOf(health, this.concurrency);
    const sameKind = [...this.#running].filter(({ kind }) => kind === health.kind);
    const isAllowed =
      sameKind.length < perKind &&
      sameKind.filter((call) => call.workspaceId === workspaceId).length < perWorkspace &&
      sameKind.filter((call) => call.host === host).length < perHost;
    if (!isAllowed) return { retryAfterSeconds: this.#refuse(workspaceId) };
    const call: RunningCall = { host, workspaceId, kind: health.kind };
    this.#running.add(call);
    return {
      timeoutSeconds,
      release: (hasResponded) => {
        this.#running.delete(call);
        this.#refused.delete(workspaceId);
        if (hasResponded === null) return;
        record(this.#hosts, hostOfWorkspace, hasResponded, this.clock.now());
        record(this.#workspaces, workspaceId, hasResponded, this.clock.now());
      },
    };
  }

  #refuse(workspaceId: number): number {
    const before = this.#refused.get(workspaceId) ?? 0;
    this.#refused.set(workspaceId, before + 1);
    return retryAfter(before);
  }
}

/** Moves the record to the end of the map, so that the first one is the oldest. */
function record<Key>(records: Map<Key, CallRecord>, key: Key, hasResponded: boolean, at: Date): void {
  const after = afterCall(records.get(key), hasResponded, at);
  records.delete(key);
  records.set(key, after);
  if (records.size > MAX_RECORDS) records.delete(records.keys().next().value!);
}
