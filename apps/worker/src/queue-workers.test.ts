import { describe, expect, it } from '@jest/globals';
import { QUEUES } from '#adapters/queue';
import { readSettings } from '#config';
import { beyondLimits, workerConcurrency, workspaceLimits } from './queue-workers.ts';

const read = (env: Record<string, string>) => readSettings({ DATA_DIR: '/data', ...env });

describe('the concurrency of one workspace', () => {
  it.each(['2', '4', '64'])(
    'is less than the concurrency of a worker with WORKER_CONCURRENCY=%s in each queue',
    (concurrency) => {
      const settings = read({ WORKER_CONCURRENCY: concurrency });
      const [perWorker, limits] = [workerConcurrency(settings), workspaceLimits(settings)];
      const taken = QUEUES.filter((queue) => limits[queue] >= perWorker[queue]);
      expect(taken).toEqual([]);
    },
  );

  it('is at least one', () => {
    const { generations, outputs } = workspaceLimits(read({ WORKER_CONCURRENCY: '1' }));
    expect([generations, outputs]).toEqual([1, 2]);
  });

  it('is WORKSPACE_CONCURRENCY in each queue if that is set', () => {
    const limits = workspaceLimits(read({ WORKSPACE_CONCURRENCY: '5' }));
    expect(limits).toEqual(Object.fromEntries(QUEUES.map((queue) => [queue, 5])));
  });

  it('of downloads may be exceeded where a worker has places left, unless WORKSPACE_CONCURRENCY is set', () => {
    expect(beyondLimits(read({ WORKER_CONCURRENCY: '4' }))).toEqual({ outputs: 5 });
    expect(beyondLimits(read({ WORKER_CONCURRENCY: '4', WORKSPACE_CONCURRENCY: '5' }))).toEqual({});
  });
});
