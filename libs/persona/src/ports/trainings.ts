import type { Page, PageRequest } from '#kernel';
import type { Slot } from '../domain/slot.ts';
import type {
  CreatedTraining,
  FailedTraining,
  NewTraining,
  ProcessedTraining,
  Training,
  TrainingKind,
} from '../domain/training.ts';

/** A training with the object key of its file, where it has one. */
export type TrainingRecord = Training & { readonly fileKey: string | null };

/** A training that is no longer there. */
export interface RemovedTraining {
  readonly id: number;
  /** The file that it referred to, which may not be needed any more. */
  readonly fileId: number | null;
}

/** Where a training is: under its id, or in a slot. */
export type TrainingPlace = { readonly trainingId: number } | { readonly slot: Slot };

/**
 * The trainings of personas. Those of a persona that was deleted, or is of another workspace than asked for, are
 * not there. A slot has at most one training, and what replaces it takes its place in the same instant.
 */
export interface Trainings {
  /**
   * Adds a training. The persona must be held by the surrounding unit of work; for a training with a slot its
   * slots must be held.
   *
   * @returns its id, and the training that was in its slot before
   */
  add(training: NewTraining): Promise<{ readonly id: number; readonly replaced: RemovedTraining | null }>;

  /**
   * The training, which nobody else can change or remove until the surrounding unit of work ends; the slots of its
   * persona are held with it.
   */
  hold(workspaceId: number, personaId: number, trainingId: number): Promise<Training | null>;

  /**
   * Saves a training that the surrounding unit of work holds.
   *
   * @returns the training that was in its slot before
   */
  save(training: Training): Promise<RemovedTraining | null>;

  /**
   * Records how the copying of a picture ended. False, without effect, when the training is gone, has another
   * picture by now, or has ended already.
   */
  settle(training: ProcessedTraining | FailedTraining): Promise<boolean>;

  /** The training while this picture of it is still to be copied; else `null`. */
  findUnsettled(trainingId: number, pictureVersion: number): Promise<CreatedTraining | null>;

  /** `null` when there is none. To empty a slot, the slots of the persona must be held. */
  remove(workspaceId: number, personaId: number, place: TrainingPlace): Promise<RemovedTraining | null>;

  read(workspaceId: number, personaId: number, trainingId: number): Promise<TrainingRecord | null>;

  /** Whether any persona of the workspace has this training. */
  exists(workspaceId: number, trainingId: number): Promise<boolean>;

  /** Newest first. `null` when the persona is not there. Needs one round trip. */
  list(
    workspaceId: number,
    personaId: number,
    kind: TrainingKind | null,
    page: PageRequest,
  ): Promise<Page<TrainingRecord> | null>;
}
