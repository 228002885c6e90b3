import { maskFormsOf, type Model } from '#catalogue';
import { JobPostponed, type Clock } from '#kernel';
import type { TemporaryFolders } from '#sources';
import { inputSetOf, placesOf, type InputSet } from './domain/input-set.ts';
import {
  after,
  afterSearch,
  backoffSeconds,
  intend,
  intendResend,
  intendRetry,
  isSearchOver,
  maySend,
  nextCheckAt,
  nextCheckSeconds,
  nextStep,
  retrySubmitSeconds,
  searchDelaySeconds,
  searchStart,
  type EndedSubmission,
  type IntendedSubmission,
  type SentPicture,
  type UnknownSubmission,
  type VendorHandle,
} from './domain/submission.ts';
import { maySubmit, type DownloadLimiter } from './download-limits.ts';
import { RunNotCurrent } from './failures.ts';
import type { InputFiles } from './inputs.ts';
import type { OutputFiles } from './output-files.ts';
import {
  NotAccepted,
  ProviderFailure,
  type CheckedOutput,
  type FailureCode,
  type Found,
  type RemoteInput,
  type RemoteInputs,
  type RemoteProvider,
  type RemoteProviders,
  type RemoteTask,
  type SubmissionStore,
  type SubmitResult,
} from './ports.ts';
import { RemoteOutputs, type RemoteRun } from './remote-outputs.ts';
import {
  delayed,
  isTransient,
  submittedTask,
  withResponseLimit,
  type SubmissionReporter,
  type VendorWebhooks,
} from './remote.ts';
import type { RunWatches } from './run-watch.ts';

interface Collaborators {
  readonly submissions: SubmissionStore;
  readonly remotes: RemoteProviders;
  readonly inputs: Pick<InputFiles, 'open' | 'styleFor'>;
  readonly outputs: Pick<OutputFiles, 'check'>;
  readonly watches: RunWatches;
  readonly downloads: DownloadLimiter;
  readonly folders: Pick<TemporaryFolders, 'sha256'>;
  readonly webhooks: VendorWebhooks;
  readonly newKey: () => string;
  readonly report: SubmissionReporter;
  readonly clock: Clock;
}

/** How long a POST may continue after its run has to stop: the response contains the handle. */
const STOP_GRACE_MS = 2000;

/**
 * Runs of generations on remote providers. The state of the submission decides what a run does, so that no submission
 * is sent twice. While the job at the provider is pending, the generation has no run.
 */
export class RemoteRuns {
  readonly #outputs: RemoteOutputs;

  constructor(private readonly deps: Collaborators) {
    this.#outputs = new RemoteOutputs(deps);
  }

  isRemote({ provider }: Model): boolean {
    return this.deps.remotes.has(provider);
  }

  /**
   * Reports whether a generation is not submitted now, as too many outputs of its workspace wait to be fetched. While
   * it waits, its time has not begun.
   */
  async isHeldBack(generationId: number, workspaceId: number): Promise<boolean> {
    const { submissions, downloads, clock } = this.deps;
    if (maySubmit(await submissions.unfetched(workspaceId, clock.now()), downloads.limits)) return false;
    return (await submissions.get(generationId)) === null;
  }

  /**
   * @returns the outputs, once the job has ended with some; `null` when the generation continues without this run
   * @throws JobPostponed, RunNotCurrent, ProviderFailure, InputFailure
   */
  async run(run: RemoteRun): Promise<readonly CheckedOutput[] | null> {
    const step = nextStep(run.running.submission);
    switch (step.do) {
      case 'nothing':
        return null;
      case 'submit':
        return this.#submitNew(run, step.after);
      case 'mark_unknown':
        return this.#markUnknown(run, step.submission);
      case 'find':
        return this.#find(run, step.submission);
      case 'fetch':
        return this.#outputs.fetch(run, this.#providerOf(step.submission), step.submission, step.outputs);
      case 'fail': {
        const { code, message } = step.failure;
        throw new ProviderFailure(code as FailureCode, message);
      }
    }
  }

  #submitNew(run: RemoteRun, failed: EndedSubmission | null): Promise<readonly CheckedOutput[] | null> {
    const { running, model } = run;
    const requestKey = this.deps.newKey();
    const request = { generationId: running.id, provider: model.provider, requestKey };
    return this.#submit(run, failed, (pictures, at) =>
      failed ? intendRetry(failed, requestKey, at) : intend({ ...request, pictures }, model.timeLimitSeconds, at),
    );
  }

  async #submit(
    run: RemoteRun,
    replaced: EndedSubmission | UnknownSubmission | null,
    intendWith: (pictures: InputSet<SentPicture>, at: Date) => IntendedSubmission,
  ) {
    const { submissions, clock } = this.deps;
    const { running, model, folder, job } = run;
    const inputs = await this.deps.inputs.open(running.request, folder, job.signal, maskFormsOf(model.mapping)[0]);
    const trainedStyle = await this.deps.inputs.styleFor(running.request, folder, job.signal);
    const pictures = await this.#sentPictures(inputs);
    job.signal.throwIfAborted();
    const intended = intendWith(pictures, clock.now());
    if (!(await submissions.intend(running, intended, replaced))) throw new RunNotCurrent();
    if (!maySend(intended, clock.now())) return this.#markUnknown(run, intended);
    const result = await this.#send(run, intended, {
      ...submittedTask(intended, running.request, model),
      inputs,
      trainedStyle,
      folder,
    });
    if ('outputs' in result) return this.#outputs.check(run, result.outputs);
    await this.#recordHandle(intended, result.handle);
    return null;
  }

  async #sentPictures(inputs: RemoteInputs): Promise<InputSet<SentPicture>> {
    const sent = async ({ url, file }: RemoteInput): Promise<SentPicture> =>
      url === null ? { sha256: await this.deps.folders.sha256(file) } : { url };
    const placed = placesOf(inputs).map(async (place) => ({ ...place, picture: await sent(place.picture) }));
    return inputSetOf(await Promise.all(placed));
  }

  /** Sends the POST. */
  async #send(run: RemoteRun, intended: IntendedSubmission, task: RemoteTask): Promise<SubmitResult> {
    const { running, job, model } = run;
    const provider = this.#providerOf(intended);
    const webhookUrl = provider.hasWebhooks ? this.deps.webhooks.urlFor(provider.id, intended.requestKey) : null;
    const limit = AbortSignal.timeout(model.timeLimitSeconds * 1000);
    const { workspaceId } = running.request;
    try {
      return await this.deps.watches.during(running, job.signal, ({ signal }) => {
        const ending = AbortSignal.any([delayed(signal, STOP_GRACE_MS), limit]);
        return provider.submit(task, { webhookUrl, workspaceId, signal: ending });
      });
    } catch (error) {
      if (error instanceof NotAccepted) return this.#tryLater(run, intended, error);
      if (limit.aborted) throw timedOut(error);
      if (!(error instanceof ProviderFailure)) return this.#markUnknown(run, intended, error);
      if (error.retryable)
        return this.#tryLater(run, intended, new NotAccepted('provider_unavailable', null, { cause: error }));
      await this.deps.submissions.remove(running, intended);
      this.deps.report({ submission: intended, outcome: 'refused', error });
      throw error;
    }
  }

  /** A submission that the vendor may have started in spite of its refusal is kept and searched for first. */
  async #tryLater(
    { running, model, job }: RemoteRun,
    intended: IntendedSubmission,
    refusal: NotAccepted,
  ): Promise<never> {
    if (refusal.wasSent) await this.deps.submissions.markUnknown(running, intended, refusal.code);
    else await this.deps.submissions.remove(running, intended);
    this.deps.report({ submission: intended, outcome: 'not_accepted', error: refusal });
    const deadline = after(running.startedAt, model.timeLimitSeconds);
    const seconds = retrySubmitSeconds(job.attempt, refusal.retryAfterSeconds, deadline, this.deps.clock.now());
    if (seconds !== null) throw new JobPostponed('the provider accepts no work now', seconds, { cause: refusal });
    throw new ProviderFailure(refusal.code, REFUSED[refusal.code], { cause: refusal });
  }

  /** Postpones the job until the provider may be searched. */
  async #markUnknown({ running }: RemoteRun, intended: IntendedSubmission, cause?: unknown): Promise<never> {
    await this.deps.submissions.markUnknown(running, intended, null);
    this.deps.report({ submission: intended, outcome: 'lost', error: cause });
    const now = this.deps.clock.now();
    const delay = searchDelaySeconds({ intendedAt: now }, this.#hasWebhooks(intended), now);
    throw new JobPostponed('the provider may have started the job', delay, { cause });
  }

  async #find(run: RemoteRun, unknown: UnknownSubmission): Promise<readonly CheckedOutput[] | null> {
    const { report, clock } = this.deps;
    // After an explicit refusal no webhook is expected.
    const hasWebhooks = unknown.refusal === null && this.#hasWebhooks(unknown);
    const delay = searchDelaySeconds(unknown, hasWebhooks, clock.now());
    if (delay > 0) throw new JobPostponed('the provider may have started the job', delay);
    const found = await this.#search(run, unknown);
    const outcome = typeof found === 'string' ? found : 'found';
    switch (afterSearch(unknown, outcome, clock.now())) {
      case 'record':
        report({ submission: unknown, outcome: 'found' });
        await this.#recordHandle(unknown, (found as { readonly handle: VendorHandle }).handle);
        return null;
      case 'submit':
        if (found === 'absent') report({ submission: unknown, outcome: 'absent' });
        return this.#submit(run, unknown, (_, at) => intendResend(unknown, at));
      case 'time_out':
        if (unknown.refusal) throw new ProviderFailure(unknown.refusal, REFUSED[unknown.refusal]);
        report({ submission: unknown, outcome: 'timed_out' });
        throw timedOut();
      case 'fail':
        throw this.#outcomeUnknown(unknown);
    }
  }

  async #search({ running, model, job }: RemoteRun, unknown: UnknownSubmission): Promise<Found> {
    const provider = this.#providerOf(unknown);
    const task = submittedTask(unknown, running.request, model);
    try {
      return await provider.find(task, searchStart(unknown, this.deps.clock.now()), withResponseLimit(job.signal));
    } catch (error) {
      job.signal.throwIfAborted();
      if (!isTransient(error)) throw error;
      if (isSearchOver(unknown, this.deps.clock.now())) return 'unknown';
      throw new JobPostponed('the provider has not responded', backoffSeconds(job.attempt), { cause: error });
    }
  }

  async #recordHandle(submission: IntendedSubmission | UnknownSubmission, handle: VendorHandle): Promise<void> {
    const { submissions, report, clock } = this.deps;
    const now = clock.now();
    const seconds = nextCheckSeconds(0, this.#hasWebhooks(submission));
    const recorded = await submissions.submit(submission, handle, now, nextCheckAt(submission, seconds, now));
    if (recorded === 'taken') throw this.#outcomeUnknown(submission);
    if (recorded) return report({ submission, outcome: 'submitted' });
    // The generation no longer needs the job, unless another run has recorded the same handle.
    const current = await submissions.get(submission.generationId);
    if (current && 'handle' in current && current.handle?.id === handle.id) throw new RunNotCurrent();
    await this.#providerOf(submission)
      .cancel(handle, withResponseLimit())
      .catch(() => undefined);
    throw new RunNotCurrent();
  }

  #outcomeUnknown(submission: IntendedSubmission | UnknownSubmission): ProviderFailure {
    this.deps.report({ submission, outcome: 'outcome_unknown' });
    return new ProviderFailure('provider_outcome_unknown', 'it is unknown whether the provider has made the outputs');
  }

  #hasWebhooks(submission: { readonly provider: string }): boolean {
    return this.deps.webhooks.isPublic && this.#providerOf(submission).hasWebhooks;
  }

  /** @throws ProviderFailure when the provider was removed from the catalogue */
  #providerOf({ provider }: { readonly provider: string }): RemoteProvider {
    const found = this.deps.remotes.get(provider);
    if (found) return found;
    throw new ProviderFailure('provider_unavailable', 'the provider is no longer offered');
  }
}

const REFUSED = {
  provider_busy: 'the provider was busy until the time limit',
  provider_unavailable: 'the provider was unavailable until the time limit',
} as const;

function timedOut(cause?: unknown): ProviderFailure {
  return new ProviderFailure('timed_out', 'the provider took too long', { cause });
}
