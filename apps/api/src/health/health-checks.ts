import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';

/** Resolves when the dependency can serve, rejects when it can't. */
export type HealthCheck = () => Promise<unknown>;

export interface CheckedHealth {
  readonly state: 'up' | 'down';
  /** Whether nothing can be served without it. */
  readonly isNeeded: boolean;
  readonly latencyMs: number;
}

const TIMEOUT_MS = 2000;

interface Registered {
  readonly check: HealthCheck;
  readonly isNeeded: boolean;
}

/** What the service depends on; modules register their dependencies when they start. */
@Injectable()
export class HealthChecks {
  readonly #checks = new Map<string, Registered>();

  /** @param options.isNeeded whether the service can't serve without it (default), or only later than it should */
  register(name: string, check: HealthCheck, { isNeeded = true } = {}): void {
    if (this.#checks.has(name)) throw new Error(`health of ${name} is registered twice`);
    this.#checks.set(name, { check, isNeeded });
  }

  /** The health of each dependency by its name; one that takes too long is down. */
  async run(): Promise<ReadonlyMap<string, CheckedHealth>> {
    const names = [...this.#checks.keys()];
    const results = await Promise.all(names.map((name) => checked(this.#checks.get(name)!)));
    return new Map(names.map((name, index) => [name, results[index]!]));
  }
}

async function checked({ check, isNeeded }: Registered): Promise<CheckedHealth> {
  const start = performance.now();
  const timer = new AbortController();
  const timeout = sleep(TIMEOUT_MS, false, { signal: timer.signal }).catch(() => false);
  const isUp = await Promise.race([check().then(isFine, isNot), timeout]);
  timer.abort();
  return { state: isUp ? 'up' : 'down', isNeeded, latencyMs: Math.round(performance.now() - start) };
}

const isFine = (): boolean => true;
const isNot = (): boolean => false;
