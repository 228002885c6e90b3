import type { FolderDto, MediaDto } from '../../api/index.ts';

export interface FolderNode extends FolderDto {
  readonly depth: number;
  readonly children: readonly FolderNode[];
  /** Media directly in it. */
  readonly media: number;
  /** The contents that are deleted with the folder. */
  readonly inside: Inside;
}

export interface Inside {
  readonly folders: number;
  readonly media: number;
}

export interface FolderTree {
  /** Sorted by name, as the children of each folder. */
  readonly roots: readonly FolderNode[];
  readonly byId: ReadonlyMap<number, FolderNode>;
}

export function treeOf(folders: readonly FolderDto[], media: readonly Pick<MediaDto, 'folder_id'>[]): FolderTree {
  const byId = new Map<number, FolderNode>();
  const byParent = Map.groupBy(folders, ({ parent_id }) => parent_id);
  const mediaIn = new Map<number | null, number>();
  for (const { folder_id } of media) mediaIn.set(folder_id, (mediaIn.get(folder_id) ?? 0) + 1);

  const nodesIn = (parentId: number | null, depth: number): FolderNode[] =>
    (byParent.get(parentId) ?? []).toSorted(byName).map((folder) => nodeOf(folder, depth));
  const nodeOf = (folder: FolderDto, depth: number): FolderNode => {
    const children = nodesIn(folder.id, depth + 1);
    const own = mediaIn.get(folder.id) ?? 0;
    const inside = {
      folders: children.reduce((sum, child) => sum + 1 + child.inside.folders, 0),
      media: children.reduce((sum, child) => sum + child.inside.media, own),
    };
    const node = { ...folder, depth, children, media: own, inside };
    byId.set(folder.id, node);
    return node;
  };
  return { roots: nodesIn(null, 0), byId };
}

const names = new Intl.Collator(undefined, { numeric: true });
const byName = (one: FolderDto, other: FolderDto) => names.compare(one.name, other.name) || one.id - other.id;

/** The folders from the outermost to the folder itself; empty for the board's root and for unknown folders. */
export function pathTo({ byId }: FolderTree, folderId: number | null): FolderNode[] {
  const path: FolderNode[] = [];
  for (let node = byId.get(folderId ?? 0); node; node = byId.get(node.parent_id ?? 0)) path.unshift(node);
  return path;
}

/** The visible folders while the `expanded` folders are open, each before its children. */
export function rowsOf({ roots }: FolderTree, expanded: (id: number) => boolean): FolderNode[] {
  const rows = (nodes: readonly FolderNode[]): FolderNode[] =>
    nodes.flatMap((node) => [node, ...(expanded(node.id) ? rows(node.children) : [])]);
  return rows(roots);
}

/** Reports whether the folder can be moved there: not to where it is, nor into itself. */
export function canMoveInto(tree: FolderTree, folderId: number, parentId: number | null): boolean {
  if (tree.byId.get(folderId)?.parent_id === parentId) return false;
  return !pathTo(tree, parentId).some(({ id }) => id === folderId);
}
