import { invalidField } from '#kernel';
import type { Slot } from './slot.ts';
import { assertAtMost } from './text.ts';

interface TrainingBase {
  readonly id: number;
  readonly workspaceId: number;
  readonly personaId: number;
  /** `null` for a like. */
  readonly slot: Slot | null;
  /** The picture's URL as it was given. */
  readonly sourceUrl: string;
  /** The prompt of a liked design. */
  readonly extras: string | null;
  readonly info: string | null;
  readonly createdAt: Date;
  /** 1 for the first picture, and one more for each picture given instead. */
  readonly pictureVersion: number;
}

/** The picture is still to be copied into the object storage. */
export interface CreatedTraining extends TrainingBase {
  readonly state: 'created';
  readonly fileId: null;
  readonly error: null;
}

/** The picture is a file of the workspace. */
export interface ProcessedTraining extends TrainingBase {
  readonly state: 'processed';
  readonly fileId: number;
  readonly error: null;
}

/** The picture can't be had, or is none. */
export interface FailedTraining extends TrainingBase {
  readonly state: 'failed';
  readonly fileId: null;
  /** A code that says why, such as `not_an_image`. */
  readonly error: string;
}

/** A picture kept on a persona: in a slot, or as a like. */
export type Training = CreatedTraining | ProcessedTraining | FailedTraining;
export type TrainingState = Training['state'];

export type TrainingKind = 'like' | 'slot';

/** What is known of a training's picture: its file where it is one of the workspace, else `null`. */
export interface GivenPicture {
  readonly url: string;
  readonly fileId: number | null;
}

type WithoutId<T> = T extends Training ? Omit<T, 'id'> : never;
export type NewTraining = WithoutId<CreatedTraining | ProcessedTraining>;

/** Characters of `extras` and `info`, each. */
export const MAX_TRAINING_TEXT = 10_000;

export function newTraining(
  place: Pick<Training, 'workspaceId' | 'personaId' | 'slot'>,
  picture: GivenPicture,
  notes: Pick<Training, 'extras' | 'info'>,
  createdAt: Date,
): NewTraining {
  return { ...place, ...notes, createdAt, ...pictured(picture, 1) };
}

/** The training with another picture: what became of the one before no longer matters. */
export function withPicture(training: Training, picture: GivenPicture): CreatedTraining | ProcessedTraining {
  return { ...training, ...pictured(picture, training.pictureVersion + 1) };
}

function pictured(
  picture: GivenPicture,
  pictureVersion: number,
):
  | Pick<CreatedTraining, 'sourceUrl' | 'pictureVersion' | 'state' | 'fileId' | 'error'>
  | Pick<ProcessedTraining, 'sourceUrl' | 'pictureVersion' | 'state' | 'fileId' | 'error'> {
  const { url: sourceUrl, fileId } = picture;
  return fileId === null
    ? { sourceUrl, pictureVersion, state: 'created', fileId, error: null }
    : { sourceUrl, pictureVersion, state: 'processed', fileId, error: null };
}

export function processed(training: CreatedTraining, fileId: number): ProcessedTraining {
  return { ...training, state: 'processed', fileId };
}

export function failed(training: CreatedTraining, error: string): FailedTraining {
  return { ...training, state: 'failed', error };
}

/** @throws DomainError `validation_failed` */
export function checkedNotes<Notes extends Partial<Pick<Training, 'extras' | 'info'>>>(notes: Notes): Notes {
  assertAtMost(MAX_TRAINING_TEXT, 'extras', notes.extras);
  assertAtMost(MAX_TRAINING_TEXT, 'info', notes.info);
  return notes;
}

/**
 * Generators read slots, so only a picture can fill one.
 *
 * @param field the field that would bring another kind of file into a slot
 * @throws DomainError `validation_failed`
 */
export function assertPicture(contentType: string, field: string): void {
  if (!contentType.startsWith('image/')) throw invalidField(field, 'must be a picture to fill a slot');
}
