import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { PersonaOwner, Uploader, type FaultActor } from './actors.ts';
import { aftermath, type AuditedStage } from './aftermath.ts';
import { BoardKeeper } from './board-keeper.ts';
import { Chance } from './chance.ts';
import { Client } from './client.ts';
import { Generator } from './generator.ts';

/** Stage of the service, and its faults. */
export interface FaultStage<Fault extends string> extends AuditedStage {
  /** URL of each API. */
  readonly baseUrls: readonly string[];
  readonly faults: Readonly<Record<Fault, (chance: Chance) => Promise<unknown>>>;
  /** The faults that can't be injected here, and why. */
  readonly lacks: ReadonlyMap<string, string>;
  /** Log of the service. */
  readonly output: string;
  /** The token of a user of the demo. */
  token(role: 'owner' | 'solo'): Promise<string>;
  /** Resolves when the service has recovered from everything. */
  recovered(): Promise<void>;
  close(): Promise<void>;
}

export function numberOf(variable: string, byDefault: number): number {
  return Number(process.env[variable] ?? byDefault);
}

/** `SEED=… npm run test:faults` repeats a run, `DURATION=60 GENERATIONS=80 WORKER_KILLS=8 …` makes a longer one. */
const SEED = numberOf('SEED', Date.now() % 1_000_000);
const SECONDS = numberOf('DURATION', 15);
const GENERATIONS = numberOf('GENERATIONS', 20);
/** How many are requested at once at the beginning. */
const FLOOD = numberOf('FLOOD', 60);
export const RIG_TIMEOUT_MS = (SECONDS * 3 + 900) * 1000;

/**
 * Lets clients work while faults happen at random moments, and expects that every promise is kept once the service has
 * recovered and all generations have ended, and that no audit finds anything.
 *
 * @param counts how often each fault happens
 * @param more actors in addition to those of every rig
 * @returns how many generations ended in each state
 */
export async function expectPromisesKept<Fault extends string>(
  stage: FaultStage<Fault>,
  counts: Readonly<Partial<Record<Fault, number>>>,
  more: (client: Client, chance: Chance) => readonly FaultActor[] = () => [],
): Promise<Generator['states']> {
  say(`SEED=${SEED} DURATION=${SECONDS} GENERATIONS=${GENERATIONS} FLOOD=${FLOOD} ${JSON.stringify(counts)}`);
  const started = Date.now();
  const chance = new Chance(SEED);
  const client = new Client(stage.baseUrls, await stage.token('owner'));
  const other = new Client(stage.baseUrls, await stage.token('solo'));
  await client.call('POST', '/v2/personas', { form: { name: 'First' }, key: 'first' });
  const uploader = new Uploader(client, chance.fork('uploads'));
  const generating = (by: Client, name: string, wanted: number, flood?: number) =>
    new Generator(by, chance.fork(name), (SECONDS * 1000) / wanted, name, wanted, flood);
  const generator = generating(client, 'generations', GENERATIONS + FLOOD, FLOOD);
  const single = generating(other, 'other-workspace-generations', 10);
  const actors = [
    uploader,
    new BoardKeeper(client, chance.fork('boards'), () => uploader.files.map((file) => file.url)),
    new PersonaOwner(client, chance.fork('personas')),
    ...more(client, chance),
    generator,
    single,
  ];
  await workThrough(stage, counts, chance, actors);
  await stage.recovered();
  await eventually(async () => (await generator.openCount()) + (await single.openCount()) === 0, { everyMs: 1000 });
  const broken = await brokenPromises(actors);
  const after = await aftermath(stage);
  say(`${client.repeated} requests repeated; ${JSON.stringify(after)}; ${(Date.now() - started) / 1000} s in all`);
  expect(broken).toEqual([]);
  const requests = client.internalErrors.map((each) => /"request_id":"([^"]+)/.exec(each)![1]!);
  for (const line of stage.output.split('\n')) if (requests.some((id) => line.includes(id))) say(line);
  expect(client.internalErrors).toEqual([]);
  expect(after.findings).toEqual([]);
  expect(after.storage).toMatchObject({ strayObjects: 0, lostFiles: 0 });
  expect(after.temporary).toBe(0);
  return generator.states;
}

/** Ends after the last fault, once all generations that are wanted are accepted. */
async function workThrough<Fault extends string>(
  stage: FaultStage<Fault>,
  counts: Readonly<Partial<Record<Fault, number>>>,
  chance: Chance,
  actors: readonly FaultActor[],
): Promise<void> {
  const started = Date.now();
  let isOver = false;
  const ended = new AbortController();
  const pause = (milliseconds: number): Promise<void> =>
    sleep(Math.max(0, milliseconds), undefined, { signal: ended.signal });
  const load = actors.map(async (actor) => {
    const pauses = chance.fork(`pauses of ${actor.name}`);
    const isDone = (): boolean => (actor instanceof Generator ? actor.accepted.size >= actor.wanted : isOver);
    while (!isDone()) {
      await actor.work();
      await pause(2 * pauses.next() * actor.meanPauseMs);
    }
  });
  const inject = async (fault: Fault): Promise<void> => {
    const lack = stage.lacks.get(fault);
    if (lack !== undefined) return say(`${fault}: left out, ${lack}`);
    const chances = chance.fork(fault);
    const moments = Array.from({ length: counts[fault]! }, () => 1 + chances.next() * SECONDS).sort((a, b) => a - b);
    for (const moment of moments) {
      await pause(started + moment * 1000 - Date.now());
      await stage.faults[fault](chances);
      say(`${((Date.now() - started) / 1000).toFixed(1)} s: ${fault}`);
    }
  };
  const injectAll = async (): Promise<void> => {
    await Promise.all((Object.keys(counts) as Fault[]).map(inject));
    isOver = true;
  };
  await Promise.all([injectAll(), ...load]).finally(() => ended.abort());
}

async function brokenPromises(actors: readonly FaultActor[]): Promise<string[]> {
  const all: string[] = [];
  for (const actor of actors) {
    let broken: string[] = [];
    // The files of a deleted persona or board are deleted a little later.
    for (let tries = 0; tries < 60 && (broken = await actor.brokenPromises()).length > 0; tries++) await sleep(1000);
    all.push(...broken);
    say(actor.summary());
  }
  return all;
}

export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
