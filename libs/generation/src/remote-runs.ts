import { JobPostponed, type Clock } from '#kernel';
import type { TemporaryFolders } from '#sources';
import { inputSetOf, placesOf, type InputSet } from './domain/input-set.ts';
import type { Model } from './domain/model.ts';
import {
  after,
  afterUnknown,
  backoffSeconds,
  intend,
  intendAgain,
  intendAnother,
  isTimedOut,
  maySend,
  nextCheckAt,
  nextCheckSeconds,
  nextStep,
  outcomeWaitSeconds,
  retrySubmitSeconds,
  searchedSince,
  type Intended,
  type Over,
  type SentPicture,
  type UnknownOutcome,
  type VendorHandle,
} from './domain/submission.ts';
import { RunLost } from './failures.ts';
import type { InputFiles } from './inputs.ts';
import type { OutputFiles } from './output-files.ts';
import {
  NotAccepted,
  ProviderFailure,
  type FailureCode,
  type CheckedOutput,
  type RemoteInput,
  type RemoteInputs,
  type RemoteProvider,
  type RemoteTask,
  type Submitted,
  type SubmissionStore,
} from './ports.ts';
import { RemoteOutputs, type RemoteRun } from './remote-outputs.ts';
import {
  answerWithin,
  delayed,
  isForNow,
  submittedTask,
  type SubmissionReporter,
  type VendorWebhooks,
} from './remote.ts';
import type { RunWatches } from './run-watch.ts';
import type { VendorPlaces } from './vendor-places.ts';

interface Collaborators {
  readonly submissions: SubmissionStore;
  readonly remotes: readonly RemoteProvider[];
  readonly inputs: Pick<InputFiles, 'open'>;
  readonly outputs: Pick<OutputFiles, 'check'>;
  readonly watches: RunWatches;
  /** For fetching outputs. */
  readonly places: VendorPlaces;
  readonly folders: Pick<TemporaryFolders, 'sha256'>;
  readonly webhooks: VendorWebhooks;
  readonly newKey: () => string;
  readonly report: SubmissionReporter;
  readonly clock: Clock;
}

/** How long a POST may still take when its run has to stop: its answer has the handle. */
const LAST_WORDS_MS = 2000;

/**
 * Runs of generations on remote providers. Each does what the state of the submission asks for, so that none is ever
 * sent twice: between the POST and its end, a generation has no run.
 */
export class RemoteRuns {
  readonly #outputs: RemoteOutputs;

  constructor(private readonly to: Collaborators) {
    this.#outputs = new RemoteOutputs(to);
  }

  isRemote({ provider }: Model): boolean {
    return this.to.remotes.some(({ id }) => id === provider);
  }

  /**
   * @returns the outputs, once there are any; `null` when the generation goes on without this run
   * @throws JobPostponed, RunLost, ProviderFailure, InputFailure
   */
  async run(run: RemoteRun): Promise<readonly CheckedOutput[] | null> {
    const step = nextStep(run.running.submission);
    switch (step.do) {
      case 'leave':
        return null;
      case 'submit':
        return this.#submitNew(run, step.after);
      case 'lose':
        return this.#lose(run, step.submission);
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

  #submitNew(run: RemoteRun, failed: Over | null): Promise<readonly CheckedOutput[] | null> {
    const { running, model } = run;
    const requestKey = this.to.newKey();
    const asked = { generationId: running.id, provider: model.provider, requestKey };
    return this.#submit(run, failed, (pictures, at) =>
      failed ? intendAnother(failed, requestKey, at) : intend({ ...asked, pictures }, model.timeLimitSeconds, at),
    );
  }

  async #submit(
    run: RemoteRun,
    replaced: Over | UnknownOutcome | null,
    intendWith: (pictures: InputSet<SentPicture>, at: Date) => Intended,
  ) {
    const { submissions, clock } = this.to;
    const { running, model, folder, job } = run;
    const inputs = await this.to.inputs.open(running.request, folder, job.signal);
    const pictures = await this.#sentPictures(inputs);
    job.signal.throwIfAborted();
    const intended = intendWith(pictures, clock.now());
    if (!(await submissions.intend(running, intended, replaced))) throw new RunLost();
    if (!maySend(intended, clock.now())) return this.#lose(run, intended);
    const answer = await this.#send(run, intended, {
      ...submittedTask(intended, running.request, model),
      inputs,
      folder,
    });
    if ('outputs' in answer) return this.#outputs.check(run, answer.outputs);
    await this.#recordHandle(intended, answer.handle);
    return null;
  }

  async #sentPictures(inputs: RemoteInputs): Promise<InputSet<SentPicture>> {
    const sent = async ({ url, file }: RemoteInput): Promise<SentPicture> =>
      url === null ? { sha256: await this.to.folders.sha256(file) } : { url };
    const placed = placesOf(inputs).map(async (place) => ({ ...place, picture: await sent(place.picture) }));
    return inputSetOf(await Promise.all(placed));
  }

  /** Sends the POST. */
  async #send(run: RemoteRun, intended: Intended, task: RemoteTask): Promise<Submitted> {
    const { running, job, model } = run;
    const provider = this.#providerOf(intended);
    const webhookUrl = provider.hasWebhooks ? this.to.webhooks.urlFor(provider.id, intended.requestKey) : null;
    const limit = AbortSignal.timeout(model.timeLimitSeconds * 1000);
    const { workspaceId } = running.request;
    try {
      return await this.to.watches.during(running, job.signal, ({ signal }) => {
        const ending = AbortSignal.any([delayed(signal, LAST_WORDS_MS), limit]);
        return provider.submit(task, { webhookUrl, workspaceId, signal: ending });
      });
    } catch (error) {
      if (error instanceof NotAccepted) return this.#tryLater(run, intended, error);
      if (limit.aborted) throw new ProviderFailure('timed_out', 'the provider took too long', { cause: error });
      if (!(error instanceof ProviderFailure)) return this.#lose(run, intended, error);
      if (error.retryable)
        return this.#tryLater(run, intended, new NotAccepted('provider_unavailable', null, { cause: error }));
      await this.to.submissions.remove(running, intended);
      this.to.report({ submission: intended, outcome: 'refused', error });
      throw error;
    }
  }

  /** What may have been started all the same is kept, so that the vendor is asked for it first. */
  async #tryLater({ running, model, job }: RemoteRun, intended: Intended, refusal: NotAccepted): Promise<never> {
    if (refusal.wasSent) await this.to.submissions.lose(running, intended, refusal.code);
    else await this.to.submissions.remove(running, intended);
    this.to.report({ submission: intended, outcome: 'not_accepted', error: refusal });
    const deadline = after(running.startedAt, model.timeLimitSeconds);
    const seconds = retrySubmitSeconds(job.attempt, refusal.retryAfterSeconds, deadline, this.to.clock.now());
    if (seconds !== null) throw new JobPostponed('the provider takes no work now', seconds, { cause: refusal });
    throw new ProviderFailure(refusal.code, IN_VAIN[refusal.code], { cause: refusal });
  }

  /** Lets some time pass before the provider is asked whether it has it. */
  async #lose({ running }: RemoteRun, intended: Intended, cause?: unknown): Promise<never> {
    await this.to.submissions.lose(running, intended, null);
    this.to.report({ submission: intended, outcome: 'lost', error: cause });
    const now = this.to.clock.now();
    const wait = outcomeWaitSeconds({ intendedAt: now }, this.#hasWebhooks(intended), now);
    throw new JobPostponed('the provider may have started it', wait, { cause });
  }

  async #find(run: RemoteRun, lost: UnknownOutcome): Promise<readonly CheckedOutput[] | null> {
    const { report, clock } = this.to;
    // A webhook is waited for only where there was no answer.
    const hasWebhooks = lost.refusal === null && this.#hasWebhooks(lost);
    const wait = outcomeWaitSeconds(lost, hasWebhooks, clock.now());
    if (wait > 0) throw new JobPostponed('the provider may have started it', wait);
    const found = await this.#ask(run, lost);
    const outcome = typeof found === 'string' ? found : 'there';
    switch (afterUnknown(lost, outcome, clock.now())) {
      case 'there':
        report({ submission: lost, outcome: 'found' });
        await this.#recordHandle(lost, (found as { readonly handle: VendorHandle }).handle);
        return null;
      case 'submit':
        if (found === 'absent') report({ submission: lost, outcome: 'absent' });
        return this.#submit(run, lost, (_, at) => intendAgain(lost, at));
      case 'time_out':
        if (lost.refusal) throw new ProviderFailure(lost.refusal, IN_VAIN[lost.refusal]);
        report({ submission: lost, outcome: 'timed_out' });
        throw new ProviderFailure('timed_out', 'the provider took too long');
      case 'fail':
        throw this.#unknown(lost);
    }
  }

  async #ask({ running, model, job }: RemoteRun, lost: UnknownOutcome) {
    const provider = this.#providerOf(lost);
    const task = submittedTask(lost, running.request, model);
    try {
      return await provider.find(task, searchedSince(lost, this.to.clock.now()), answerWithin(job.signal));
    } catch (error) {
      job.signal.throwIfAborted();
      if (!isForNow(error)) throw error;
      if (isTimedOut(lost, this.to.clock.now())) return 'cannot_tell';
      throw new JobPostponed('the provider has not answered', backoffSeconds(job.attempt), { cause: error });
    }
  }

  async #recordHandle(asked: Intended | UnknownOutcome, handle: VendorHandle): Promise<void> {
    const { submissions, report, clock } = this.to;
    const now = clock.now();
    const seconds = nextCheckSeconds(0, this.#hasWebhooks(asked));
    const recorded = await submissions.submit(asked, handle, now, nextCheckAt(asked, seconds, now));
    if (recorded === 'taken') throw this.#unknown(asked);
    if (recorded) return report({ submission: asked, outcome: 'submitted' });
    // Nobody waits for it any more, unless another run has found it.
    const current = await submissions.of(asked.generationId);
    if (current && 'handle' in current && current.handle?.id === handle.id) throw new RunLost();
    await this.#providerOf(asked)
      .cancel(handle, answerWithin())
      .catch(() => undefined);
    throw new RunLost();
  }

  #unknown(submission: Intended | UnknownOutcome): ProviderFailure {
    this.to.report({ submission, outcome: 'outcome_unknown' });
    return new ProviderFailure('provider_outcome_unknown', 'it can not be known whether the provider has made it');
  }

  #hasWebhooks(asked: { readonly provider: string }): boolean {
    return this.to.webhooks.isPublic && this.#providerOf(asked).hasWebhooks;
  }

  /** @throws ProviderFailure when it was taken out of the catalogue */
  #providerOf({ provider }: { readonly provider: string }): RemoteProvider {
    const found = this.to.remotes.find(({ id }) => id === provider);
    if (found) return found;
    throw new ProviderFailure('provider_unavailable', 'the provider is not offered any more');
  }
}

const IN_VAIN = {
  provider_busy: 'the provider had no time for it',
  provider_unavailable: 'the provider could not be reached in time',
} as const;
