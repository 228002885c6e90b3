import type { JobName, JobPayloads, JobRun } from '#kernel';

/** What does the jobs of one name. */
export interface JobHandler<Name extends JobName = JobName> {
  readonly name: Name;

  /** Does the job; may be called again for a job that was done already, or be running twice at once. */
  run(payload: JobPayloads[Name], run: JobRun): Promise<void>;

  /** Ends the subject of a job that will not be tried again. Called at least once. */
  giveUp(payload: JobPayloads[Name], error: unknown): Promise<void>;
}

/** Raised in a job's signal when the worker is being stopped: the job is handed back. */
export class WorkerStopping extends Error {
  override readonly name = 'WorkerStopping';
}
