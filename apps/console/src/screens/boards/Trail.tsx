import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { useRef } from 'react';
import { type DropHandlers, useFolderTarget } from './drag-and-drop.ts';
import type { FolderNode } from './folder-tree.ts';
import { folderLink } from './Folders.tsx';
import classes from './Trail.module.css';
import { words } from './words.ts';

interface TrailProps {
  readonly boardId: number;
  readonly boardName: string;
  /** From the outermost folder to the open one. */
  readonly path: readonly FolderNode[];
  readonly handlers: DropHandlers;
}

/** Breadcrumbs from the list of boards to the open folder. */
export function Trail({ boardId, boardName, path, handlers }: TrailProps) {
  const above = path.length === 0 ? [] : [{ id: null, name: boardName }, ...path.slice(0, -1)];
  return (
    <nav aria-label={words.path}>
      <ol className={classes.trail}>
        <li>
          <Link to="/boards" className={classes.step}>
            {words.title}
          </Link>
        </li>
        {above.map(({ id, name }) => (
          <li key={id ?? 'root'}>
            <ChevronRight size={14} aria-hidden />
            <Step boardId={boardId} folderId={id} name={name} handlers={handlers} />
          </li>
        ))}
      </ol>
    </nav>
  );
}

interface StepProps extends Pick<TrailProps, 'boardId' | 'handlers'> {
  readonly folderId: number | null;
  readonly name: string;
}

function Step({ boardId, folderId, name, handlers }: StepProps) {
  const element = useRef<HTMLAnchorElement>(null);
  const isOver = useFolderTarget(element, folderId, handlers);
  return (
    <Link
      ref={element}
      {...folderLink(boardId, folderId)}
      className={classes.step}
      data-over={isOver || undefined}
      dir="auto"
      title={name}
      draggable={false}
    >
      {name}
    </Link>
  );
}
