/** The state that decides where a file is seen. */
export interface FileState {
  /** Only what is in the trash refers to it. */
  readonly isInTrash: boolean;
  /** People deleted the item of the library that it is. */
  readonly isRemoved: boolean;
  readonly hasDeletedPersona: boolean;
  /** A slot, a board, a style, a link, an avatar or an open generation uses it, and is not deleted. */
  readonly isUsed: boolean;
}

/** A file, and the picture that it is a thumbnail of. */
export interface SeenFile extends FileState {
  readonly picture: FileState | null;
}

/**
 * Where a file may be seen: by its URL, by anybody who was given that, vendors and guests among them; as an output of its
 * generation, and in zips of that; as an item of the library. A board and a link show what is on them.
 */
export type Place = 'url' | 'output' | 'library';

/**
 * Reports who may see a file, by its place. A used file is seen by its URL also after its item or its persona was deleted,
 * and a thumbnail with its picture. Lists repeat the rule in SQL: `isShownOutput` and `isVisible`.
 */
export function isSeen(place: Place, file: SeenFile): boolean {
  if (place === 'library') return !file.isInTrash && !file.isRemoved && !file.hasDeletedPersona;
  if (place === 'output') return !file.isRemoved && isSeenItself(file);
  return isSeenItself(file) && (file.picture === null || isSeenItself(file.picture) || file.isUsed);
}

function isSeenItself({ isInTrash, isRemoved, hasDeletedPersona, isUsed }: FileState): boolean {
  return !isInTrash && (isUsed || (!isRemoved && !hasDeletedPersona));
}
