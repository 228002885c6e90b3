import type { Page, PageRequest } from '#kernel';
import type {
  EndedGeneration,
  GenerationError,
  GenerationRequest,
  GenerationState,
  OpenGeneration,
  Output,
  Queued,
  Running,
} from './domain/generation.ts';
import type { Model } from './domain/model.ts';
import type { ParameterValues } from './domain/parameters.ts';
import type { SlotPictures } from './domain/resolve-inputs.ts';

/** Makes pictures and videos: one implementation for each vendor. */
export interface GenerationProvider {
  /** Name as `GET /v2/models` shows it. */
  readonly id: string;
  /** Those that it can run on this machine now. */
  readonly models: readonly Model[];

  /**
   * Runs a task to its end, in bounded time. The same task gives the same outputs where the model has a seed. The task
   * can be run again after an interrupted run, and the vendor must not bill it twice.
   *
   * @param watch.progress called now and then with 0..1
   * @param watch.signal when aborted, the provider stops soon, frees everything and throws the signal's reason
   * @throws ProviderFailure
   */
  run(task: GenerationTask, watch: RunWatch): Promise<readonly ProviderOutput[]>;
}

export interface GenerationTask {
  /** The same for all attempts: pass it to the vendor as its idempotency key. */
  readonly generationId: number;
  readonly model: string;
  readonly prompt: string | null;
  /** Every declared parameter that was given or has a default. */
  readonly parameters: ParameterValues;
  /** The input image; for a video model the frame it starts with. */
  readonly image: InputPicture | null;
  readonly styleReference: InputPicture | null;
  /** An empty folder for this run alone; the caller deletes it. */
  readonly folder: string;
}

/** An input picture as a local file, already validated, and without metadata but orientation and colour profile. */
export interface InputPicture {
  readonly file: string;
  readonly contentType: string;
}

export interface RunWatch {
  /** Reports progress, 0..1; cheap, however often it is called. */
  progress(fraction: number): void;
  /** Aborted when the run must stop. */
  readonly signal: AbortSignal;
}

/** A finished output as a file in the task's folder. */
export type ProviderOutput = Omit<Output, 'fileId'> & { readonly file: string };

/** Why a provider failed. The message is shown to the caller: one sentence, no address, path or secret. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
  /** Whether the same task may succeed when it is tried again. */
  readonly retryable: boolean;

  constructor(message: string, options: { retryable: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.retryable = options.retryable;
  }
}

/** The generations, and which run of its job each belongs to. */
export interface GenerationStore {
  /**
   * Records an accepted call and returns it with its id. The caller has locked the files of its inputs. Until the
   * surrounding unit of work ends, the user can't be removed from the workspace.
   *
   * @throws DomainError `conflict` when the user is no longer a member of the workspace
   */
  add(request: GenerationRequest): Promise<Queued>;

  /**
   * Locks the generation until the surrounding unit of work ends and reads it, of an ended one only its state. `null`
   * when it is unknown, or in another workspace than the one given.
   */
  lock(id: number, workspaceId?: number): Promise<OpenGeneration | Pick<EndedGeneration, 'state'> | null>;

  /**
   * Makes `attempt` the current run of the generation; earlier runs lose it. `null` when the generation has ended or
   * is unknown, or when this or a later attempt has it already.
   */
  claim(id: number, attempt: number, at: Date): Promise<Running | null>;

  /** Whether the run is current: false once the generation ended or a later run claimed it. */
  isCurrent(running: Running): Promise<boolean>;

  /** Records progress, 0..1, if the run is current; returns whether it is. */
  progress(running: Running, fraction: number): Promise<boolean>;

  /**
   * Records the end of the generation with its outputs, and removes its references to input files, if it is open and
   * still has the attempt of `ended`; otherwise changes nothing and returns false. Of concurrent calls one returns
   * true.
   */
  save(ended: EndedGeneration): Promise<boolean>;
}

/** What generations read of personas. */
export interface PersonaSlots {
  /**
   * The pictures in slots 1 and 7; `null` when the persona is unknown, deleted, or in another workspace. The persona
   * and the files can't be deleted until the surrounding unit of work ends.
   */
  of(workspaceId: number, personaId: number): Promise<SlotPictures | null>;

  /** The oldest persona in the workspace that the user created, locked like that; `null` when there is none. */
  firstOf(workspaceId: number, userId: number): Promise<number | null>;
}

/** A generation as its workspace sees it. */
export interface GenerationView {
  readonly id: number;
  readonly request: GenerationRequest;
  readonly state: GenerationState;
  /** 0..1 */
  readonly progress: number;
  /** Without outputs whose files were deleted: files are deleted with their persona. */
  readonly outputs: readonly OutputView[];
  readonly error: GenerationError | null;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

export type OutputView = Omit<Output, 'fileId'> & { readonly key: string };

export interface PersonaGenerations {
  /** Newest first. */
  readonly newest: readonly GenerationView[];
  readonly count: number;
}

/** Reads of generations: one statement each. */
export interface GenerationViews {
  /** Newest first. */
  list(workspaceId: number, page: PageRequest): Promise<Page<GenerationView>>;

  /** The newest generations for a persona, and how many there are. */
  ofPersona(workspaceId: number, personaId: number, limit: number): Promise<PersonaGenerations>;

  /** @throws DomainError `not_found` when it is unknown or in another workspace */
  get(workspaceId: number, id: number): Promise<GenerationView>;
}

export type GenerationChange = Pick<GenerationView, 'state' | 'progress'>;

/** Called for each change; `missed` means that changes may be lost, so the generation has to be read again. */
export type ChangeListener = (change: GenerationChange | 'missed') => void;

/** Committed changes of generations, from whichever process. */
export interface GenerationSignals {
  /**
   * Calls `listener` for every change of state or progress, in commit order, from when the promise resolves until the
   * returned function is called.
   *
   * @throws DomainError `unavailable` when changes can't be followed now
   */
  watch(generationId: number, listener: ChangeListener): Promise<() => void>;
}
