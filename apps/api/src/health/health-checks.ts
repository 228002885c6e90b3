import { Injectable } from '@nestjs/common';

/** Resolves if the dependency can serve, rejects otherwise. */
export type HealthCheck = () => Promise<unknown>;

/** `read_only`: it serves reads and refuses writes. */
export const HEALTH_STATES = ['up', 'read_only', 'down'] as const;
export type HealthState = (typeof HEALTH_STATES)[number];

export interface CheckedHealth {
  readonly name: string;
  readonly state: HealthState;
  /** Whether the service can't serve without it. */
  readonly isNeeded: boolean;
  readonly latencyMs: number;
}

const TIMEOUT_MS = 2000;
/** How long the result of a check of writes is used again. */
const WRITES_CHECKED_MS = 3000;

/** The dependencies of the service; modules register theirs when they start. */
@Injectable()
export class HealthChecks {
  private readonly checks = new Map<string, () => Promise<CheckedHealth>>();

  /**
   * @param options.isNeeded whether the service can't serve without it (default), or only does some things later
   * @param options.writes resolves if it accepts writes; run at most every few seconds
   */
  register(name: string, check: HealthCheck, options: { isNeeded?: boolean; writes?: HealthCheck } = {}): void {
    if (this.checks.has(name)) throw new Error(`health of ${name} is registered twice`);
    const { isNeeded = true, writes = async () => undefined } = options;
    const checkWrites = reused(writes, WRITES_CHECKED_MS);
    this.checks.set(name, async () => {
      const start = performance.now();
      const state = await stateOf(check, checkWrites);
      return { name, state, isNeeded, latencyMs: Math.round(performance.now() - start) };
    });
  }

  /** Checks all dependencies; one that takes too long is down. */
  run(): Promise<CheckedHealth[]> {
    return Promise.all([...this.checks.values()].map((check) => check()));
  }
}

async function stateOf(check: HealthCheck, checkWrites: HealthCheck): Promise<HealthState> {
  const [isUp, isWritable] = await Promise.all([succeeds(check), succeeds(checkWrites)]);
  if (!isUp) return 'down';
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

/** Calls share a check that is running, and its result for `ms` after it. */
function reused(check: HealthCheck, ms: number): HealthCheck {
  let last: Promise<unknown> | undefined;
  return () => (last ??= check().finally(() => setTimeout(() => (last = undefined), ms).unref()));
}
