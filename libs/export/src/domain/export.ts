/** How long a zip can be downloaded. */
const DOWNLOAD_HOURS = 24;

/** An export of a person's data: a zip that a job makes. */
export type Export = QueuedExport | RunningExport | ReadyExport | EndedExport;

interface ExportFacts {
  readonly id: number;
  readonly userId: number;
  readonly createdAt: Date;
}

export interface QueuedExport extends ExportFacts {
  readonly state: 'queued';
}

export interface RunningExport extends ExportFacts {
  readonly state: 'running';
  /** The number of the job's start: a later start takes the export over. */
  readonly attempt: number;
  /** Object key of the zip of this attempt. */
  readonly key: string;
}

export interface ReadyExport extends ExportFacts {
  readonly state: 'ready';
  readonly key: string;
  /** Bytes of the zip. */
  readonly size: number;
  readonly expiresAt: Date;
}

/** It has no zip, or none any more. */
export interface EndedExport extends ExportFacts {
  readonly state: 'expired' | 'failed';
  readonly endedAt: Date;
}

export const EXPORT_STATES = ['queued', 'running', 'ready', 'expired', 'failed'] as const satisfies Export['state'][];

/** An export that a job will end: a person has one at a time. */
export type ExportUnderWay = QueuedExport | RunningExport;

export function isUnderWay(of: Export): of is ExportUnderWay {
  return of.state === 'queued' || of.state === 'running';
}

/** A run begins a zip of its own. `null` when a later run has begun: this one must not go on. */
export function begin(of: ExportUnderWay, run: Pick<RunningExport, 'attempt' | 'key'>): RunningExport | null {
  if (of.state === 'running' && of.attempt >= run.attempt) return null;
  return { ...factsOf(of), state: 'running', ...run };
}

export function isSameRun(of: Export, run: RunningExport): of is RunningExport {
  return of.state === 'running' && of.id === run.id && of.attempt === run.attempt;
}

export function complete(running: RunningExport, size: number, now: Date): ReadyExport {
  const expiresAt = new Date(now.getTime() + DOWNLOAD_HOURS * 3_600_000);
  return { ...factsOf(running), state: 'ready', key: running.key, size, expiresAt };
}

export function fail(of: ExportUnderWay, now: Date): EndedExport {
  return { ...factsOf(of), state: 'failed', endedAt: now };
}

/** Ends a zip at the end of its time, or earlier, when a new export replaces it. */
export function expire(ready: ReadyExport, now: Date): EndedExport {
  return { ...factsOf(ready), state: 'expired', endedAt: now };
}

/** The export as its owner sees it: a zip whose time is over has expired, also before the sweep has deleted it. */
export function seenAt(now: Date, of: Export): Export {
  return of.state === 'ready' && of.expiresAt <= now ? expire(of, of.expiresAt) : of;
}

function factsOf({ id, userId, createdAt }: Export): ExportFacts {
  return { id, userId, createdAt };
}
