/** Folders nest this deep: a folder at the board's root has depth 1. */
export const MAX_DEPTH = 50;

/** Where a folder is to be put. */
export interface Placement {
  /** The folders above the place, from the board's root down to the new parent; empty for the root itself. */
  readonly path: readonly number[];
  /** The folder that moves; `null` for a new one. */
  readonly folderId: number | null;
  /** Levels that the folder brings along: 1 for one without subfolders. */
  readonly height: number;
}

export type PlacementRefusal = 'folder_cycle' | 'too_deep';

/** A folder never comes to lie in itself or below itself, and no folder lies deeper than `MAX_DEPTH`. */
export function refusalOf({ path, folderId, height }: Placement): PlacementRefusal | null {
  if (folderId !== null && path.includes(folderId)) return 'folder_cycle';
  if (path.length + height > MAX_DEPTH) return 'too_deep';
  return null;
}

/** What is under each folder, from the parent of each. */
export type Parents = ReadonlyMap<number, number | null>;

/** The folders from the root down to `folderId`, this one included. */
export function pathTo(parents: Parents, folderId: number | null): number[] {
  const path: number[] = [];
  for (let at = folderId; at !== null; at = parents.get(at) ?? null) path.unshift(at);
  return path;
}

/** The folder and all that lie below it: what a delete takes with it. */
export function subtreeOf(parents: Parents, folderId: number): Set<number> {
  const children = new Map<number, number[]>();
  for (const [id, parent] of parents) {
    if (parent !== null) children.set(parent, [...(children.get(parent) ?? []), id]);
  }
  const subtree = new Set<number>();
  const open = [folderId];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    subtree.add(id);
    open.push(...(children.get(id) ?? []));
  }
  return subtree;
}

/** Levels of the folder and what lies below it. */
export function heightOf(parents: Parents, folderId: number): number {
  const above = pathTo(parents, folderId).length - 1;
  return Math.max(...[...subtreeOf(parents, folderId)].map((id) => pathTo(parents, id).length)) - above;
}
