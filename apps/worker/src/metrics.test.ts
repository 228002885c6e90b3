import { expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { measureJobRuns } from './metrics.ts';

it('counts jobs that failed for the input of a user apart from other failed jobs', async () => {
  const registry = new Registry();
  const report = measureJobRuns(registry);
  const run = { jobId: 1, name: 'generation.run', attempt: 1, seconds: 1 } as const;
  for (const cause of ['user', 'user', 'service'] as const) report({ ...run, outcome: 'failed', cause });
  report({ ...run, outcome: 'done' });
  const counts = (await registry.metrics()).split('\n').filter((line) => line.includes('_count'));
  expect(counts).toEqual([
    'x12_job_duration_seconds_count{job="generation.run",outcome="given_up",cause="user"} 2',
    'x12_job_duration_seconds_count{job="generation.run",outcome="given_up",cause="service"} 1',
    'x12_job_duration_seconds_count{job="generation.run",outcome="done"} 1',
  ]);
});
