import type { StoredFile } from '../domain/stored-file.ts';

/** The records of saved files. A file that is being reclaimed is no longer there. */
export interface Files {
  /** Records a file whose bytes are published already, and gives it its id. */
  add(file: Omit<StoredFile, 'id'>): Promise<StoredFile>;

  /**
   * The file, kept from being reclaimed until the surrounding unit of work ends (a reference saved in it then
   * keeps the file); `null` when it is unknown, in another workspace, or being reclaimed.
   */
  holdByKey(workspaceId: number, key: string): Promise<StoredFile | null>;

  find(id: number): Promise<StoredFile | null>;
}
