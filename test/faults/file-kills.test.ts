/** @tier deep, 60 s, about libs/files libs/adapters/c2pa libs/transformation */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { makeSigner } from '#adapters/c2pa';
import { auditFindings } from '../support/audit.ts';
import { eventually } from '../support/eventually.ts';
import { Chance } from './rig/chance.ts';
import { Client } from './rig/client.ts';
import { Stage } from './rig/stage.ts';

const CELLS = 40;
const KILLS = 8;
const COST = 4;

jest.setTimeout(900_000);

interface Item {
  readonly file_id: number;
  readonly url: string;
}

let stage: Stage;
let client: Client;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'x12-signer-'));
  const { key, certificates } = await makeSigner('Studio', new Date(), 30);
  const [keyFile, certificateFile] = [join(folder, 'key.pem'), join(folder, 'certificates.pem')];
  await Promise.all([writeFile(keyFile, key), writeFile(certificateFile, certificates)]);
  const files = { PROVENANCE_KEY_FILE: keyFile, PROVENANCE_CERTIFICATE_FILE: certificateFile };
  stage = await Stage.open({ env: { PROVENANCE: 'sign', ...files } });
  client = new Client(stage.baseUrls, await stage.token());
}, 180_000);
afterAll(async () => {
  await stage.close();
  await rm(folder, { recursive: true });
});

const library = async (): Promise<readonly Item[]> => (await client.body('GET', '/v2/library?limit=100')).items;
const switchTo = (files: 'private' | 'public') => client.body('PUT', '/v2/workspace', { files });
const thumbnailOf = (url: string) => `${url}${url.includes('?') ? '&' : '?'}w=64&fm=webp`;

it('signs, moves and transforms files, and loses none, however often worker and API are killed', async () => {
  const before = (await client.body('GET', '/v2/credits')).credits.used as number;
  const matrix = { models: ['local-image'], parameters: { width: 320, height: 320 }, seeds_count: CELLS };
  const { batch } = await client.body('POST', '/v2/batches', { name: 'Kills', matrix });
  const read = async () => (await client.body('GET', `/v2/batches/${batch.id}?limit=1`)).batch;
  const visiting = new AbortController();
  const visitor = (async () => {
    while (!visiting.signal.aborted) {
      for (const { url } of await library()) await fetch(thumbnailOf(url)).catch(() => null);
    }
  })();
  const chance = new Chance(1);
  for (let kills = 1; kills <= KILLS; kills++) {
    await sleep(500 + ((kills * 377) % 900));
    await switchTo(kills % 2 === 0 ? 'public' : 'private');
    await sleep(kills * 60);
    await stage.faults[kills % 4 === 0 ? 'kill API' : 'kill worker'](chance);
  }
  await switchTo('private');
  const ended = await eventually(async () => ((await read()).state === 'ended' ? read() : null), { everyMs: 500 });
  expect(ended.cells).toMatchObject({ total: CELLS, succeeded: CELLS });
  expect((await client.body('GET', '/v2/credits')).credits.used - before).toBe(CELLS * COST);
  await eventually(async () => (await client.body('GET', '/v2/workspace')).moving === null, { everyMs: 500 });
  visiting.abort();
  await visitor;

  const items = (await library()).slice(0, CELLS);
  for (const { file_id: id, url } of items) {
    const { marks } = await client.body('GET', `/v2/library/${id}/provenance`);
    expect(marks).toContainEqual(expect.objectContaining({ kind: 'c2pa', intact: true, signer: 'Studio' }));
    const { origin, pathname } = new URL(url);
    const statuses = [url, thumbnailOf(url), origin + pathname].map(async (each) => (await fetch(each)).status);
    expect(await Promise.all(statuses)).toEqual([200, 200, 404]);
  }
  expect(await auditFindings(stage.databaseUrl)).toEqual([]);
});
