import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sql } from '../support/database.ts';
import { allProcesses, type StartedProcess } from '../support/started-service.ts';
import { median, percentiles, processorMs, timed } from './measure.ts';

/** Calls at once. */
export const CALLERS = 32;
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const ROUND_MS = Number(process.env.ROUND_MS ?? 1500);
/** V8 compiles the code of a case for about as long: a service is measured as it is after its first minutes. */
const WARM_UP_MS = Number(process.env.WARM_UP_MS ?? 10_000);

/** A measured contender: calls of `work`, by many callers at once. */
export interface Contender {
  readonly name: string;
  /** The process that does the work. */
  readonly pid: number;
  readonly work: () => Promise<unknown>;
}

/** Results of a contender, as medians of its rounds. */
export interface Standing {
  readonly name: string;
  readonly perSecond: number;
  /** Microseconds of processor time for each call. */
  readonly own?: number;
  readonly postgres?: number;
  /** Milliseconds of each call. */
  readonly latencies?: readonly number[];
}

/** A row of `npm run bench -- all`. */
export interface Result {
  readonly work: string;
  readonly least: number;
  readonly ratio: number;
  /** Ours, then what it is compared with. */
  readonly standings: readonly Omit<Standing, 'latencies'>[];
}

/** Interleaved rounds of each contender, warm. `ROUNDS`, `ROUND_MS` and `WARM_UP_MS` in the environment change them. */
export async function compete(contenders: readonly Contender[], postgresMs: () => number): Promise<Standing[]> {
  const rounds: Required<Standing>[][] = contenders.map(() => []);
  for (const { work } of contenders) await callFor(WARM_UP_MS, work);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, { name, pid, work }] of contenders.entries()) {
      const [ownBefore, postgresBefore] = [processorMs([pid]), postgresMs()];
      const started = performance.now();
      const latencies = await callFor(ROUND_MS, work);
      const seconds = (performance.now() - started) / 1000;
      const micros = (milliseconds: number) => (milliseconds * 1000) / latencies.length;
      rounds[index]!.push({
        name,
        perSecond: latencies.length / seconds,
        own: micros(processorMs([pid]) - ownBefore),
        postgres: micros(postgresMs() - postgresBefore),
        latencies,
      });
    }
  }
  return rounds.map((of) => ({
    name: of[0]!.name,
    perSecond: median(of.map(({ perSecond }) => perSecond)),
    own: median(of.map(({ own }) => own)),
    postgres: median(of.map(({ postgres }) => postgres)),
    latencies: of.flatMap(({ latencies }) => latencies),
  }));
}

/** @returns the latency of each call */
async function callFor(milliseconds: number, work: () => Promise<unknown>): Promise<number[]> {
  const until = performance.now() + milliseconds;
  const latencies: number[] = [];
  const caller = async (): Promise<void> => {
    while (performance.now() < until) latencies.push(await timed(work));
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return latencies;
}

/** Prints how the first contender, ours, did beside the second, and fails the bench below the least ratio. */
export function report(work: string, least: number, standings: readonly Standing[]): void {
  const ratio = standings[0]!.perSecond / standings[1]!.perSecond;
  console.log(`${work}: ${ratio.toFixed(2)} of ${standings[1]!.name} (at least ${least})`);
  for (const { name, perSecond, own, postgres, latencies } of standings) {
    const micros = own === undefined ? '' : `, ${own.toFixed(0)} µs`;
    const ofPostgres = postgres === undefined ? '' : ` and ${postgres.toFixed(0)} µs of PostgreSQL`;
    const times = latencies ? `, ${percentiles(latencies)}` : '';
    console.log(`  ${name.padEnd(12)} ${rate(perSecond)}${micros}${ofPostgres}${times}`);
  }
  const result: Result = { work, least, ratio, standings: standings.map(({ latencies: _, ...rest }) => rest) };
  process.send?.(result);
  if (ratio < least) process.exitCode = 1;
}

/** `  1234/s`, or `  12.3/s` of what is slow. */
export const rate = (perSecond: number): string => `${perSecond.toFixed(perSecond < 100 ? 1 : 0).padStart(6)}/s`;

/** Reads the processor time of a server on this machine, all of its processes together, in ms. */
export async function postgresTime({ one }: Pick<Sql, 'one'>): Promise<() => number> {
  const row = await one<{ data_directory: string }>('show data_directory');
  const main = parseInt(readFileSync(join(row!.data_directory, 'postmaster.pid'), 'utf8'));
  const isOfServer = ({ pid, parent }: StartedProcess) => pid === main || parent === main;
  return () => {
    const server = allProcesses().filter(isOfServer);
    return processorMs(server.map(({ pid }) => pid));
  };
}
