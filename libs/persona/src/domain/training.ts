import { invalidField } from '#kernel';
import { assertAtMost } from './persona.ts';
import type { Slot } from './slot.ts';

interface TrainingBase {
  readonly id: number;
  readonly workspaceId: number;
  readonly personaId: number;
  /** `null` for a like. */
  readonly slot: Slot | null;
  /** The picture's URL as the caller gave it. A picture with a file is shown by the file's key instead. */
  readonly sourceUrl: string;
  /** The prompt of a liked design. */
  readonly extras: string | null;
  readonly info: string | null;
  readonly createdAt: Date;
  /** Number of pictures given so far. */
  readonly pictureVersion: number;
}

interface TrainingIn<State, FileId, Error> extends TrainingBase {
  readonly state: State;
  readonly fileId: FileId;
  readonly error: Error;
}

/** The picture is not yet copied into the object storage. */
export type CreatedTraining = TrainingIn<'created', null, null>;

/** The picture is a file of the workspace. */
export type ProcessedTraining = TrainingIn<'processed', number, null>;

/** The picture is unusable. The error is a code such as `not_an_image`. */
export type FailedTraining = TrainingIn<'failed', null, string>;

/** A picture of a persona: in a slot, or as a like. */
export type Training = CreatedTraining | ProcessedTraining | FailedTraining;
export type TrainingState = Training['state'];

export type TrainingKind = 'like' | 'slot';

/** A picture as given: its URL, and its file if the URL belongs to a stored file. */
export interface GivenPicture {
  readonly url: string;
  readonly fileId: number | null;
}

type WithoutId<T> = T extends Training ? Omit<T, 'id'> : never;
export type NewTraining = WithoutId<CreatedTraining | ProcessedTraining>;

/** Characters of `extras` and `info`, each. */
export const MAX_TRAINING_TEXT = 10_000;

export function newTraining(
  target: Pick<Training, 'workspaceId' | 'personaId' | 'slot'>,
  picture: GivenPicture,
  notes: Pick<Training, 'extras' | 'info'>,
  createdAt: Date,
): NewTraining {
  return { ...target, ...notes, createdAt, ...pictured(picture, 1) };
}

/** Replaces the picture, in any state. */
export function withPicture(training: Training, picture: GivenPicture): CreatedTraining | ProcessedTraining {
  return { ...training, ...pictured(picture, training.pictureVersion + 1) };
}

function pictured({ url: sourceUrl, fileId }: GivenPicture, pictureVersion: number) {
  const picture = { sourceUrl, pictureVersion, error: null };
  return fileId === null
    ? { ...picture, state: 'created' as const, fileId }
    : { ...picture, state: 'processed' as const, fileId };
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
 * Only a picture can fill a slot, because generators read slots.
 *
 * @param field the field of the request that names the file
 * @throws DomainError `validation_failed`
 */
export function assertPicture(contentType: string, field: string): void {
  if (!contentType.startsWith('image/')) throw invalidField(field, 'must be a picture to fill a slot');
}
