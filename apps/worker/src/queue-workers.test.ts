import { describe, expect, it } from '@jest/globals';
import { QUEUES } from '#adapters/queue';
import { readSettings } from '#config';
import { workerPlaces, workspaceLimits } from './queue-workers.ts';

const read = (env: Record<string, string>) => readSettings({ DATA_DIR: '/data', ...env });

describe('the jobs of one workspace that run at a time', () => {
  it.each(['2', '4', '64'])('leave a place of each queue free, where a worker runs %s', (concurrency) => {
    const settings = read({ WORKER_CONCURRENCY: concurrency });
    const [places, limits] = [workerPlaces(settings), workspaceLimits(settings)];
    const taken = QUEUES.filter((queue) => limits[queue] >= places[queue]);
    expect(taken).toEqual([]);
  });

  it('are one where a worker runs one', () => {
    const { generations, outputs } = workspaceLimits(read({ WORKER_CONCURRENCY: '1' }));
    expect([generations, outputs]).toEqual([1, 2]);
  });

  it('are as many as are set, in each queue', () => {
    const limits = workspaceLimits(read({ WORKSPACE_CONCURRENCY: '5' }));
    expect(limits).toEqual(Object.fromEntries(QUEUES.map((queue) => [queue, 5])));
  });
});
