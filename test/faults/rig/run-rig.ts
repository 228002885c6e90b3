import { setTimeout as sleep } from 'node:timers/promises';
import type { Chance } from './chance.ts';
import type { FaultActor } from './client.ts';
import type { Generator } from './generator.ts';

/** What the service runs on, and how it is broken. */
export interface FaultStage<Fault extends string> {
  /** What it can't do here, and why. */
  readonly lacks: ReadonlyMap<Fault, string>;
  inflict(fault: Fault, chance: Chance): Promise<void>;
  /** Resolves when the service has recovered from everything. */
  recovered(): Promise<void>;
}

export interface RigPlan<Fault extends string> {
  readonly chance: Chance;
  readonly seconds: number;
  readonly faults: Readonly<Record<Fault, number>>;
  readonly generator: Generator;
  /** How many that one gets accepted. */
  readonly generations: number;
  readonly others: readonly FaultActor[];
}

/**
 * Lets the actors work while the faults happen at the moments that chance decides.
 *
 * @returns the promises that are broken once the service has recovered and all generations have ended
 */
export async function runRig<Fault extends string>(
  stage: FaultStage<Fault>,
  { chance, seconds, faults, generator, generations, others }: RigPlan<Fault>,
): Promise<string[]> {
  const actors = [...others, generator];
  const started = Date.now();
  let isOver = false;
  const ended = new AbortController();
  const pause = (milliseconds: number): Promise<void> =>
    sleep(Math.max(0, milliseconds), undefined, { signal: ended.signal });
  const load = actors.map(async (actor) => {
    const pauses = chance.fork(`pauses of ${actor.name}`);
    const isDone = (): boolean => (actor === generator ? generator.accepted.size >= generations : isOver);
    while (!isDone()) {
      await actor.work();
      await pause(2 * pauses.next() * actor.meanPauseMs);
    }
  });
  const inflict = async (fault: Fault): Promise<void> => {
    const lack = stage.lacks.get(fault);
    if (lack !== undefined) {
      say(`${fault}: left out, ${lack}`);
      return;
    }
    const chances = chance.fork(fault);
    for (const moment of momentsOf(faults[fault], seconds, chances)) {
      await pause(started + moment * 1000 - Date.now());
      await stage.inflict(fault, chances);
      say(`${((Date.now() - started) / 1000).toFixed(1)} s: ${fault}`);
    }
  };
  const inflictAll = async (): Promise<void> => {
    await Promise.all((Object.keys(faults) as Fault[]).map(inflict));
    isOver = true;
  };
  await Promise.all([inflictAll(), ...load]).finally(() => ended.abort());
  await stage.recovered();
  await until(async () => (await generator.openCount()) === 0, 600);

  const broken: string[] = [];
  for (const actor of actors) {
    // What a deleted persona or board leaves behind goes a little later.
    await until(async () => (await actor.brokenPromises()).length === 0, 60).catch(() => undefined);
    broken.push(...(await actor.brokenPromises()));
    say(actor.summary());
  }
  return broken;
}

export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

async function until(isTrue: () => Promise<boolean>, seconds: number): Promise<void> {
  for (const deadline = Date.now() + seconds * 1000; Date.now() < deadline;) {
    if (await isTrue()) return;
    await sleep(1000);
  }
  throw new Error('it did not come to that');
}

/** `count` moments in order, in seconds from the start; the seed decides them. */
function momentsOf(count: number, seconds: number, chance: Chance): readonly number[] {
  return Array.from({ length: count }, () => 1 + chance.next() * seconds).sort((a, b) => a - b);
}
