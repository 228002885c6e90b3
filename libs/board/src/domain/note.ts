import { plainTextOf } from '#kernel';

export const MAX_NOTE_LENGTH = 4_000;

/** A text between the media items of a folder. */
export interface Note {
  readonly id: number;
  readonly boardId: number;
  /** `null` at the board's root. */
  readonly folderId: number | null;
  readonly text: string;
  /** Place among the items of the folder. */
  readonly place: number;
  readonly createdBy: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** @throws DomainError `validation_failed` unless 1 to 4,000 characters are left after trimming */
export function noteTextOf(text: string): string {
  return plainTextOf('text', text, { min: 1, max: MAX_NOTE_LENGTH });
}
