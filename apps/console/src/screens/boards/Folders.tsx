import { Folder } from 'lucide-react';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { useDrag } from '../../ui/index.ts';
import { type DropHandlers, useFolderTarget } from './drag-and-drop.ts';
import type { FolderNode } from './folder-tree.ts';
import classes from './Folders.module.css';
import { words } from './words.ts';

interface FoldersProps {
  readonly boardId: number;
  readonly folders: readonly FolderNode[];
  readonly handlers: DropHandlers;
}

/** The folders within the open folder, as cards. */
export function Folders({ boardId, folders, handlers }: FoldersProps) {
  return (
    <ul className={classes.cards} aria-label={words.folders}>
      {folders.map((folder) => (
        <FolderCard key={folder.id} boardId={boardId} folder={folder} handlers={handlers} />
      ))}
    </ul>
  );
}

interface FolderCardProps extends Omit<FoldersProps, 'folders'> {
  readonly folder: FolderNode;
}

function FolderCard({ boardId, folder, handlers }: FolderCardProps) {
  const element = useRef<HTMLLIElement>(null);
  const isOver = useFolderTarget(element, folder.id, handlers);
  useDrag(element, () => ({ cargo: { kind: 'folder', id: folder.id }, label: folder.name }));
  return (
    <li ref={element} className={classes.card} data-over={isOver || undefined}>
      <Link {...folderLink(boardId, folder.id)} className={classes.link} draggable={false}>
        <span className={classes.icon}>
          <Folder size={20} aria-hidden />
        </span>
        <span className={classes.text}>
          <span className={classes.name} dir="auto" title={folder.name}>
            {folder.name}
          </span>
          <span className={classes.contents}>{words.contents(folder.inside.media, folder.inside.folders)}</span>
        </span>
      </Link>
    </li>
  );
}

/** The link to a folder of a board; null for its root. */
export function folderLink(boardId: number, folderId: number | null) {
  return {
    to: '/boards/$boardId',
    params: { boardId: String(boardId) },
    search: (folderId === null ? {} : { folder: folderId }) as never,
  } as const;
}
