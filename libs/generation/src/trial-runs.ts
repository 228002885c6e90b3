import { maskFormsOf, type Model, type CatalogueChanges, type GoneModels, type LiveCatalogue } from '#catalogue';
import { trialKey, type ObjectStorage } from '#files';
import { JobPostponed, type Clock, type JobRun, type UnitOfWork } from '#kernel';
import { SourceFailure, type Sources, type TemporaryFolders } from '#sources';
import { inputSetOf, madeFrom, placesOf, type Placed } from './domain/input-set.ts';
import type { GenerationError } from './domain/generation.ts';
import { outputLabel } from './domain/output-type.ts';
import { seedOf } from './domain/seed.ts';
import { nextCheckSeconds, type VendorHandle } from './domain/submission.ts';
import {
  isOpenTrial,
  trialDeadline,
  trialExpiresAt,
  type OpenTrial,
  type QueuedTrial,
  type SentTrial,
  type SubmittedTrial,
  type TrialOutput,
} from './domain/trial.ts';
import { generationErrorOf, InputFailure } from './failures.ts';
import { withPreparedMask, type PictureSize } from './masks.ts';
import type { OutputFiles } from './output-files.ts';
import {
  NotAccepted,
  OutcomeUnknown,
  ProviderFailure,
  type FetchedOutput,
  type GenerationProvider,
  type RemoteInput,
  type RemoteInputs,
  type RemoteProvider,
  type RemoteProviders,
  type TrialStore,
} from './ports.ts';
import { delayed, isTransient, withResponseLimit } from './remote.ts';

interface Collaborators {
  readonly catalogue: Pick<LiveCatalogue, 'refresh' | 'acceptedAs'>;
  readonly changes: Pick<CatalogueChanges, 'checkModel'>;
  /** The local providers. */
  readonly providers: readonly GenerationProvider[];
  readonly remotes: RemoteProviders;
  readonly trials: TrialStore;
  readonly goneModels: Pick<GoneModels, 'succeeded'>;
  readonly sources: Pick<Sources, 'openForOperator' | 'readMask'>;
  readonly outputs: Pick<OutputFiles, 'check'>;
  readonly folders: Pick<TemporaryFolders, 'use' | 'size'>;
  readonly storage: Pick<ObjectStorage, 'put'>;
  /** A random part of object keys. */
  readonly newKey: () => string;
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
}

/** A run of a trial. */
interface Run<Of extends OpenTrial = OpenTrial> {
  readonly trial: Of;
  readonly model: Model;
  readonly folder: string;
  readonly job: JobRun;
}

interface Made {
  readonly outputs: readonly FetchedOutput[];
  readonly vendorCost: number | null;
}

/** Checks without a conclusion after which a trial has failed. */
const MAX_DOUBTS = 3;
const DOUBT_SECONDS = 3;
/** How long a POST may continue after its run has to stop: the response contains the handle. */
const STOP_GRACE_MS = 2000;
const NO_STYLE = { pictures: [], trainedStyle: null };
const HEADERS = { cacheControl: 'private, no-store', contentDisposition: 'attachment' };

/** Runs trials of models. A trial is sent to its vendor at most once: when its outcome is unknown, it fails. */
export class TrialRuns {
  constructor(private readonly deps: Collaborators) {}

  /**
   * Takes the next step of a trial. Without effect on a trial that has ended.
   *
   * @throws JobPostponed while the vendor is working on it; the reason of the job's signal when that is aborted;
   * otherwise what `fail` records when the job is not retried
   */
  async run(trialId: number, job: JobRun): Promise<void> {
    const { catalogue, trials, folders } = this.deps;
    const trial = await trials.find(trialId);
    if (!trial || !isOpenTrial(trial)) return;
    await catalogue.refresh();
    const model = await this.#modelOf(trial);
    await folders.use((folder) => this.#step({ trial, model, folder, job }));
  }

  /** Records that the job of a trial has failed. Without effect on a trial that has ended. */
  async fail(trialId: number, error: unknown): Promise<void> {
    const { trials, clock } = this.deps;
    const trial = await trials.find(trialId);
    if (!trial || !isOpenTrial(trial)) return;
    const startedAt = trial.state === 'queued' ? null : trial.startedAt;
    const { state: from } = trial;
    await trials.save({ ...trial, state: 'failed', startedAt, finishedAt: clock.now(), error: reasonOf(error) }, from);
  }

  async #modelOf({ model, modelRevision, entry }: OpenTrial): Promise<Model> {
    if (entry) return this.deps.changes.checkModel(model, entry);
    const found = await this.deps.catalogue.acceptedAs({ model, modelRevision });
    if (found) return found;
    throw new ProviderFailure('provider_unavailable', 'the worker has no such entry: check its MODELS_FILE');
  }

  async #step(run: Run): Promise<void> {
    const { trial } = run;
    const remote = this.deps.remotes.get(run.model.provider);
    if (!remote) return this.#runLocally(run);
    switch (trial.state) {
      case 'queued':
        return this.#submit({ ...run, trial }, remote);
      case 'sent':
        throw outcomeUnknown();
      case 'submitted':
        return this.#check({ ...run, trial }, remote);
    }
  }

  /** A local model can be run again. */
  async #runLocally(run: Run): Promise<void> {
    const { trial, model, folder, job } = run;
    const provider = this.deps.providers.find(({ models }) => models.some(({ target }) => target === model.target));
    if (!provider) throw new ProviderFailure('provider_unavailable', 'no worker has the provider or the local model');
    const { image, style, mask } = await this.#inputsOf(run);
    const startedAt = this.deps.clock.now();
    const started: SentTrial = { ...trial, state: 'sent', startedAt };
    if (!(await this.deps.trials.save(started, trial.state))) return;
    const { prompt, parameters } = this.#taskOf(trial, model);
    const task = {
      generationId: trial.id,
      model: model.target,
      prompt,
      parameters,
      image,
      style,
      mask,
      ...NO_STYLE,
      folder,
    };
    const produced = await provider.run(task, { progress: () => undefined, signal: job.signal });
    const outputs = produced.map(({ file, label = null, score = null }) => ({ file, label, score }));
    await this.#keep({ ...run, trial: started }, { outputs, vendorCost: 0 });
  }

  async #submit(run: Run<QueuedTrial>, provider: RemoteProvider): Promise<void> {
    const { trial, model, folder, job } = run;
    const { trials, clock } = this.deps;
    const inputs = await this.#inputsOf(run);
    job.signal.throwIfAborted();
    const sent: SentTrial = { ...trial, state: 'sent', startedAt: clock.now() };
    if (!(await trials.save(sent, 'queued'))) return;
    const limit = AbortSignal.timeout(model.timeLimitSeconds * 1000);
    const signal = AbortSignal.any([delayed(job.signal, STOP_GRACE_MS), limit]);
    const task = { ...this.#taskOf(trial, model), inputs, trainedStyle: null, folder };
    const result = await provider.submit(task, { webhookUrl: null, signal }).catch((error: unknown) => {
      job.signal.throwIfAborted();
      throw limit.aborted ? timedOut(error) : finalOf(error);
    });
    if ('outputs' in result) {
      return this.#keep({ ...run, trial: sent }, { outputs: result.outputs, vendorCost: result.cost });
    }
    const submitted: SubmittedTrial = { ...sent, state: 'submitted', handle: result.handle };
    if (!(await trials.save(submitted, 'sent'))) return this.#cancel(provider, result.handle);
    throw new JobPostponed('the vendor is working', nextCheckSeconds(0, false));
  }

  async #check(run: Run<SubmittedTrial>, provider: RemoteProvider): Promise<void> {
    const { trial, job } = run;
    const status = await this.#stateOf(provider, trial.handle, job.signal);
    switch (status?.state) {
      case 'ended':
        return this.#fetch(run, provider, status.outputs, status.cost);
      case 'failed':
      case 'inconclusive':
        throw finalOf(status.failure);
      case 'canceled':
        throw new ProviderFailure('provider_unavailable', 'the vendor has canceled it');
      case 'pending':
      case undefined:
        return this.#wait(run, provider, status?.checkAfterSeconds);
    }
  }

  async #wait({ trial, model, job }: Run<SubmittedTrial>, provider: RemoteProvider, requested?: number | null) {
    if (this.deps.clock.now() < trialDeadline(trial, model)) {
      throw new JobPostponed('the vendor is working', nextCheckSeconds(job.attempt, false, requested));
    }
    await this.#cancel(provider, trial.handle);
    throw timedOut();
  }

  /** `null` when the vendor has not responded: the job at the vendor goes on. */
  async #stateOf(provider: RemoteProvider, handle: VendorHandle, signal: AbortSignal) {
    for (let doubts = 1; ; doubts++) {
      const state = await provider.check(handle, withResponseLimit(signal)).catch((error: unknown) => {
        if (isTransient(error)) return null;
        throw error;
      });
      // The doubt may be temporary.
      if (state?.state !== 'inconclusive' || doubts === MAX_DOUBTS) return state;
      await new Promise((resolve) => setTimeout(resolve, DOUBT_SECONDS * 1000));
      signal.throwIfAborted();
    }
  }

  async #fetch(
    run: Run<SubmittedTrial>,
    provider: RemoteProvider,
    made: readonly Parameters<RemoteProvider['fetchOutput']>[0][],
    vendorCost: number | null,
  ): Promise<void> {
    const outputs: FetchedOutput[] = [];
    for (const [index, output] of made.entries()) {
      const file = `${run.folder}/output-${index + 1}`;
      await provider.fetchOutput(output, file, run.model.kind, run.job.signal);
      outputs.push({ file, label: output.label, score: output.score });
    }
    await this.#keep(run, { outputs, vendorCost });
  }

  /** Checks the outputs as those of generations, and stores them for a day. */
  async #keep({ trial, model, job }: Run<SentTrial | SubmittedTrial>, { outputs, vendorCost }: Made): Promise<void> {
    const { trials, goneModels, unitOfWork, clock } = this.deps;
    if (outputs.length === 0) throw new ProviderFailure('unusable_output', 'the model made nothing');
    const stored: TrialOutput[] = [];
    const from = madeFrom(null, await trials.inputsOf(trial.id));
    for (const { file, label, score } of outputs) {
      const labels = { label: outputLabel(model, label, trial.prompt), score };
      const checked = await this.deps.outputs.check(file, model, labels, from, job.signal);
      stored.push(await this.#store(trial, checked));
    }
    const ended = { state: 'succeeded', finishedAt: clock.now(), outputs: stored, vendorCost } as const;
    await unitOfWork.run(async () => {
      await trials.save({ ...trial, ...ended }, trial.state);
      if (trial.entry === null) await goneModels.succeeded(trial);
    });
  }

  async #store(trial: OpenTrial, checked: Awaited<ReturnType<OutputFiles['check']>>): Promise<TrialOutput> {
    const { trials, storage, folders, newKey } = this.deps;
    const { file, contentType, preview, label, score } = checked;
    const { width = null, height = null, duration = null } = preview ?? {};
    const key = trialKey(newKey());
    await trials.discard(key, trialExpiresAt(trial));
    await storage.put(key, { file }, { ...HEADERS, contentType });
    return { key, contentType, bytes: await folders.size(file), width, height, duration, label, score };
  }

  /** The seed is derived from the request key, so that a caller who likes an output can ask for it again. */
  #taskOf({ requestKey, prompt, parameters }: OpenTrial, model: Model) {
    const seed = seedOf(model, parameters, requestKey);
    return { requestKey, model, prompt, parameters: seed === null ? parameters : { ...parameters, seed } };
  }

  async #inputsOf({ trial, model, folder, job }: Run): Promise<RemoteInputs> {
    const opened: Placed<RemoteInput>[] = [];
    const sizes = new Map<string, PictureSize>();
    for (const place of placesOf(await this.deps.trials.inputsOf(trial.id))) {
      try {
        const { sources } = this.deps;
        const { file, contentType, ...size } = await sources.openForOperator(place.picture, folder, job.signal);
        sizes.set(file, size);
        opened.push({ ...place, picture: { file, contentType, url: null } });
      } catch (error) {
        throw error instanceof SourceFailure ? new InputFailure(place, error) : error;
      }
    }
    return withPreparedMask(inputSetOf(opened), sizes, maskFormsOf(model.mapping)[0] ?? 'white', this.deps.sources);
  }

  async #cancel(provider: RemoteProvider, handle: VendorHandle): Promise<void> {
    await provider.cancel(handle, withResponseLimit()).catch(() => undefined);
  }
}

/** The failure of a submission, which is not repeated: it would be billed again. */
function finalOf(error: unknown): ProviderFailure {
  if (error instanceof ProviderFailure) return new ProviderFailure(error.code, error.message, { cause: error.cause });
  if (error instanceof OutcomeUnknown) return outcomeUnknown(error.cause);
  if (!(error instanceof NotAccepted)) return outcomeUnknown(error);
  const started = error.wasSent ? 'may have started it nevertheless' : 'has started nothing';
  const message = `the vendor accepts no work now, and ${started}: try later`;
  return new ProviderFailure(error.code, message, { cause: error.cause });
}

function outcomeUnknown(cause?: unknown): ProviderFailure {
  const message = 'it is unknown whether the vendor has made and billed it';
  return new ProviderFailure('provider_outcome_unknown', message, { cause });
}

function timedOut(cause?: unknown): ProviderFailure {
  return new ProviderFailure('timed_out', 'the vendor took longer than the time limit of the model', { cause });
}

/** The error for the operator, with details that callers do not get. */
function reasonOf(error: unknown): GenerationError {
  const { code, message } = generationErrorOf(error);
  const isDetailed = error instanceof ProviderFailure && error.cause instanceof Error;
  return { code, message: isDetailed ? `${message} (${(error.cause as Error).message})` : message };
}
