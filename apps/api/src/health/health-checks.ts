import { Injectable } from '@nestjs/common';

/** Resolves if the dependency can serve, rejects otherwise. */
export type HealthCheck = () => Promise<unknown>;

export interface CheckedHealth {
  readonly name: string;
  readonly state: 'up' | 'down';
  /** Whether the service can't serve without it. */
  readonly isNeeded: boolean;
  readonly latencyMs: number;
}

const TIMEOUT_MS = 2000;

/** The dependencies of the service; modules register theirs when they start. */
@Injectable()
export class HealthChecks {
  private readonly checks = new Map<string, () => Promise<CheckedHealth>>();

  /** @param options.isNeeded whether the service can't serve without it (default), or only does some things later */
  register(name: string, check: HealthCheck, { isNeeded = true } = {}): void {
    if (this.checks.has(name)) throw new Error(`health of ${name} is registered twice`);
    this.checks.set(name, async () => {
      const start = performance.now();
      const state = await stateOf(check);
      return { name, state, isNeeded, latencyMs: Math.round(performance.now() - start) };
    });
  }

  /** Checks all dependencies; one that takes too long is down. */
  run(): Promise<CheckedHealth[]> {
    return Promise.all([...this.checks.values()].map((check) => check()));
  }
}

async function stateOf(check: HealthCheck): Promise<'up' | 'down'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'down'>((resolve) => (timer = setTimeout(resolve, TIMEOUT_MS, 'down')));
  const checked = check().then(
    () => 'up' as const,
    () => 'down' as const,
  );
  return Promise.race([checked, late]).finally(() => clearTimeout(timer));
}
