import { Histogram, type Registry } from 'prom-client';
import type { JobReport } from '#adapters/queue';

/** Measures jobs by name and outcome. */
export function measureJobRuns(registry: Registry): (report: JobReport) => void {
  const durations = new Histogram({
    name: 'x12_job_duration_seconds',
    help: 'Time from the start of a job to its outcome: done, retry, given_up or handed_back.',
    labelNames: ['job', 'outcome'],
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900],
    registers: [registry],
  });
  return ({ name, outcome, seconds }) => durations.observe({ job: name, outcome }, seconds);
}
