import type { Deletion, StoredFile } from '#files';
import type { CustomData, Page, PageRequest } from '#kernel';
import type { Persona, PersonaProfile } from './domain/persona.ts';
import type { Slot } from './domain/slot.ts';
import type {
  CreatedTraining,
  FailedTraining,
  NewTraining,
  ProcessedTraining,
  Training,
  TrainingKind,
} from './domain/training.ts';

export type NewPersona = Omit<Persona, 'id' | 'updatedAt'>;

/** Personas that are not deleted. A persona of another workspace than the given one is not found. */
export interface PersonaStore {
  add(persona: NewPersona): Promise<Persona>;

  /**
   * Adds the persona if its creator is a member of the workspace and has created no persona there. Of concurrent calls,
   * one adds it. Must be called inside a unit of work.
   */
  addFirst(persona: NewPersona): Promise<void>;

  find(workspaceId: number, personaId: number): Promise<Persona | null>;

  /** Prevents the deletion of the persona until the surrounding unit of work ends. False when it is not found. */
  lock(workspaceId: number, personaId: number): Promise<boolean>;

  /**
   * Locks the persona exclusively and records a change of its trainings or outputs: `updatedAt` becomes `at` unless it is
   * later. False when the persona is not found.
   */
  touch(workspaceId: number, personaId: number, at: Date): Promise<boolean>;

  /** Changes the given fields and no others. False when the persona is not found. */
  update(
    workspaceId: number,
    personaId: number,
    changes: Partial<PersonaProfile & CustomData>,
    updatedAt: Date,
  ): Promise<boolean>;

  /**
   * Deletes the persona with its trainings; waits for locks on it. Must be called inside a unit of work.
   *
   * @returns its entry of the trash; `null` when the persona is not found
   */
  delete(workspaceId: number, personaId: number, deletion: Deletion): Promise<number | null>;
}

/** A training and the file of its picture, if it has one. */
export type TrainingRecord = Training & { readonly file: Pick<StoredFile, 'key' | 'contentType'> | null };

/** A training that was removed. */
export interface RemovedTraining {
  readonly id: number;
  /** The file of the training, which may be unreferenced now. */
  readonly fileId: number | null;
}

/** Identifies a training by its id or its slot. */
export type TrainingPlace = { readonly trainingId: number } | { readonly slot: Slot };

/**
 * Trainings of personas that are not deleted. A training of another persona or workspace than the given one is not
 * found. A slot has at most one training at any time; replacing it leaves no moment at which the slot is empty.
 */
export interface TrainingStore {
  /**
   * Adds a training, and removes the training that was in its slot. The surrounding unit of work must have touched the
   * persona.
   *
   * @returns the id of the new training, and the removed training
   */
  add(training: NewTraining): Promise<{ readonly id: number; readonly replaced: RemovedTraining | null }>;

  /** Locks a training and the slots of its persona until the surrounding unit of work ends. */
  lock(workspaceId: number, personaId: number, trainingId: number): Promise<TrainingRecord | null>;

  /**
   * Saves a training that the surrounding unit of work has locked. A training in its new slot is removed.
   *
   * @returns the removed training
   */
  save(training: Training): Promise<RemovedTraining | null>;

  /** The training if this version of its picture is not yet copied. */
  findCreated(trainingId: number, pictureVersion: number): Promise<CreatedTraining | null>;

  /**
   * Saves the end of a created training. False, without effect, when the training was removed, has another picture or
   * has ended.
   */
  end(training: ProcessedTraining | FailedTraining): Promise<boolean>;

  /** The surrounding unit of work must have touched the persona. `null` when there is no such training. */
  remove(workspaceId: number, personaId: number, place: TrainingPlace): Promise<RemovedTraining | null>;
}

export interface PersonaSummary extends Persona {
  /** 0..7 */
  readonly slotsFilled: number;
  readonly likesCount: number;
}

/** Selects the personas that match all given fields. */
export interface PersonaFilter {
  /** Part of the name. */
  readonly search?: string | undefined;
  readonly customer?: string | undefined;
}

export interface PersonaDetails extends PersonaSummary {
  /** The trained style that generations use by default. */
  readonly activeStyle: { readonly id: number; readonly name: string } | null;
  /** Newest first. */
  readonly trainings: readonly TrainingRecord[];
}

/** Reads for responses. */
export interface PersonaViews {
  persona(workspaceId: number, personaId: number): Promise<PersonaDetails | null>;

  /** Newest first; with `search`, only those whose name contains it, in any case. */
  personas(workspaceId: number, page: PageRequest, only?: PersonaFilter): Promise<Page<PersonaSummary>>;

  training(workspaceId: number, personaId: number, trainingId: number): Promise<TrainingRecord | null>;

  hasTraining(workspaceId: number, personaId: number, trainingId: number): Promise<boolean>;

  /** Newest first, of one kind or both. `null` when the persona is not found. */
  trainings(
    workspaceId: number,
    personaId: number,
    kind: TrainingKind | null,
    page: PageRequest,
  ): Promise<Page<TrainingRecord> | null>;
}
