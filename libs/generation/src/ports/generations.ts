import type { Page, PageRequest } from '#kernel';
import type {
  EndedGeneration,
  GenerationError,
  GenerationRequest,
  GenerationState,
  OpenGeneration,
  Output,
  OutputThumbnail,
  Queued,
  Running,
} from '../domain/generation.ts';
import type { Model } from '../domain/model.ts';
import type { ParameterProblems, ParameterValues } from '../domain/parameters.ts';
import type { SlotPictures } from '../domain/resolve-inputs.ts';
import type { Submission } from '../domain/submission.ts';

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
  claim(id: number, attempt: number, at: Date): Promise<Claimed | null>;

  /** The request of a generation, open or ended; `null` when it is unknown. */
  requestOf(id: number): Promise<GenerationRequest | null>;

  /** Whether the run is current: false once the generation ended or a later run claimed it. */
  isCurrent(running: Running): Promise<boolean>;

  /** Whether the generation has not ended. */
  isOpen(id: number): Promise<boolean>;

  /** Records progress, 0..1, if the run is current; returns whether it is. */
  progress(running: Running, fraction: number): Promise<boolean>;

  /**
   * Records the end of the generation with its outputs, and removes its references to input files, if it is open and
   * still has the attempt of `ended`; otherwise changes nothing and returns `null`. Of concurrent calls one records it.
   * With the generation its submission is closed, or marked as one whose provider has to be told. The caller has locked
   * the generation, or is its current run.
   */
  save(ended: EndedGeneration): Promise<SavedEnd | null>;

  /** The open generations of a persona, at most 100. */
  openOf(personaId: number): Promise<readonly number[]>;
}

export interface Claimed extends Running {
  /** Whether its persona is there. */
  readonly hasPersona: boolean;
  readonly submission: Submission | null;
}

export interface SavedEnd {
  /** Whether a provider may still work for it. */
  readonly hasToCancel: boolean;
}

/** Calls the webhooks of callers. */
export interface CallerWebhooks {
  /** Schedules the call for a generation that ends in the surrounding unit of work. */
  schedule(ended: {
    readonly workspaceId: number;
    readonly generationId: number;
    readonly url: string;
    /** When it ended. */
    readonly createdAt: Date;
  }): Promise<void>;
}

/** What generations read of personas. */
export interface PersonaSlots {
  /**
   * The pictures in the filled slots; `null` when the persona is unknown, deleted, or in another workspace. The persona
   * and the files can't be deleted until the surrounding unit of work ends.
   */
  of(workspaceId: number, personaId: number): Promise<SlotPictures | null>;

  /** The oldest persona in the workspace that the user created, locked like that; `null` when there is none. */
  firstOf(workspaceId: number, userId: number): Promise<number | null>;
}

/** Checks parameters by the JSON Schemas that a model declares. */
export interface ParameterCheck {
  /** What is wrong with values of declared parameters, by name; each message follows the name. Empty if nothing is. */
  problemsOf(model: Model, values: ParameterValues): ParameterProblems;
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

export interface OutputView extends Omit<Output, 'fileId' | 'thumbnails'> {
  readonly key: string;
  readonly thumbnails: readonly (Omit<OutputThumbnail, 'fileId'> & { readonly key: string })[];
}

export interface PersonaGenerations {
  /** Newest first. */
  readonly newest: readonly GenerationView[];
  readonly count: number;
}

/** Which generations to list: those that match every field that is given. */
export interface GenerationFilter {
  readonly state?: GenerationState;
  readonly model?: string;
  readonly personaId?: number;
  readonly userId?: number;
  /** Created at this time or later. */
  readonly after?: Date;
  /** Created earlier than this. */
  readonly before?: Date;
}

/** Reads of generations. */
export interface GenerationViews {
  /** Newest first. */
  list(workspaceId: number, page: PageRequest, filter?: GenerationFilter): Promise<Page<GenerationView>>;

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
