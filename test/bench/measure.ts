import { readFileSync } from 'node:fs';
import type { PoolClient } from 'pg';
import type { PostgresConnection } from '#adapters/postgres';

/** Milliseconds that `work` takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

export interface Load {
  readonly perSecond: number;
  /** Milliseconds of each call. */
  readonly latencies: number[];
}

/** Calls `work` so many times, by so many callers at once. */
export async function load(
  { callers, times }: { readonly callers: number; readonly times: number },
  work: (number: number) => Promise<unknown>,
): Promise<Load> {
  let next = 0;
  const latencies: number[] = [];
  const caller = async (): Promise<void> => {
    while (next < times) {
      const number = next++;
      latencies.push(await timed(() => work(number)));
    }
  };
  const milliseconds = await timed(() => Promise.all(Array.from({ length: callers }, caller)));
  return { perSecond: (times / milliseconds) * 1000, latencies };
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** `p50 1.2 ms, p99 3.4 ms` */
export function percentiles(latencies: readonly number[], shares: readonly number[] = [0.5, 0.99]): string {
  return shares.map((share) => `p${share * 100} ${quantile(latencies, share).toFixed(1)} ms`).join(', ');
}

/** Processor time of running processes and of their children that have ended, in ms; 0 where the system does not tell. */
export function processorMs(pids: readonly number[]): number {
  const ticks = pids.flatMap((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return fields.slice(11, 15).map(Number);
    } catch {
      return [];
    }
  });
  return ticks.reduce((sum, each) => sum + each * 10, 0);
}

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;

/** Counts the statements that are sent over the connections of the pool from now on. */
export function countStatements(pool: PostgresConnection['pool']): { count: number } {
  const statements = { count: 0 };
  const counted = new WeakSet<PoolClient>();
  pool.on('acquire', (client) => {
    if (counted.has(client)) return;
    counted.add(client);
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((...args: unknown[]) => {
      statements.count++;
      return query(...args);
    }) as typeof client.query;
  });
  return statements;
}
