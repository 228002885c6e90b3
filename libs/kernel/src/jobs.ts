/** The payloads of jobs, by name. Each job is run by one use case in the worker. */
export interface JobPayloads {
  /** Copy the picture of a training, in this version, into the object storage. */
  'training.process': { readonly trainingId: number; readonly pictureVersion: number };
  /** Mark pictures of these items for the guests of a link. */
  'share.mark': { readonly shareId: number; readonly mediaIds: readonly number[] };
  /** Run a generation on its provider. */
  'generation.run': { readonly generationId: number };
  /** Cancel the open cells of a batch. */
  'batch.cancel': { readonly batchId: number };
  /** Continue a generation whose remote provider has ended. `after`: its latest run when this job was announced. */
  'generation.finish': { readonly generationId: number; readonly after: number };
  /** Run the trial of a model for an operator. */
  'trial.run': { readonly trialId: number };
  /** Cancel the submission of an ended generation at its provider. */
  'submission.cancel': { readonly generationId: number };
  /** Move the files of trash entries out of the public prefix; purge the entries that have expired. */
  'deletion.carry_out': { readonly entryIds: readonly number[] };
  /** Delete the unreferenced files among these. */
  'files.reclaim': { readonly fileIds: readonly number[] };
  /** Restore the bytes of restored files. */
  'files.restore': { readonly keys: readonly string[] };
  /** Move the objects of a workspace's files to where its members have chosen. */
  'files.move': { readonly workspaceId: number };
  /** Delete the unreferenced files among these without a grace period. */
  'files.erase': { readonly fileIds: readonly number[] };
  /** Copy the sources of a media item, in this revision, into the object storage, and look at them. */
  'media.process': { readonly mediaId: number; readonly revision: number };
  /** Call the webhook of an ended generation, in this revision of the delivery. */
  'webhook.deliver': { readonly deliveryId: number; readonly revision: number };
  /** Deliver events to an endpoint, in this run. */
  'webhook.endpoint': { readonly endpointId: number; readonly run: number };
  /** Mail an invitation. */
  'invitation.send': { readonly invitationId: number };
  /** Mail a person what is new in their inbox, in a series of mails. */
  'inbox.mail': { readonly workspaceId: number; readonly userId: number; readonly series: string };
  /** A mail of 0.2, without effect. Dropped with 0.4. */
  'review.mail': { readonly boardId: number; readonly userId: number };
  /** Mail the token of a confirmation. */
  'account.mail': { readonly confirmationId: number };
  /** Mail a notice of an account, to the address that it had when this was announced. */
  'account.notice': { readonly userId: number; readonly email: string; readonly notice: string };
  /** Erase what is left of a person. */
  'account.erase': { readonly userId: number };
  /** Make the zip of a person's data. */
  'export.run': { readonly exportId: number };
  /** Start a password reset, if an account has this e-mail. */
  'password_reset.request': { readonly email: string };
  /** Record a failed sign-in in the audit log, if an account has this e-mail. */
  'sign_in.record_failure': {
    readonly email: string;
    /** In ISO 8601. */
    readonly at: string;
    /** IP address. */
    readonly address: string | null;
    readonly requestId: string | null;
  };
}

export type JobName = keyof JobPayloads;

export type Job = {
  [Name in JobName]: {
    readonly name: Name;
    readonly payload: JobPayloads[Name];
    /** Workspaces take turns in a queue. `null` for work of the service itself. */
    readonly workspaceId: number | null;
  };
}[JobName];

/** One run of a job. */
export interface JobRun {
  /** 1 for the first start. The database counts starts, so the number also serves as a fencing token. */
  readonly attempt: number;
  readonly workspaceId: number | null;
  /** Aborted when the worker stops or has lost the job: the run must then end soon and write nothing. */
  readonly signal: AbortSignal;
}

/** Thrown by a run to continue later. Does not count as a failure. */
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
   * @param options.bulk runs after the other jobs of its queue (default false)
   * @param options.traceparent the trace to continue (default: the current one)
   * @param options.batchId the batch of the job: other jobs of its workspace start before it (default: none)
   */
  announce(
    job: Job,
    options?: {
      readonly delaySeconds?: number;
      readonly bulk?: boolean;
      readonly traceparent?: string;
      readonly batchId?: number | null;
    },
  ): Promise<void>;
}

/** The jobs of batches. */
export interface BatchJobs {
  /** Announces jobs of a batch, as `announce` does, by one statement. */
  announceAll<Name extends JobName>(
    name: Name,
    payloads: readonly JobPayloads[Name][],
    workspaceId: number,
    options: { readonly batchId: number },
  ): Promise<void>;

  /** Withdraws the jobs of a batch that have never started. */
  withdraw(batchId: number): Promise<void>;
}
