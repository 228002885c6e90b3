import { Counter, Gauge, Histogram, type Registry, type RegistryContentType } from 'prom-client';
import type { JobReport } from '#adapters/queue';
import type { SweepReport } from '#files';
import type { Sweep, SweepObserver } from './sweeps.ts';

/** Measures job runs by name and outcome. */
export function measureJobRuns(registry: Registry<RegistryContentType>): (report: JobReport) => void {
  const durations = new Histogram({
    name: 'x12_job_duration_seconds',
    help:
      'Time from the start of a job to its outcome: done, retry, postponed, given_up or handed_back. ' +
      'For given_up, whether the input of a user is the cause (user) or not (service).',
    labelNames: ['job', 'outcome', 'cause'],
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900],
    registers: [registry],
  });
  // Alerts and dashboards of operators know a failed job by this label.
  const labelOf = (outcome: JobReport['outcome']) => (outcome === 'failed' ? 'given_up' : outcome);
  return ({ name, outcome, cause, seconds }) =>
    durations.observe({ job: name, outcome: labelOf(outcome), ...(cause && { cause }) }, seconds);
}

/** Measures the passes of each sweep: their duration, the items they find, and the time of the last success. */
export function measureSweeps(registry: Registry<RegistryContentType>): SweepObserver {
  const bySweep = { labelNames: ['sweep' as const], registers: [registry] };
  const durations = new Histogram({
    name: 'x12_sweep_duration_seconds',
    help: 'Duration of a pass of a sweep.',
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 5, 30, 120, 600],
    ...bySweep,
  });
  const items = new Counter({ name: 'x12_sweep_items_total', help: 'Items that sweeps processed.', ...bySweep });
  const failures = new Counter({ name: 'x12_sweep_failures_total', help: 'Passes that failed.', ...bySweep });
  const lastSuccess = new Gauge({
    name: 'x12_sweep_last_success_timestamp_seconds',
    help: 'Time of the last successful pass, in seconds since 1970.',
    ...bySweep,
  });
  return ({ id: sweep }: Sweep, { seconds, found }) => {
    durations.observe({ sweep }, seconds);
    items.inc({ sweep }, found ?? 0);
    failures.inc({ sweep }, found === null ? 1 : 0);
    if (found !== null) lastSuccess.set({ sweep }, Date.now() / 1000);
  };
}

/** Counts what the sweep of files processed. */
export function measureSweptFiles(registry: Registry<RegistryContentType>): (report: SweepReport) => void {
  const swept = new Counter({
    name: 'x12_files_swept_total',
    help: 'Files expired, objects of deleted files deleted, uploads and unfinished finalize calls cleaned up.',
    labelNames: ['kind'],
    registers: [registry],
  });
  const kinds = { expired: 'expired', deleted: 'reclaimed', uploads: 'uploads', abandoned: 'abandoned' } as const;
  for (const kind of Object.values(kinds)) swept.inc({ kind }, 0);
  return (report) => {
    for (const [name, kind] of Object.entries(kinds)) swept.inc({ kind }, report[name as keyof SweepReport]);
  };
}
