import { Injectable } from '@nestjs/common';

/** Resolves if the dependency can serve, rejects otherwise. */
export type HealthCheck = () => Promise<unknown>;

/**
 * `read_only`: serves reads and refuses writes. `full`: refuses uploads, as its disk has only the reserve left.
 * `outdated`: lacks migrations that this version needs.
 */
export const HEALTH_STATES = ['up', 'read_only', 'full', 'outdated', 'down'] as const;
export type HealthState = (typeof HEALTH_STATES)[number];

export interface CheckedHealth {
  readonly name: string;
  readonly state: HealthState;
  /** True if requests need it. */
  readonly isNeeded: boolean;
  readonly latencyMs: number;
}

interface Registered {
  readonly isNeededToServe: boolean;
  check(): Promise<CheckedHealth>;
}

const TIMEOUT_MS = 2000;
/** How long the result of a check of writes is cached. */
const WRITES_CHECKED_MS = 3000;

/** The dependencies of the service; modules register theirs when they start. */
@Injectable()
export class HealthChecks {
  readonly #checks = new Map<string, Registered>();
  #draining = false;

  /**
   * @param options.isNeeded whether requests need it (default); otherwise work only waits for it
   * @param options.isNeededToServe whether hardly any request can be served without it
   * @param options.current resolves if it is up to date for this version
   * @param options.space resolves if it has space for uploads
   * @param options.writes resolves if it accepts writes; run at most every few seconds
   */
  register(
    name: string,
    check: HealthCheck,
    options: {
      isNeeded?: boolean;
      isNeededToServe?: boolean;
      current?: HealthCheck;
      space?: HealthCheck;
      writes?: HealthCheck;
    } = {},
  ): void {
    if (this.#checks.has(name)) throw new Error(`health of ${name} is registered twice`);
    const { isNeeded = true, isNeededToServe = false, current = always, space = always, writes = always } = options;
    const checkWrites = reused(writes, WRITES_CHECKED_MS);
    const run = async (): Promise<CheckedHealth> => {
      const start = performance.now();
      const state = await stateOf(check, current, space, checkWrites);
      return { name, state, isNeeded, latencyMs: Math.round(performance.now() - start) };
    };
    this.#checks.set(name, { isNeededToServe, check: run });
  }

  /** Checks all dependencies, or the dependencies needed to serve. A check that takes too long counts as down. */
  run(which: 'all' | 'needed to serve' = 'all'): Promise<CheckedHealth[]> {
    const chosen = [...this.#checks.values()].filter((each) => which === 'all' || each.isNeededToServe);
    return Promise.all(chosen.map(({ check }) => check()));
  }

  /** True if the process is about to stop: new requests should go to another one. */
  get isDraining(): boolean {
    return this.#draining;
  }

  drain(): void {
    this.#draining = true;
  }
}

const always: HealthCheck = async () => undefined;

async function stateOf(
  ...checks: [up: HealthCheck, current: HealthCheck, space: HealthCheck, writes: HealthCheck]
): Promise<HealthState> {
  const [isUp, isCurrent, hasSpace, isWritable] = await Promise.all(checks.map(succeeds));
  if (!isUp) return 'down';
  if (!isCurrent) return 'outdated';
  if (!hasSpace) return 'full';
  return isWritable ? 'up' : 'read_only';
}

async function succeeds(check: HealthCheck): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => (timer = setTimeout(resolve, TIMEOUT_MS, false)));
  const checked = check().then(
    () => true,
    () => false,
  );
  return Promise.race([checked, late]).finally(() => clearTimeout(timer));
}

/** Concurrent calls share one check; its result is cached for `ms`. */
function reused(check: HealthCheck, ms: number): HealthCheck {
  let last: Promise<unknown> | undefined;
  return () => (last ??= check().finally(() => setTimeout(() => (last = undefined), ms).unref()));
}
