import type { Picture } from '#files';
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
} from '../domain/generation.ts';
import type { Lineage, OutputReference } from '../domain/lineage.ts';
import type { SlotPictures } from '../domain/resolve-inputs.ts';
import type { Submission } from '../domain/submission.ts';

/** Generations and their current runs. */
export interface GenerationStore {
  /**
   * Records an accepted request. The caller has locked the input files. The user can't be removed from the workspace
   * until the surrounding unit of work ends.
   *
   * @throws DomainError `conflict` when the user is no longer a member of the workspace
   */
  add(request: GenerationRequest): Promise<Queued>;

  /**
   * Like `add`, for several requests of one user in one workspace.
   *
   * @returns the ids in the order of the requests
   */
  addAll(requests: readonly GenerationRequest[]): Promise<readonly number[]>;

  /**
   * Locks and reads a generation until the surrounding unit of work ends; for an ended generation, only its state.
   * `null` when it is unknown or in another workspace.
   */
  lock(id: number, workspaceId?: number): Promise<OpenGeneration | Pick<EndedGeneration, 'state'> | null>;

  /**
   * Makes `attempt` the current run of the generation. `null` when the generation has ended or is unknown, or when this
   * or a later attempt has already claimed it.
   */
  claim(id: number, attempt: number, at: Date): Promise<Claimed | null>;

  /** The request of a generation, open or ended; `null` when it is unknown. */
  requestOf(id: number): Promise<GenerationRequest | null>;

  /** Reports whether the run is current: false after the generation has ended or a later run has claimed it. */
  isCurrent(running: Running): Promise<boolean>;

  /** Reports whether the generation has not ended. */
  isOpen(id: number): Promise<boolean>;

  /** Records progress, 0..1, if the run is current; returns whether it is. */
  progress(running: Running, fraction: number): Promise<boolean>;

  /**
   * Records the end of a generation and its outputs, removes its references to input files, and closes its submission or
   * marks it as canceling. Has no effect and returns `null` unless the generation is open and its current run is the
   * attempt of `ended`: of concurrent calls, exactly one takes effect. The caller has locked the generation or is its
   * current run.
   */
  save(ended: EndedGeneration): Promise<SavedEnd | null>;

  /**
   * Reports whether callers see an output of a generation; `null` when the generation is unknown or in another
   * workspace.
   */
  hasOutput(workspaceId: number, output: OutputReference): Promise<boolean | null>;

  /** Ids of open generations of a persona or a workspace, at most 100. */
  openOf(place: { readonly personaId: number } | { readonly workspaceId: number }): Promise<readonly number[]>;
}

export interface Claimed extends Running {
  /** True if its persona still exists. */
  readonly hasPersona: boolean;
  readonly submission: Submission | null;
}

export interface SavedEnd {
  /** True if its job is to be canceled at a provider. */
  readonly hasToCancel: boolean;
}

/** Is informed of the ends of cells. */
export interface CellEnds {
  /**
   * Ends the batch if its last open cell ends in the surrounding unit of work, which has saved that end. Locks the batch:
   * the caller holds the lock of the generation, and locks credits later.
   */
  cellEnded(batchId: number, at: Date): Promise<void>;
}

/** Reads of personas for generations. */
export interface PersonaSlots {
  /**
   * The pictures in the filled slots; `null` when the persona is unknown, deleted, or in another workspace. The persona
   * and the files can't be deleted until the surrounding unit of work ends.
   */
  slotsOf(workspaceId: number, personaId: number): Promise<SlotPictures | null>;

  /** The oldest persona that the user created in the workspace, locked in the same way; `null` when there is none. */
  firstPersonaOf(workspaceId: number, userId: number): Promise<number | null>;
}

/** A generation as its workspace sees it. */
export interface GenerationView {
  readonly id: number;
  readonly request: GenerationRequest;
  readonly state: GenerationState;
  /** 0..1 */
  readonly progress: number;
  /** Without outputs whose files were deleted. */
  readonly outputs: readonly OutputView[];
  readonly error: GenerationError | null;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

export interface OutputView extends Output, Picture {
  /** Its place among the outputs that were made, from 0. */
  readonly index: number;
}

export interface PersonaGenerations {
  readonly newest: readonly GenerationView[];
  readonly count: number;
}

/** Selects the generations that match all given fields. */
export interface GenerationFilter {
  readonly state?: GenerationState;
  readonly model?: string;
  readonly personaId?: number;
  readonly userId?: number;
  /** Cells of this batch, also those that a retry has replaced. */
  readonly batchId?: number;
  /** True for those of no batch, false for cells. */
  readonly isSingle?: boolean;
  readonly customer?: string;
  /** Created at this time or later. */
  readonly after?: Date;
  /** Created earlier than this. */
  readonly before?: Date;
}

/** Reads of generations. */
export interface GenerationViews {
  /** Newest first. */
  list(workspaceId: number, page: PageRequest, filter?: GenerationFilter): Promise<Page<GenerationView>>;

  /** The newest generations of a persona, newest first, and the count of all. */
  listForPersona(workspaceId: number, personaId: number, limit: number): Promise<PersonaGenerations>;

  /** @throws DomainError `not_found` when it is unknown or in another workspace */
  get(workspaceId: number, id: number): Promise<GenerationView>;

  /**
   * Where a generation came from, and what came of it: without generations that failed or were canceled, and without
   * those whose outputs were deleted.
   *
   * @throws DomainError `not_found` when it is unknown or in another workspace
   */
  lineage(workspaceId: number, id: number): Promise<Lineage<GenerationView>>;
}

export type GenerationChange = Pick<GenerationView, 'state' | 'progress'>;

/** Called for each change. After `missed`, changes may be lost and the generation has to be read again. */
export type ChangeListener = (change: GenerationChange | 'missed') => void;

/** Committed changes of generations, from all processes. */
export interface GenerationSignals {
  /**
   * Calls `listener` for every change of state or progress, in commit order, from when the promise resolves until the
   * returned function is called.
   *
   * @throws DomainError `unavailable` when the subscription fails
   */
  watch(generationId: number, listener: ChangeListener): Promise<() => void>;

  /**
   * Calls `listener` after every change of a batch or of the state of its cells, as `watch` does.
   *
   * @throws DomainError `unavailable` when the subscription fails
   */
  watchBatch(batchId: number, listener: () => void): Promise<() => void>;
}
