import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createDatabase, type TestDatabase } from '../../../../../test/support/database.ts';
import { PostgresPausedProviders } from './paused-providers.ts';

let db: TestDatabase;
let paused: PostgresPausedProviders;
beforeAll(async () => {
  db = await createDatabase();
  paused = new PostgresPausedProviders(db.database);
});
afterAll(() => db.drop());

const FIRST = new Date('2026-03-01T10:00:00Z');

it('lists a provider from its first pause until it is called again', async () => {
  await paused.pause('fal', FIRST);
  await paused.pause('fal', new Date('2026-03-01T10:00:10Z'));
  await paused.pause('replicate', FIRST);
  expect([...(await paused.list())].sort()).toEqual([
    ['fal', FIRST],
    ['replicate', FIRST],
  ]);
  await paused.resume('fal');
  await paused.resume('comfyui');
  expect([...(await paused.list()).keys()]).toEqual(['replicate']);
});
