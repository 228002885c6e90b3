/** The payloads of jobs, by name. Each job is run by one use case in the worker. */
export interface JobPayloads {
  /** Fetch a training's picture into the object storage. The version tells it from pictures given later. */
  'training.process': { readonly trainingId: number; readonly pictureVersion: number };
  /** Run a generation on its provider. */
  'generation.run': { readonly generationId: number };
  /** Go on with a generation whose remote provider has ended. `after`: its latest run when this job was announced. */
  'generation.finish': { readonly generationId: number; readonly after: number };
  /** Tell the provider of a generation that has ended to stop. */
  'submission.cancel': { readonly generationId: number };
  /** Take the files of what was deleted out of the public prefix, or delete it for good once its time has ended. */
  'deletion.carry_out': { readonly entryIds: readonly number[] };
  /** `deletion.carry_out` of a persona, as 0.1 announces it. */
  'persona.purge': { readonly personaId: number };
  /** Delete those of these files that nothing refers to. */
  'files.reclaim': { readonly fileIds: readonly number[] };
  /** Bring back the bytes of restored files. */
  'files.restore': { readonly keys: readonly string[] };
  /** Delete those of these files that nothing refers to, without grace. */
  'files.erase': { readonly fileIds: readonly number[] };
  /** Fetch a media's sources, as of this revision, into the object storage, and make its small pictures. */
  'media.process': { readonly mediaId: number; readonly revision: number };
  /** `deletion.carry_out` of a board, as 0.1 announces it. */
  'board.purge': { readonly boardId: number };
  /** Call the webhook of a generation that has ended, in this revision of the delivery. */
  'webhook.deliver': { readonly deliveryId: number; readonly revision: number };
  /** Mail an invitation. */
  'invitation.send': { readonly invitationId: number };
}

export type JobName = keyof JobPayloads;

export type Job = {
  [Name in JobName]: {
    readonly name: Name;
    readonly payload: JobPayloads[Name];
    /** For whom: workspaces take turns in a queue. `null` for work of the service itself. */
    readonly workspaceId: number | null;
  };
}[JobName];

/** One run of a job. */
export interface JobRun {
  /** 1 for the first start. The database counts each start, so that it also serves as fencing number. */
  readonly attempt: number;
  readonly workspaceId: number | null;
  /** Aborted when the worker stops or has lost the job: the run must end soon and write nothing. */
  readonly signal: AbortSignal;
}

/** Thrown by a run that can't be done here now: the job is tried again later, and this does not count as a failure. */
export class JobPostponed extends Error {
  override readonly name = 'JobPostponed';

  constructor(
    message: string,
    readonly seconds: number,
    options: { readonly cause?: unknown } = {},
  ) {
    super(message, options);
  }
}

export interface Jobs {
  /**
   * Announces a job. Within a unit of work the job is committed with it and starts after the commit; a rollback
   * discards it. A job runs at least once, and possibly more often.
   *
   * @param options.delaySeconds minimum seconds before the start (default 0)
   * @param options.bulk one of many that nobody waits for: other jobs of its queue go first (default false)
   * @param options.traceparent the trace that it continues (default: the current one)
   */
  announce(
    job: Job,
    options?: { readonly delaySeconds?: number; readonly bulk?: boolean; readonly traceparent?: string },
  ): Promise<void>;
}
