import { JobPostponed, type Clock, type JobRun } from '#kernel';
import type { ModelCatalog } from './domain/model.ts';
import { backoffSeconds, isForgotten, outcomeWaitSeconds, searchedSince, type Canceling } from './domain/submission.ts';
import type { GenerationStore, RemoteProvider, SubmissionStore } from './ports.ts';
import { answerWithin, isForNow, submittedTask, type SubmissionReport, type SubmissionReporter } from './remote.ts';

interface Collaborators {
  readonly store: Pick<GenerationStore, 'requestOf'>;
  readonly submissions: Pick<SubmissionStore, 'of' | 'submit' | 'close'>;
  readonly models: Pick<ModelCatalog, 'entries'>;
  readonly remotes: readonly RemoteProvider[];
  readonly report: SubmissionReporter;
  readonly clock: Clock;
}

/** How long a run may take to notice that its generation has ended, and record the handle that it gets. */
const HANDLE_SECONDS = 5;
const ABSENT_PROVIDER_SECONDS = 600;

/** Tells providers to stop what they do for generations that have ended. What they still make is dropped. */
export class SubmissionCanceling {
  constructor(private readonly to: Collaborators) {}

  /** @throws JobPostponed until the provider has answered */
  async run(generationId: number, job: JobRun): Promise<void> {
    const canceling = await this.to.submissions.of(generationId);
    if (canceling?.state !== 'canceling') return;
    if (isForgotten(canceling, this.to.clock.now())) return this.#close(canceling, 'not_told');
    const provider = this.to.remotes.find(({ id }) => id === canceling.provider);
    if (!provider) throw new JobPostponed(`there is no provider ${canceling.provider} now`, ABSENT_PROVIDER_SECONDS);
    try {
      await this.#tell(provider, canceling, { ...job, signal: answerWithin(job.signal) });
    } catch (error) {
      job.signal.throwIfAborted();
      if (!isForNow(error)) throw error;
      throw new JobPostponed('the provider has not answered', backoffSeconds(job.attempt), { cause: error });
    }
  }

  async #tell(provider: RemoteProvider, canceling: Canceling, { attempt, signal }: JobRun): Promise<void> {
    const handle = canceling.handle ?? (await this.#find(provider, canceling, attempt, signal));
    const answer = handle ? await provider.cancel(handle, signal) : 'not_there';
    await this.#close(canceling, answer);
  }

  async #find(provider: RemoteProvider, canceling: Canceling, attempt: number, signal: AbortSignal) {
    const { store, models, submissions, clock } = this.to;
    const now = clock.now();
    const wait = Math.max(attempt === 1 ? HANDLE_SECONDS : 0, outcomeWaitSeconds(canceling, false, now));
    if (wait > 0) throw new JobPostponed('the provider may not have started it yet', wait);
    const request = await store.requestOf(canceling.generationId);
    const model = models.entries.find(({ id }) => id === request?.model);
    if (!request || !model) return null;
    const found = await provider.find(submittedTask(canceling, request, model), searchedSince(canceling, now), signal);
    if (typeof found === 'string') return null;
    const recorded = await submissions.submit(canceling, found.handle, now, now);
    return recorded === 'taken' ? null : found.handle;
  }

  async #close(canceling: Canceling, outcome: SubmissionReport['outcome']): Promise<void> {
    await this.to.submissions.close(canceling);
    this.to.report({ submission: canceling, outcome });
  }
}
