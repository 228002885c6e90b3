import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import sharp from 'sharp';
import { startMediaServer, type MediaServer } from '../support/media-server.ts';
import type { FaultActor } from './rig/actor.ts';
import { aftermath } from './rig/aftermath.ts';
import { BoardKeeper } from './rig/board-keeper.ts';
import { Chance } from './rig/chance.ts';
import { Client } from './rig/client.ts';
import { Generator } from './rig/generator.ts';
import { Importer } from './rig/importer.ts';
import { PersonaOwner } from './rig/persona-owner.ts';
import { momentsOf, type Fault } from './rig/schedule.ts';
import { Stage } from './rig/stage.ts';
import { Uploader } from './rig/uploader.ts';

const number = (name: string, usual: number): number => Number(process.env[name] ?? usual);

/** `SEED=… DURATION=… GENERATIONS=… WORKER_KILLS=… npm run test:faults` replays a run, or makes a longer one. */
const SEED = number('SEED', Date.now() % 1_000_000);
const DURATION = number('DURATION', 30);
const GENERATIONS = number('GENERATIONS', 40);
const FAULTS = {
  'kill worker': number('WORKER_KILLS', 5),
  'kill API': number('API_KILLS', 1),
  'kill database': number('DATABASE_KILLS', 1),
  'restart database': number('DATABASE_RESTARTS', 1),
  'freeze worker': number('FREEZES', 1),
  'kill renderer': number('RENDERER_KILLS', 2),
  'freeze renderer': number('RENDERER_FREEZES', 1),
  'redeliver jobs': number('REDELIVERIES', 3),
  'take storage away': number('STORAGE_OUTAGES', 1),
  'fill disk': number('FULL_DISKS', 1),
  'hang disk': number('HANGING_DISKS', 1),
  'jump clock': number('CLOCK_JUMPS', 3),
} as const;

jest.setTimeout((DURATION * 3 + 900) * 1000);

let server: MediaServer;
let stage: Stage;
beforeAll(async () => {
  server = await startMediaServer();
  stage = await Stage.open({
    ownDisk: true,
    falseClock: true,
    env: { FETCH_ALLOWED_HOSTS: server.host, FETCH_TIMEOUT_SECONDS: '1', MAX_MEDIA_BYTES: '2000000' },
  });
}, 180_000);
afterAll(async () => {
  await stage.close();
  await server.stop();
});

it('keeps every promise, whatever is killed, cut off, frozen or done twice', async () => {
  const say = (text: string): boolean => process.stderr.write(`${text}\n`);
  say(`SEED=${SEED} DURATION=${DURATION} GENERATIONS=${GENERATIONS} ${JSON.stringify(FAULTS)}`);
  const started = Date.now();
  const chance = new Chance(SEED);
  const client = new Client(stage.baseUrl, await stage.token('owner'));
  await client.call('POST', '/v2/personas', { form: { name: 'First' }, key: 'first' });
  const uploader = new Uploader(client, chance.fork('uploads'));
  const generator = new Generator(client, chance.fork('generations'), (DURATION * 1000) / GENERATIONS);
  const pictures = (): string[] => uploader.files.map((file) => file.url);
  const actors: FaultActor[] = [
    uploader,
    generator,
    new BoardKeeper(client, chance.fork('boards'), pictures),
    new PersonaOwner(client, chance.fork('personas')),
    new Importer(client, chance.fork('imports'), server, await aPicture()),
  ];

  let isOver = false;
  const ended = new AbortController();
  const pause = (milliseconds: number): Promise<void> =>
    sleep(Math.max(0, milliseconds), undefined, { signal: ended.signal });
  const load = actors.map(async (actor) => {
    const pauses = chance.fork(`pauses of ${actor.name}`);
    const isDone = (): boolean => (actor === generator ? generator.accepted.size >= GENERATIONS : isOver);
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
    for (const moment of momentsOf(FAULTS[fault], DURATION, chances)) {
      await pause(started + moment * 1000 - Date.now());
      await stage.inflict(fault, chances);
      say(`${((Date.now() - started) / 1000).toFixed(1)} s: ${fault}`);
    }
  };
  const inflictAll = async (): Promise<void> => {
    await Promise.all((Object.keys(FAULTS) as Fault[]).map(inflict));
    isOver = true;
  };
  await Promise.all([inflictAll(), ...load]).finally(() => ended.abort());
  await stage.recovered();
  await until(async () => (await generator.openCount()) === 0);

  const broken: string[] = [];
  for (const actor of actors) {
    // What a deleted persona or board leaves behind goes a little later.
    await until(async () => (await actor.brokenPromises()).length === 0, 60).catch(() => undefined);
    broken.push(...(await actor.brokenPromises()));
    say(actor.summary());
  }
  const after = await aftermath(stage);
  say(
    `${client.repeated} calls repeated; ${JSON.stringify(after)}; ${(Date.now() - started) / 1000} s in all`,
  );
  expect(broken).toEqual([]);
  expect(client.internalErrors).toEqual([]);
  expect(after.findings).toEqual([]);
  expect(after.storage).toMatchObject({ strayObjects: 0, lostFiles: 0 });
  expect(after.temporary).toBe(0);
});

async function until(isTrue: () => Promise<boolean>, seconds = 600): Promise<void> {
  for (const deadline = Date.now() + seconds * 1000; Date.now() < deadline;) {
    if (await isTrue()) return;
    await sleep(1000);
  }
  throw new Error('it did not come to that');
}

function aPicture(): Promise<Buffer> {
  const create = { width: 64, height: 48, channels: 3 as const, background: '#c53' };
  return sharp({ create }).png().toBuffer();
}
