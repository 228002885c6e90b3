import type {
  AllocatedUpload,
  Finalization,
  FinalizedUpload,
  FrozenUpload,
  NewUpload,
  Upload,
} from '../domain/upload.ts';

/**
 * The records of uploads. Each change is made only if the record is still in the state that it is made from. What
 * belongs to a deleted persona is not there.
 */
export interface Uploads {
  /**
   * Records an upload in one statement. `null` when its persona is not in the workspace or, for one that names no
   * persona, when the user has made none there.
   */
  allocate(upload: NewUpload): Promise<AllocatedUpload | null>;

  /** The upload with this token; `null` also when it is in another workspace. */
  find(workspaceId: number, token: string): Promise<Upload | null>;

  /** Saves an allocated upload as frozen. False when it is no longer allocated. */
  freeze(upload: FrozenUpload): Promise<boolean>;

  /** Makes a frozen upload an allocated one again, if it is still frozen under the same key. */
  thaw(upload: FrozenUpload): Promise<void>;

  /**
   * Records the file and saves the upload as finalized, both or none. `null` when the upload is no longer frozen
   * under the same key, or its persona was deleted.
   */
  finalize(finalization: Finalization): Promise<FinalizedUpload | null>;

  /**
   * Some uploads whose `cleanUpAt` has come, first those that wait longest; those of a deleted persona too.
   * Nobody else gets or changes them until the surrounding unit of work ends.
   */
  takeDue(now: Date, limit: number): Promise<readonly Upload[]>;

  /** The same, of one persona, whether due or not. */
  takeOfPersona(personaId: number, limit: number): Promise<readonly Upload[]>;

  /** Notes that these were cleaned up; drops the record of all but finalized ones. */
  settle(ids: readonly number[]): Promise<void>;

  drop(ids: readonly number[]): Promise<void>;
}
