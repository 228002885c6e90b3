import { DomainError, JobPostponed, type Clock, type JobRun, type UnitOfWork } from '#kernel';
import type { PersonaStore } from '#persona';
import type { TemporaryFolders } from '#sources';
import { succeed, type Output, type Running } from './domain/generation.ts';
import type { Model, ModelCatalog } from './domain/model.ts';
import { RunLost } from './failures.ts';
import type { Generations } from './generations.ts';
import type { InputFiles } from './inputs.ts';
import type { OutputFiles } from './output-files.ts';
import {
  ProviderFailure,
  type CheckedOutput,
  type GenerationProvider,
  type GenerationStore,
  type GenerationTask,
  type ProviderOutput,
  type RunWatch,
} from './ports.ts';

interface Collaborators {
  readonly generations: Pick<Generations, 'end'>;
  readonly store: GenerationStore;
  readonly models: Pick<ModelCatalog, 'entries'>;
  readonly providers: readonly GenerationProvider[];
  readonly inputs: Pick<InputFiles, 'open'>;
  readonly outputs: Pick<OutputFiles, 'check' | 'store' | 'discard'>;
  readonly personas: Pick<PersonaStore, 'lock' | 'touch'>;
  readonly folders: Pick<TemporaryFolders, 'use'>;
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
}

/** How often a run records its progress and checks that it is current. */
const CHECK_INTERVAL_MS = 500;
/** How long after its request a generation waits for a worker that has its model. */
const MODEL_WAIT_MS = 3_600_000;
const LONGEST_PAUSE_SECONDS = 60;
/** Local models name nothing that they make. */
const NO_LABELS = { label: null, score: null };

/** Runs of generations on their providers. A run that has lost its generation writes nothing to it. */
export class GenerationRuns {
  constructor(
    private readonly to: Collaborators,
    private readonly checkIntervalMs = CHECK_INTERVAL_MS,
  ) {}

  /**
   * Runs the provider and stores its outputs. Without effect on a generation that has ended, or ends meanwhile.
   *
   * @throws the reason of the job's signal when that is aborted; JobPostponed; otherwise what `Generations.giveUp`
   * takes once the job is not tried again
   */
  async run(generationId: number, job: JobRun): Promise<void> {
    const { store, folders, clock } = this.to;
    const running = await store.claim(generationId, job.attempt, clock.now());
    if (!running) return;
    try {
      await folders.use((folder) => this.#generate(running, folder, job.signal));
    } catch (error) {
      job.signal.throwIfAborted();
      if (await store.isCurrent(running)) throw error;
    }
  }

  async #generate(running: Running, folder: string, stopping: AbortSignal): Promise<void> {
    const { model, provider } = this.#providerOf(running);
    const { workspaceId, personaId } = running.request;
    requirePersona(personaId !== null && (await this.to.personas.lock(workspaceId, personaId)));
    const made = await this.#watched(running, stopping, async (watch) => {
      const task = await this.#taskOf(running, model, folder, watch.signal);
      return this.#checked(model, await produce(provider, task, watch), watch);
    });
    const outputs = await this.to.outputs.store(running, made, stopping);
    try {
      stopping.throwIfAborted();
      await this.#finish(running, outputs);
    } catch (error) {
      await this.to.outputs.discard(running, outputs);
      throw error;
    }
  }

  async #checked(
    { kind }: Model,
    produced: readonly ProviderOutput[],
    { signal }: RunWatch,
  ): Promise<readonly CheckedOutput[]> {
    const checked = [];
    for (const output of produced) {
      const { thumbnails, label, score } = await this.to.outputs.check(output.file, kind, NO_LABELS, signal);
      checked.push({ ...output, thumbnails, label, score });
    }
    return checked;
  }

  /** @throws JobPostponed for a model that this worker doesn't have now: another one may, or this one later */
  #providerOf({ request, attempt }: Running): { readonly model: Model; readonly provider: GenerationProvider } {
    const model = this.to.models.entries.find(({ id }) => id === request.model);
    const provider = this.to.providers.find(({ models }) => models.some(({ target }) => target === model?.target));
    if (model && provider) return { model, provider };
    if (this.to.clock.now().getTime() < request.createdAt.getTime() + MODEL_WAIT_MS) {
      const pause = Math.min(2 ** attempt, LONGEST_PAUSE_SECONDS);
      throw new JobPostponed(`this worker does not have the model ${request.model} now`, pause);
    }
    throw new ProviderFailure('provider_unavailable', `the model ${request.model} is not offered any more`);
  }

  async #taskOf({ id, request }: Running, model: Model, folder: string, signal: AbortSignal): Promise<GenerationTask> {
    const { prompt, parameters } = request;
    const { image, style } = await this.to.inputs.open(request, folder, signal);
    return { generationId: id, model: model.target, prompt, parameters, image, style, folder };
  }

  #finish(running: Running, outputs: readonly Output[]): Promise<void> {
    const { workspaceId, personaId } = running.request;
    return this.to.unitOfWork.run(async () => {
      const now = this.to.clock.now();
      requirePersona(personaId !== null && (await this.to.personas.touch(workspaceId, personaId, now)));
      const ended = succeed(running, outputs, now);
      if (!(await this.to.generations.end(running, ended))) throw new RunLost();
    });
  }

  /** Does `work` while recording its progress. Its signal is aborted also when the run loses its generation. */
  async #watched<T>(running: Running, stopping: AbortSignal, work: (watch: RunWatch) => Promise<T>): Promise<T> {
    const { store } = this.to;
    const lost = new AbortController();
    let reported = running.progress;
    let recorded = running.progress;
    const check = async (): Promise<void> => {
      const fraction = reported;
      const unchanged = fraction === recorded;
      const current = await (unchanged ? store.isCurrent(running) : store.progress(running, fraction));
      recorded = fraction;
      if (!current) lost.abort(new RunLost());
    };
    const stop = repeat(check, this.checkIntervalMs);
    try {
      return await work({
        progress: (fraction) => (reported = Math.min(1, Math.max(reported, toPerMille(fraction)))),
        signal: AbortSignal.any([stopping, lost.signal]),
      });
    } finally {
      stop();
    }
  }
}

/** @throws DomainError `no_persona`: outputs are files of the persona */
function requirePersona(isThere: boolean): void {
  if (!isThere) throw new DomainError('no_persona', 'the persona was deleted before the outputs could be kept');
}

async function produce(
  provider: GenerationProvider,
  task: GenerationTask,
  watch: RunWatch,
): Promise<readonly ProviderOutput[]> {
  const outputs = await provider.run(task, watch);
  watch.signal.throwIfAborted();
  // Credits are charged for outputs only.
  if (outputs.length === 0) throw new ProviderFailure('unusable_output', 'the model made nothing');
  return outputs;
}

/** Does `work` again and again, with a pause before each; a failure is left to the next time. */
function repeat(work: () => Promise<void>, pauseMs: number): () => void {
  let timer: NodeJS.Timeout | undefined;
  let over = false;
  const next = (): void => {
    if (!over) timer = setTimeout(() => void work().then(next, next), pauseMs);
  };
  next();
  return () => {
    over = true;
    clearTimeout(timer);
  };
}

function toPerMille(fraction: number): number {
  return Math.round(fraction * 1000) / 1000;
}
