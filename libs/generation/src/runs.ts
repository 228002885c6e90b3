import { chargeOf, type Model, type Models } from '#catalogue';
import { DomainError, JobPostponed, type Clock, type JobPayloads, type JobRun, type UnitOfWork } from '#kernel';
import type { PersonaStore } from '#persona';
import type { TemporaryFolders } from '#sources';
import { succeed, succeedTraining, type Output, type Running } from './domain/generation.ts';
import { madeFrom } from './domain/input-set.ts';
import { fetchAgainSeconds } from './domain/submission.ts';
import { personaDeleted, RunNotCurrent } from './failures.ts';
import type { Generations } from './generations.ts';
import type { InputFiles } from './inputs.ts';
import type { OutputFiles } from './output-files.ts';
import {
  ProviderFailure,
  type CheckedOutput,
  type Claimed,
  type GenerationProvider,
  type GenerationStore,
  type GenerationTask,
  type ProviderOutput,
  type RunWatch,
} from './ports.ts';
import type { RemoteRuns } from './remote-runs.ts';
import type { RunWatches } from './run-watch.ts';

interface Collaborators {
  readonly generations: Pick<Generations, 'end'>;
  readonly store: GenerationStore;
  readonly models: Pick<Models, 'acceptedAs'>;
  /** The local providers. */
  readonly providers: readonly GenerationProvider[];
  readonly remoteRuns: Pick<RemoteRuns, 'isRemote' | 'isHeldBack' | 'run'>;
  readonly watches: RunWatches;
  readonly inputs: Pick<InputFiles, 'open' | 'openStyle'>;
  readonly outputs: Pick<OutputFiles, 'check' | 'store' | 'discard'>;
  readonly personas: Pick<PersonaStore, 'touch'>;
  readonly folders: Pick<TemporaryFolders, 'use'>;
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
}

/** How long a generation waits for a worker with its model. */
const MODEL_WAIT_MS = 3_600_000;
const LONGEST_PAUSE_SECONDS = 60;
const OTHER_JOB_SECONDS = 10;
/** Longest wait between two looks at the outputs that wait to be fetched. */
const LONGEST_TURN_SECONDS = 20;

/** Runs generations on their providers. A run that is no longer current writes nothing. */
export class GenerationRuns {
  constructor(private readonly deps: Collaborators) {}

  /**
   * Runs a local provider and stores its outputs, or takes the next step with a remote provider. Has no effect on a
   * generation that has ended or ends in the meantime.
   *
   * @param generation.after number of the latest run when the job was announced
   * @throws the reason of the job's signal when that is aborted; JobPostponed; otherwise what `Generations.fail`
   * records when the job is not retried
   */
  async run(
    { generationId, after = 0 }: JobPayloads['generation.run'] & Partial<JobPayloads['generation.finish']>,
    job: JobRun,
  ): Promise<void> {
    const { store, folders, clock } = this.deps;
    if (after === 0) await this.#takeTurn(generationId, job);
    const running = await store.claim(generationId, after + job.attempt, clock.now());
    if (!running) return this.#leave(generationId, after);
    try {
      await folders.use((folder) => this.#generate(running, folder, job));
    } catch (error) {
      job.signal.throwIfAborted();
      if (await store.isCurrent(running)) throw laterIfOnRecord(running, error, job.attempt, clock.now());
    }
  }

  /** Before the generation is claimed: it stays queued. */
  async #takeTurn(generationId: number, { workspaceId, attempt }: JobRun): Promise<void> {
    const { store, models, remoteRuns } = this.deps;
    if (workspaceId === null || !(await remoteRuns.isHeldBack(generationId, workspaceId))) return;
    const request = await store.requestOf(generationId);
    const model = request && (await models.acceptedAs(request));
    if (!model || !remoteRuns.isRemote(model)) return;
    throw new JobPostponed('outputs of the workspace wait to be fetched', Math.min(2 ** attempt, LONGEST_TURN_SECONDS));
  }

  /** A generation may have two jobs. The second job waits, and ends the generation if the first does not. */
  async #leave(generationId: number, after: number): Promise<void> {
    if (after > 0 && (await this.deps.store.isOpen(generationId))) {
      throw new JobPostponed('another job is running the generation', OTHER_JOB_SECONDS);
    }
  }

  async #generate(running: Claimed, folder: string, job: JobRun): Promise<void> {
    const model = await this.#modelOf(running);
    requirePersona(running.hasPersona);
    const made = await (this.deps.remoteRuns.isRemote(model)
      ? this.deps.remoteRuns.run({ running, model, folder, job })
      : this.#produce(running, model, folder, job.signal));
    if (made) await this.#keep(running, model, made, job.signal);
  }

  async #keep(running: Running, model: Model, made: readonly CheckedOutput[], stopping: AbortSignal): Promise<void> {
    if (made.length === 0) throw new ProviderFailure('unusable_output', 'the model made nothing');
    const outputs = await this.deps.outputs.store(running, made, stopping);
    try {
      stopping.throwIfAborted();
      await this.#finish(running, outputs, chargeOf(model, running.request, outputs.length));
    } catch (error) {
      await this.deps.outputs.discard(running, outputs);
      throw error;
    }
  }

  async #checked(
    { id, request }: Running,
    model: Model,
    produced: readonly ProviderOutput[],
    { signal }: RunWatch,
  ): Promise<readonly CheckedOutput[]> {
    const checked = [];
    const from = madeFrom(id, request.inputs);
    for (const { file, label = null, score = null } of produced) {
      checked.push(await this.deps.outputs.check(file, model, { label, score }, from, signal));
    }
    return checked;
  }

  /** @throws JobPostponed when this worker doesn't offer the model at the moment: another worker may */
  async #modelOf({ request, attempt }: Running): Promise<Model> {
    const model = await this.deps.models.acceptedAs(request);
    if (model && (this.deps.remoteRuns.isRemote(model) || this.#localOf(model))) return model;
    if (this.deps.clock.now().getTime() < request.createdAt.getTime() + MODEL_WAIT_MS) {
      const pause = Math.min(2 ** attempt, LONGEST_PAUSE_SECONDS);
      throw new JobPostponed(`this worker does not offer the model ${request.model}`, pause);
    }
    throw new ProviderFailure('provider_unavailable', `the model ${request.model} is no longer offered`);
  }

  #localOf({ target }: Model): GenerationProvider | undefined {
    return this.deps.providers.find(({ models }) => models.some((model) => model.target === target));
  }

  #produce(running: Running, model: Model, folder: string, stopping: AbortSignal): Promise<readonly CheckedOutput[]> {
    return this.deps.watches.during(running, stopping, async (watch) => {
      const task = await this.#taskOf(running, model, folder, watch.signal);
      const produced = await this.#localOf(model)!.run(task, watch);
      watch.signal.throwIfAborted();
      return this.#checked(running, model, produced, watch);
    });
  }

  async #taskOf({ id, request }: Running, model: Model, folder: string, signal: AbortSignal): Promise<GenerationTask> {
    const { prompt, parameters } = request;
    const { image, style, mask, pictures } = await this.deps.inputs.open(request, folder, signal);
    const trainedStyle = await this.deps.inputs.openStyle(request, folder, signal);
    const task = { generationId: id, model: model.target, prompt, parameters, folder };
    return { ...task, image, style, mask, pictures, trainedStyle };
  }

  #finish(running: Running, outputs: readonly Output[], cost: number): Promise<void> {
    const { workspaceId, personaId, kind } = running.request;
    return this.deps.unitOfWork.run(async () => {
      const now = this.deps.clock.now();
      requirePersona(personaId !== null && (await this.deps.personas.touch(workspaceId, personaId, now)));
      const ended =
        kind === 'style'
          ? succeedTraining(running, outputs[0]!.fileId, cost, now)
          : succeed(running, outputs, cost, now);
      if (!(await this.deps.generations.end(running, ended))) throw new RunNotCurrent();
    });
  }
}

/** Outputs on record are not given up while our storage is away and the vendor keeps them. */
function laterIfOnRecord({ submission }: Claimed, error: unknown, attempt: number, now: Date): unknown {
  const isAway = error instanceof DomainError && error.code === 'unavailable';
  if (!isAway || submission?.state !== 'ended' || !('outputs' in submission.result)) return error;
  const seconds = fetchAgainSeconds(attempt, submission, now);
  return seconds === null ? error : new JobPostponed('the outputs cannot be stored now', seconds, { cause: error });
}

/** @throws DomainError `no_persona` */
function requirePersona(isThere: boolean): void {
  if (!isThere) throw personaDeleted();
}
