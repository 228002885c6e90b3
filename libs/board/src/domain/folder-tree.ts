import { DomainError } from '#kernel';

/** How deep folders nest: a folder at the board's root has depth 1. */
export const MAX_DEPTH = 50;

/** The target of a new or moved folder, as read under the board's lock. */
export interface Placement {
  /** The folders from the board's root down to the new parent; empty for the root itself. */
  readonly path: readonly number[];
  /** The folder that moves; `null` for a new one. */
  readonly folderId: number | null;
  /** Levels of the moved folder and the folders below it: 1 for a folder without subfolders. */
  readonly height: number;
}

/** Reports whether a folder of `height` levels under the folders of `path` would nest too deep. */
export function isTooDeep({ path, height }: Omit<Placement, 'folderId'>): boolean {
  return path.length + height > MAX_DEPTH;
}

/**
 * Folders form a tree of at most `MAX_DEPTH` levels. Moves on one board run one after the other
 * (`Folders.lock`), so that each placement is checked against the tree that it changes;
 * test/contracts/boards.test.ts races moves.
 *
 * @throws DomainError `folder_cycle` for a place within the folder itself; `validation_failed` for one too deep
 */
export function checkPlacement({ path, folderId, height }: Placement): void {
  if (folderId !== null && path.includes(folderId)) {
    throw new DomainError('folder_cycle', 'a folder cannot lie in itself: choose another parent_id');
  }
  if (isTooDeep({ path, height })) {
    throw new DomainError('validation_failed', `folders nest at most ${MAX_DEPTH} deep`, {
      fields: { parent_id: [`must be less deep: folders nest at most ${MAX_DEPTH} deep`] },
    });
  }
}
