/**
 * The end of files, in two steps that may be a crash apart: the record goes, and with it every way to refer to the
 * file; its bytes are deleted afterwards. Nothing here waits for anybody: a file that another unit of work holds is
 * left for later. Everything must be called inside a unit of work.
 */
export interface DiscardedFiles {
  /**
   * Discards temporary files whose time is over, and marks their uploads as expired.
   *
   * @param forgottenAt when the sweep may drop those uploads
   * @returns how many; fewer than `limit` when no more can be had now
   */
  discardExpired(now: Date, forgottenAt: Date, limit: number): Promise<number>;

  /**
   * Discards those of these files that nothing needs.
   *
   * @returns those that could not be looked at because somebody holds them
   */
  discardUnneeded(ids: readonly number[], now: Date): Promise<readonly number[]>;

  /**
   * Looks once at each file that was added a while ago, and discards those that nothing needs: whoever added them
   * did not get to the end.
   *
   * @returns how many were looked at; fewer than `limit` when no more can be had now
   */
  reviewAdded(now: Date, limit: number): Promise<number>;

  /**
   * Parts files from their deleted persona: discards those that nothing else refers to; the others have no persona
   * from then on.
   *
   * @returns how many; 0 when none is left or all that are left are held
   */
  partFromPersona(personaId: number, now: Date, limit: number): Promise<number>;

  /**
   * Some objects whose bytes no file has: of discarded files, and of keys that were reserved an hour ago and got no
   * file. They are forgotten when the surrounding unit of work is committed, so delete them in it.
   *
   * @returns their keys; fewer than `limit` when no more can be had now
   */
  takeObjects(now: Date, limit: number): Promise<readonly string[]>;

  /** Deletes the record of a deleted persona that has no files and uploads left. False when it still has some. */
  removePersona(personaId: number): Promise<boolean>;
}
