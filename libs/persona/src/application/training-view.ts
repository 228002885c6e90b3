import type { ObjectStorage } from '#files';
import type { Slot } from '../domain/slot.ts';
import type { Training, TrainingState } from '../domain/training.ts';

/** Where the object storage serves its files. */
export type PublicUrls = Pick<ObjectStorage, 'publicUrl'>;

/** A training as callers see it. */
export interface TrainingView {
  readonly id: number;
  readonly slot: Slot | null;
  readonly image: string;
  readonly extras: string | null;
  readonly info: string | null;
  readonly state: TrainingState;
  readonly error: string | null;
  readonly createdAt: Date;
}

export function trainingView(training: Training, fileKey: string | null, urls: PublicUrls): TrainingView {
  const { id, slot, extras, info, state, error, createdAt } = training;
  return {
    id,
    slot,
    image: shownUrl(training.sourceUrl, fileKey, urls),
    extras,
    info,
    state,
    error,
    createdAt,
  };
}

/** The public URL of the file once the picture is one, and until then the URL that was given. */
export function shownUrl(sourceUrl: string, fileKey: string | null, urls: PublicUrls): string {
  return fileKey === null ? sourceUrl : urls.publicUrl(fileKey);
}
