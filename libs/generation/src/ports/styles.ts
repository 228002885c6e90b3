import type { GenerationError, GenerationState } from '../domain/generation.ts';
import type { ReadyStyle, TrainedStyle, TrainingPicture } from '../domain/trained-style.ts';

/** A style whose training is requested. */
export interface NewStyle extends Pick<TrainedStyle, 'name' | 'trigger'> {
  readonly workspaceId: number;
  readonly personaId: number;
  /** The model that trains it. */
  readonly model: string;
  readonly family: string | null;
  /** In order. */
  readonly pictures: readonly TrainingPicture[];
  readonly createdAt: Date;
}

/** The pictures of a persona that a style can be trained on; without those of failed trainings. */
export interface PersonaPictures {
  /** In slots 1 to 6, in order. */
  readonly slots: readonly TrainingPicture[];
  /** The trainings that were named, in slots or likes. A like may be of any type; null until its picture is stored. */
  readonly named: readonly (TrainingPicture & { readonly contentType: string | null })[];
}

/** A style of a persona that is not deleted, and its persona. */
export interface StyleId {
  readonly workspaceId: number;
  readonly personaId: number;
  readonly styleId: number;
}

/** Trained styles. All changes must be called in a unit of work. */
export interface StyleStore {
  /**
   * The pictures of a persona; `null` when the persona is not found. The persona and the files can't be deleted until the
   * surrounding unit of work ends.
   *
   * @param trainingIds the trainings to return as `named`, in any order
   */
  picturesOf(workspaceId: number, personaId: number, trainingIds: readonly number[]): Promise<PersonaPictures | null>;

  /** Adds a style and marks the trainings that are in the slots now. Returns its id. */
  add(style: NewStyle): Promise<number>;

  /** The ready styles of a persona. Their files can't be deleted until the surrounding unit of work ends. */
  ready(workspaceId: number, personaId: number): Promise<readonly ReadyStyle[]>;

  /**
   * Records what was trained. The style becomes active if its persona has no active one. The surrounding unit of work has
   * touched the persona.
   */
  complete(styleId: number, fileId: number): Promise<void>;

  /** Locks a style until the surrounding unit of work ends, and returns the generation that trains it. */
  lock(id: StyleId): Promise<{ readonly isReady: boolean; readonly generationId: number } | null>;

  rename(styleId: number, name: string): Promise<void>;

  /** Makes a style the active one of its persona, or none. The surrounding unit of work has touched the persona. */
  activate(personaId: number, styleId: number | null): Promise<void>;

  /** Deletes a style. Returns the files that it referred to. */
  remove(styleId: number, at: Date): Promise<readonly number[]>;
}

/** A style as its workspace sees it. */
export interface StyleView extends Pick<TrainedStyle, 'id' | 'name'> {
  readonly model: string;
  readonly family: string | null;
  /** State of the generation that trains it. */
  readonly state: GenerationState;
  readonly error: GenerationError | null;
  readonly generationId: number;
  readonly isActive: boolean;
  /** True if the trainings in slots 1 to 6 are others than those at the request. */
  readonly isOutdated: boolean;
  /** In order. */
  readonly pictures: readonly {
    readonly trainingId: number;
    readonly key: string | null;
    readonly url: string | null;
  }[];
  /** The key of the newest picture that was made with it; `null` before. */
  readonly preview: string | null;
  readonly createdAt: Date;
}

/** Reads of styles. */
export interface StyleViews {
  /** Newest first; `null` when the persona is not found. */
  list(workspaceId: number, personaId: number): Promise<readonly StyleView[] | null>;

  get(id: StyleId): Promise<StyleView | null>;
}
