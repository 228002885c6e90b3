/** How far the nightly comparison of storage and records has come; `null` for the beginning. */
export interface ReconciliationCursor {
  /** The key of the last object that was looked at. */
  readonly object: string | null;
  /** The id of the last file that was looked at. */
  readonly file: number | null;
}

/** What the records say about what should be in the object storage. */
export interface StorageRecords {
  /**
   * Those of these keys, which `staging/`, `frozen/` and `files/` objects have, that no file, no upload under way and
   * no deletion that is due accounts for.
   */
  unaccounted(keys: readonly string[]): Promise<readonly string[]>;

  /** The files added before `before` with an id above `after`, by id. */
  filesAfter(
    after: number | null,
    before: Date,
    limit: number,
  ): Promise<readonly { readonly id: number; readonly key: string }[]>;

  /** Which of these files there are still. */
  stillThere(ids: readonly number[]): Promise<readonly number[]>;

  /**
   * Deletes the records of those of these files that no training, media or generation refers to.
   *
   * @returns the ids of those that were deleted
   */
  removeUnreferred(ids: readonly number[]): Promise<readonly number[]>;

  /** Takes the turn of the day of `now` (UTC), which one caller gets; `null` for all others. */
  takeNight(now: Date): Promise<ReconciliationCursor | null>;

  /** Notes where the next night goes on. */
  goOnFrom(cursor: ReconciliationCursor): Promise<void>;
}
