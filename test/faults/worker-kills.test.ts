import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { expectPromisesKept, numberOf, RIG_TIMEOUT_MS } from './rig/run-rig.ts';
import { Stage } from './rig/stage.ts';

jest.setTimeout(RIG_TIMEOUT_MS);

let stage: Stage;
beforeAll(async () => (stage = await Stage.open()), 180_000);
afterAll(() => stage.close());

/** `GENERATIONS=200 KILLS=10 npm run test:faults` is the long run. */
it('lets no generation fail, however often workers are killed', async () => {
  const { failed } = await expectPromisesKept(stage, { 'kill worker': numberOf('KILLS', 3) });
  expect(failed).toBe(0);
});
