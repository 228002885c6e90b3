/** @tier deep, 120 s, about libs/process apps/service */
import { afterAll, beforeAll, it, jest } from '@jest/globals';
import sharp from 'sharp';
import { startMediaServer, type MediaServer } from '../support/media-server.ts';
import { Importer } from './rig/importer.ts';
import { expectPromisesKept, numberOf, RIG_TIMEOUT_MS } from './rig/run-rig.ts';
import { Stage } from './rig/stage.ts';

jest.setTimeout(RIG_TIMEOUT_MS);

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
  const create = { width: 64, height: 48, channels: 3 as const, background: '#c53' };
  const picture = await sharp({ create }).png().toBuffer();
  await expectPromisesKept(
    stage,
    {
      'kill worker': numberOf('WORKER_KILLS', 3),
      'kill API': numberOf('API_KILLS', 1),
      'kill database': numberOf('DATABASE_KILLS', 1),
      'restart database': numberOf('DATABASE_RESTARTS', 1),
      'freeze worker': numberOf('FREEZES', 1),
      'hang worker': numberOf('WORKER_HANGS', 1),
      'hang API': numberOf('API_HANGS', 1),
      'kill renderer': numberOf('RENDERER_KILLS', 1),
      'freeze renderer': numberOf('RENDERER_FREEZES', 1),
      'redeliver jobs': numberOf('REDELIVERIES', 2),
      'take storage away': numberOf('STORAGE_OUTAGES', 1),
      'fill disk': numberOf('FULL_DISKS', 1),
      'hang disk': numberOf('HANGING_DISKS', 1),
      'jump clock': numberOf('CLOCK_JUMPS', 2),
    },
    (client, chance) => [new Importer(client, chance.fork('imports'), server, picture)],
  );
});
