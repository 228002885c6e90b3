import type { Models } from '#catalogue';
import { JobPostponed, type Clock, type JobRun } from '#kernel';
import {
  backoffSeconds,
  isCancelExpired,
  searchDelaySeconds,
  searchStart,
  type CancelingSubmission,
} from './domain/submission.ts';
import type { GenerationStore, RemoteProvider, RemoteProviders, SubmissionStore } from './ports.ts';
import {
  isTransient,
  submittedTask,
  withResponseLimit,
  type SubmissionReport,
  type SubmissionReporter,
} from './remote.ts';

interface Collaborators {
  readonly store: Pick<GenerationStore, 'requestOf'>;
  readonly submissions: Pick<SubmissionStore, 'get' | 'submit' | 'close'>;
  readonly models: Pick<Models, 'acceptedAs'>;
  readonly remotes: RemoteProviders;
  readonly report: SubmissionReporter;
  readonly clock: Clock;
}

/** Time for a run to notice the end of its generation and to record a handle that it has just received. */
const HANDLE_SECONDS = 5;
const MISSING_PROVIDER_SECONDS = 600;

/** Cancels jobs at providers after their generations have ended. Outputs that they still produce are dropped. */
export class SubmissionCanceling {
  constructor(private readonly deps: Collaborators) {}

  /** @throws JobPostponed until the provider has responded */
  async run(generationId: number, job: JobRun): Promise<void> {
    const canceling = await this.deps.submissions.get(generationId);
    if (canceling?.state !== 'canceling') return;
    if (isCancelExpired(canceling, this.deps.clock.now())) return this.#close(canceling, 'not_told');
    const provider = this.deps.remotes.get(canceling.provider);
    if (!provider) {
      throw new JobPostponed(`the provider ${canceling.provider} is not configured`, MISSING_PROVIDER_SECONDS);
    }
    try {
      await this.#cancel(provider, canceling, { ...job, signal: withResponseLimit(job.signal) });
    } catch (error) {
      job.signal.throwIfAborted();
      if (!isTransient(error)) throw error;
      throw new JobPostponed('the provider has not responded', backoffSeconds(job.attempt), { cause: error });
    }
  }

  async #cancel(provider: RemoteProvider, canceling: CancelingSubmission, { attempt, signal }: JobRun): Promise<void> {
    const handle = canceling.handle ?? (await this.#find(provider, canceling, attempt, signal));
    await this.#close(canceling, handle ? await provider.cancel(handle, signal) : 'not_there');
  }

  async #find(provider: RemoteProvider, canceling: CancelingSubmission, attempt: number, signal: AbortSignal) {
    const { store, models, submissions, clock } = this.deps;
    const now = clock.now();
    const wait = Math.max(attempt === 1 ? HANDLE_SECONDS : 0, searchDelaySeconds(canceling, false, now));
    if (wait > 0) throw new JobPostponed('the provider may not have started the job yet', wait);
    const request = await store.requestOf(canceling.generationId);
    const model = request && (await models.acceptedAs(request));
    if (!model) return null;
    const found = await provider.find(submittedTask(canceling, request, model), searchStart(canceling, now), signal);
    if (typeof found === 'string') return null;
    const recorded = await submissions.submit(canceling, found.handle, now, now);
    return recorded === 'taken' ? null : found.handle;
  }

  async #close(canceling: CancelingSubmission, outcome: SubmissionReport['outcome']): Promise<void> {
    await this.deps.submissions.close(canceling);
    this.deps.report({ submission: canceling, outcome });
  }
}
