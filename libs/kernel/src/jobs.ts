/** The work that is done later, by name, with what it is about. Each is processed by one use case of the worker. */
export interface JobPayloads {
  /** Fetch a training's picture into the object storage. The version tells it from pictures given later. */
  'training.process': { readonly trainingId: number; readonly pictureVersion: number };
  /** Run a generation on its provider. */
  'generation.run': { readonly generationId: number };
  /** Delete what a deleted persona leaves behind. */
  'persona.purge': { readonly personaId: number };
  /** Delete those of these files that nothing needs any more. */
  'files.reclaim': { readonly fileIds: readonly number[] };
  /** Fetch a media's sources, as of this revision, into the object storage, and make its small pictures. */
  'media.process': { readonly mediaId: number; readonly revision: number };
  /** Delete what a deleted board leaves behind. */
  'board.purge': { readonly boardId: number };
  /** Mail an invitation to whom it is for. */
  'invitation.send': { readonly invitationId: number };
}

export type JobName = keyof JobPayloads;

export type Job = {
  [Name in JobName]: { readonly name: Name; readonly payload: JobPayloads[Name] };
}[JobName];

/** A job as a worker gets it. */
export interface JobRun {
  /** 1 for the first start, counted in the database at each start: it also serves as fencing number. */
  readonly attempt: number;
  /** Aborted when the worker must stop or has lost the job: stop at the next chance and write nothing. */
  readonly signal: AbortSignal;
}

export interface Jobs {
  /**
   * Announces work. Within a unit of work the job is committed with it, and starts after the commit; a unit of
   * work that is rolled back announces nothing. A job runs at least once and possibly more often.
   *
   * @param job what is to be done
   * @param options.delaySeconds not to be started before so many seconds have passed (default 0)
   * @param options.bulk one of many that nobody waits for: other work of its kind goes first (default false)
   */
  announce(job: Job, options?: { readonly delaySeconds?: number; readonly bulk?: boolean }): Promise<void>;
}
