import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { SweepReport } from '#files';
import type { Sweep, SweepObserver } from './sweeps.ts';

/** Measures the passes of every sweep: how long they take, what they find, and when one last went well. */
export function measureSweeps(registry: Registry): SweepObserver {
  const registers = [registry];
  const durations = new Histogram({
    name: 'x12_sweep_duration_seconds',
    help: 'Time that a pass of a sweep took.',
    labelNames: ['sweep'],
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 5, 30, 120, 600],
    registers,
  });
  const items = new Counter({
    name: 'x12_sweep_items_total',
    help: 'What sweeps found to do.',
    labelNames: ['sweep'],
    registers,
  });
  const failures = new Counter({
    name: 'x12_sweep_failures_total',
    help: 'Passes that failed.',
    labelNames: ['sweep'],
    registers,
  });
  const lastSuccess = new Gauge({
    name: 'x12_sweep_last_success_timestamp_seconds',
    help: 'When a pass last went well, as seconds since 1970.',
    labelNames: ['sweep'],
    registers,
  });
  return ({ id: sweep }: Sweep, { seconds, found }) => {
    durations.observe({ sweep }, seconds);
    items.inc({ sweep }, found ?? 0);
    failures.inc({ sweep }, found === null ? 1 : 0);
    if (found !== null) lastSuccess.set({ sweep }, Date.now() / 1000);
  };
}

/** Counts what the sweep of files did. */
export function measureSweptFiles(registry: Registry): (report: SweepReport) => void {
  const swept = new Counter({
    name: 'x12_files_swept_total',
    help: 'Files expired, objects deleted of files that are gone, uploads cleaned up after, objects of broken finalizing deleted.',
    labelNames: ['kind'],
    registers: [registry],
  });
  const kinds = {
    expired: 'expired',
    deleted: 'reclaimed',
    uploads: 'uploads',
    abandoned: 'abandoned',
  } as const;
  for (const kind of Object.values(kinds)) swept.inc({ kind }, 0);
  return (report) => {
    for (const [name, kind] of Object.entries(kinds)) swept.inc({ kind }, report[name as keyof SweepReport]);
  };
}
