import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import sharp from 'sharp';
import { startMediaServer, type MediaServer } from '../support/media-server.ts';
import { aftermath } from './rig/aftermath.ts';
import { BoardKeeper } from './rig/board-keeper.ts';
import { Chance } from './rig/chance.ts';
import { Client } from './rig/client.ts';
import { Generator } from './rig/generator.ts';
import { Importer } from './rig/importer.ts';
import { PersonaOwner } from './rig/persona-owner.ts';
import { runRig, say } from './rig/run-rig.ts';
import { Stage } from './rig/stage.ts';
import { Uploader } from './rig/uploader.ts';

const number = (name: string, usual: number): number => Number(process.env[name] ?? usual);

/** `SEED=… npm run test:faults` repeats a run, `DURATION=60 GENERATIONS=80 WORKER_KILLS=8 …` makes a longer one. */
const SEED = number('SEED', Date.now() % 1_000_000);
const DURATION = number('DURATION', 15);
const GENERATIONS = number('GENERATIONS', 20);
const FAULTS = {
  'kill worker': number('WORKER_KILLS', 3),
  'kill API': number('API_KILLS', 1),
  'kill database': number('DATABASE_KILLS', 1),
  'restart database': number('DATABASE_RESTARTS', 1),
  'freeze worker': number('FREEZES', 1),
  'kill renderer': number('RENDERER_KILLS', 1),
  'freeze renderer': number('RENDERER_FREEZES', 1),
  'redeliver jobs': number('REDELIVERIES', 2),
  'take storage away': number('STORAGE_OUTAGES', 1),
  'fill disk': number('FULL_DISKS', 1),
  'hang disk': number('HANGING_DISKS', 1),
  'jump clock': number('CLOCK_JUMPS', 2),
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

it('keeps every promise, whatever is killed, cut off, frozen, full, away or done twice', async () => {
  say(`SEED=${SEED} DURATION=${DURATION} GENERATIONS=${GENERATIONS} ${JSON.stringify(FAULTS)}`);
  const started = Date.now();
  const chance = new Chance(SEED);
  const client = new Client([stage.baseUrl], await stage.token('owner'));
  await client.call('POST', '/v2/personas', { form: { name: 'First' }, key: 'first' });
  const uploader = new Uploader(client, chance.fork('uploads'));
  const pictures = (): string[] => uploader.files.map((file) => file.url);
  const broken = await runRig(stage, {
    chance,
    seconds: DURATION,
    faults: FAULTS,
    generator: new Generator(client, chance.fork('generations'), (DURATION * 1000) / GENERATIONS),
    generations: GENERATIONS,
    others: [
      uploader,
      new BoardKeeper(client, chance.fork('boards'), pictures),
      new PersonaOwner(client, chance.fork('personas')),
      new Importer(client, chance.fork('imports'), server, await aPicture()),
    ],
  });
  const after = await aftermath(stage);
  say(`${client.repeated} calls repeated; ${JSON.stringify(after)}; ${(Date.now() - started) / 1000} s in all`);
  expect(broken).toEqual([]);
  expect(client.internalErrors).toEqual([]);
  expect(after.findings).toEqual([]);
  expect(after.storage).toMatchObject({ strayObjects: 0, lostFiles: 0 });
  expect(after.temporary).toBe(0);
});

function aPicture(): Promise<Buffer> {
  const create = { width: 64, height: 48, channels: 3 as const, background: '#c53' };
  return sharp({ create }).png().toBuffer();
}
