import type { Readable } from 'node:stream';

/** Room on this machine for the time of one piece of work. */
export interface TemporaryFolders {
  /**
   * Runs `work` with the path of an empty folder that nobody else uses, and deletes the folder with all that is in it
   * afterwards, whatever became of the work. What a crash leaves behind is deleted at a later start.
   */
  use<T>(work: (folder: string) => Promise<T>): Promise<T>;

  /**
   * Writes what `bytes` yields to the file `target`.
   *
   * @throws the error of `bytes`, or the signal's reason when it is aborted
   */
  save(bytes: Readable, target: string, signal?: AbortSignal): Promise<void>;

  /** The first bytes of a file: `length` of them, or all there are. */
  head(file: string, length: number): Promise<Buffer>;
}
