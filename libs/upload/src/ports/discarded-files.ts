/** A file that is being reclaimed: nobody can refer to it any more, and its bytes are to be deleted. */
export interface DoomedFile {
  readonly id: number;
  readonly key: string;
}

/**
 * The end of files, in two steps that may be a crash apart: a file is doomed, which makes it unreachable and is
 * never taken back; then its bytes and at last its record are deleted. Nothing here waits for anybody: a file that
 * another unit of work holds is left for later. Everything here must be called inside a unit of work.
 */
export interface DiscardedFiles {
  /**
   * Dooms temporary files whose time is over, and marks their uploads as expired.
   *
   * @param forgottenAt when the sweep may drop those uploads
   * @returns how many; fewer than `limit` when no more can be had now
   */
  doomExpired(now: Date, forgottenAt: Date, limit: number): Promise<number>;

  /**
   * Dooms those of these files that nothing needs.
   *
   * @returns those that could not be looked at because somebody holds them
   */
  doomUnneeded(ids: readonly number[], now: Date): Promise<readonly number[]>;

  /**
   * Looks once at each file that was added a while ago, and dooms those that nothing needs: whoever added them
   * did not get to the end.
   *
   * @returns how many were looked at; fewer than `limit` when no more can be had now
   */
  reviewAdded(now: Date, limit: number): Promise<number>;

  /**
   * Parts files from their deleted persona: dooms those that nothing else refers to; the others have no persona
   * from then on.
   *
   * @returns how many; 0 when none is left or all that are left are held
   */
  partFromPersona(personaId: number, now: Date, limit: number): Promise<number>;

  /** Some doomed files. Nobody else gets them until the surrounding unit of work ends. */
  takeDoomed(limit: number): Promise<readonly DoomedFile[]>;

  /** Deletes the records of doomed files. What referred to one refers to nothing then. */
  remove(ids: readonly number[]): Promise<void>;

  /** Some keys that were reserved before `before` and never got a file, with their reservations deleted. */
  takeAbandoned(before: Date, limit: number): Promise<readonly string[]>;

  /** Deletes the record of a deleted persona that has no files and uploads left. False when it still has some. */
  removePersona(personaId: number): Promise<boolean>;
}
