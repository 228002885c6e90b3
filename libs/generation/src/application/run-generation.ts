import { DomainError, type Clock, type JobRun, type Jobs, type UnitOfWork } from '#kernel';
import { SourceFailure, type OpenPicture, type TemporaryFolders } from '#sources';
import type { Personas } from '#persona';
import { CONTENT_TYPES, scheduleFileDeletion, type StoredFile, type StoreFile } from '#files';
import { succeed, type Output, type Running } from '../domain/generation.ts';
import type { InputSource } from '../domain/resolve-inputs.ts';
import {
  ProviderFailure,
  type GenerationProvider,
  type GenerationTask,
  type InputPicture,
  type ProviderOutput,
} from '../ports/generation-provider.ts';
import type { Generations } from '../ports/generations.ts';
import type { EndGeneration } from './end-generation.ts';
import { InputFailure, type InputName } from './generation-failure.ts';
import { RunLost, watchRun } from './watch-run.ts';

/** Runs a generation on its provider and stores what comes out. */
export class RunGeneration {
  readonly #generations: Generations;
  readonly #providers: readonly GenerationProvider[];
  readonly #openPicture: Pick<OpenPicture, 'run'>;
  readonly #storeFile: Pick<StoreFile, 'run'>;
  readonly #personas: Pick<Personas, 'hold'>;
  readonly #folders: Pick<TemporaryFolders, 'use'>;
  readonly #end: EndGeneration;
  readonly #jobs: Jobs;
  readonly #unitOfWork: UnitOfWork;
  readonly #clock: Clock;

  constructor(
    generations: Generations,
    providers: readonly GenerationProvider[],
    openPicture: Pick<OpenPicture, 'run'>,
    storeFile: Pick<StoreFile, 'run'>,
    personas: Pick<Personas, 'hold'>,
    folders: Pick<TemporaryFolders, 'use'>,
    end: EndGeneration,
    jobs: Jobs,
    unitOfWork: UnitOfWork,
    clock: Clock,
  ) {
    this.#generations = generations;
    this.#providers = providers;
    this.#openPicture = openPicture;
    this.#storeFile = storeFile;
    this.#personas = personas;
    this.#folders = folders;
    this.#end = end;
    this.#jobs = jobs;
    this.#unitOfWork = unitOfWork;
    this.#clock = clock;
  }

  /**
   * Without effect for a generation that has ended, also while it runs: whatever a run does that has lost its
   * generation comes to nothing.
   *
   * @throws the reason of the run's signal when that is aborted; else what `GiveUpGeneration` makes a failed
   * generation of, once the job is not tried again
   */
  async run(generationId: number, run: JobRun): Promise<void> {
    const running = await this.#generations.claim(generationId, run.attempt, this.#clock.now());
    if (!running) return;
    try {
      await this.#folders.use((folder) => this.#generate(running, folder, run.signal));
    } catch (error) {
      run.signal.throwIfAborted();
      if (await this.#generations.isCurrent(running)) throw error;
    }
  }

  async #generate(running: Running, folder: string, stopping: AbortSignal): Promise<void> {
    const provider = this.#providerOf(running);
    await this.#holdPersona(running);
    const produced = await watchRun(this.#generations, running, stopping, async (watch) => {
      const task = await this.#taskOf(running, folder, watch.signal);
      const outputs = await provider.run(task, watch);
      watch.signal.throwIfAborted();
      // A caller is charged for outputs, and for nothing else.
      if (outputs.length === 0) throw new ProviderFailure('the model made nothing', { retryable: false });
      return outputs;
    });
    const stored: StoredFile[] = [];
    try {
      for (const output of produced) stored.push(await this.#store(running, output));
      stopping.throwIfAborted();
      await this.#finish(running, produced, stored);
    } catch (error) {
      await scheduleFileDeletion(
        this.#jobs,
        stored.map((file) => file.id),
      );
      throw error;
    }
  }

  #providerOf({ request }: Running): GenerationProvider {
    const provider = this.#providers.find(({ models }) => models.some(({ id }) => id === request.model));
    if (provider) return provider;
    throw new ProviderFailure(`the model ${request.model} is not offered any more`, { retryable: false });
  }

  /** @throws DomainError `no_persona`: outputs are a persona's files, so without it there is nowhere to keep them */
  async #holdPersona({ request: { workspaceId, personaId } }: Running): Promise<void> {
    if (personaId !== null && (await this.#personas.hold(workspaceId, personaId))) return;
    throw new DomainError('no_persona', 'the persona was deleted before the outputs could be kept');
  }

  async #taskOf({ id, request }: Running, folder: string, signal: AbortSignal): Promise<GenerationTask> {
    const { workspaceId, inputs } = request;
    const open = async (input: InputName, source: InputSource | null): Promise<InputPicture | null> => {
      if (!source) return null;
      try {
        const { file, contentType } = await this.#openPicture.run({ workspaceId, ...source, signal }, folder);
        return { file, contentType };
      } catch (error) {
        throw error instanceof SourceFailure ? new InputFailure(input, error) : error;
      }
    };
    return {
      generationId: id,
      model: request.model,
      prompt: request.prompt,
      parameters: request.parameters,
      image: await open('image', inputs.image),
      styleReference: await open('style reference', inputs.styleReference),
      folder,
    };
  }

  #store({ id, request }: Running, { file, contentType }: ProviderOutput): Promise<StoredFile> {
    const { workspaceId, personaId } = request;
    const filename = `generation-${id}.${extensionOf(contentType)}`;
    return this.#storeFile.run({ workspaceId, personaId, origin: 'output', filename, contentType, file });
  }

  #finish(
    running: Running,
    produced: readonly ProviderOutput[],
    stored: readonly StoredFile[],
  ): Promise<void> {
    const outputs = produced.map(({ contentType, width, height, duration }, index): Output => ({
      fileId: stored[index]!.id,
      contentType,
      width,
      height,
      duration,
    }));
    return this.#unitOfWork.run(async () => {
      await this.#holdPersona(running);
      const ended = succeed(running, outputs, this.#clock.now());
      if (!(await this.#end.run(running, ended))) throw new RunLost();
    });
  }
}

function extensionOf(contentType: string): string {
  const known = Object.entries(CONTENT_TYPES).find(([, type]) => type === contentType);
  if (known) return known[0];
  throw new ProviderFailure(`the model made a file of the type ${contentType}`, { retryable: false });
}
