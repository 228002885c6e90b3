import type { Page, PageRequest } from '#kernel';
import type { NewFile, StoredFile } from '../domain/stored-file.ts';

/** The records of saved files. */
export interface Files {
  /**
   * Notes, at once and whatever becomes of the surrounding unit of work, that bytes are about to be published
   * under `key`. When no file is added for the key within an hour, the sweep deletes them.
   */
  reserve(key: string, now: Date): Promise<void>;

  /**
   * Records a file whose bytes are published under a reserved key, and gives it its id. Its persona becomes `null`
   * when that was deleted. When nothing needs the file an hour later, the sweep deletes it.
   *
   * @throws DomainError `conflict` when the key is not reserved (any longer)
   */
  add(file: NewFile): Promise<StoredFile>;

  /**
   * The file, kept from being reclaimed until the surrounding unit of work ends (a reference saved in it then
   * keeps the file); `null` when it is unknown or in another workspace.
   */
  holdByKey(workspaceId: number, key: string): Promise<StoredFile | null>;

  find(id: number): Promise<StoredFile | null>;

  /**
   * The files that live with a persona, newest first, without temporary ones whose time is over; `null` when the
   * persona is not in the workspace. Needs one round trip.
   */
  list(
    workspaceId: number,
    personaId: number,
    page: PageRequest,
    now: Date,
  ): Promise<Page<StoredFile> | null>;
}
