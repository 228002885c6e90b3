/** Room for files that live as long as one piece of work. */
export interface ScratchFolders {
  /** Makes an empty folder, does `work`, and removes the folder with all that is in it, however `work` ends. */
  use<T>(work: (folder: string) => Promise<T>): Promise<T>;
}
