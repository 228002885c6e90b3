import { ChevronRight, Folder, FolderOpen, Images } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useDrag } from '../../ui/index.ts';
import { type DropHandlers, useFolderTarget } from './drag-and-drop.ts';
import { type FolderNode, type FolderTree as Tree, pathTo, rowsOf } from './folder-tree.ts';
import classes from './FolderTree.module.css';
import { words } from './words.ts';

interface FolderTreeProps {
  readonly tree: Tree;
  readonly boardName: string;
  /** The folder that is open; null for the board's root. */
  readonly openId: number | null;
  readonly onOpen: (id: number | null) => void;
  readonly handlers: DropHandlers;
}

/** All folders of a board, beside its contents. Arrow keys move the focus, Enter opens a folder. */
export function FolderTree({ tree, boardName, openId, onOpen, handlers }: FolderTreeProps) {
  const [toggledIds, setToggled] = useState<ReadonlyMap<number, boolean>>(new Map());
  const onPath = new Set(pathTo(tree, openId).map(({ id }) => id));
  const isExpanded = (id: number) => toggledIds.get(id) ?? onPath.has(id);
  const setExpanded = (id: number, isOpen: boolean) => setToggled(new Map(toggledIds).set(id, isOpen));
  const rows = rowsOf(tree, isExpanded);
  const [focusedId, setFocused] = useState<number | null>(openId);
  // The one row that the Tab key reaches: the last focused row, else the root.
  const stopId = rows.some(({ id }) => id === focusedId) ? focusedId : null;

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const row = rows.find(({ id }) => id === stopId);
    const index = row ? rows.indexOf(row) : -1;
    const focus = (id: number | null) => {
      setFocused(id);
      event.currentTarget.querySelector<HTMLElement>(`[data-folder="${id ?? 'root'}"]`)?.focus();
    };
    const keys: Readonly<Record<string, () => void>> = {
      ArrowDown: () => rows[index + 1] && focus(rows[index + 1]!.id),
      ArrowUp: () => index >= 0 && focus(rows[index - 1]?.id ?? null),
      ArrowRight: () => row && row.children.length > 0 && setExpanded(row.id, true),
      ArrowLeft: () => row && (isExpanded(row.id) ? setExpanded(row.id, false) : focus(row.parent_id)),
      Home: () => focus(null),
      End: () => focus(rows.at(-1)?.id ?? null),
      Enter: () => onOpen(stopId),
      ' ': () => onOpen(stopId),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]!();
  };

  const rowProps = { openId, stopId, onOpen, onFocus: setFocused, handlers };
  return (
    <ul role="tree" aria-label={words.openFolders(boardName)} className={classes.tree} onKeyDown={onKeyDown}>
      <RootRow name={boardName} {...rowProps} />
      {rows.map((node) => (
        <FolderRow
          key={node.id}
          node={node}
          isExpanded={isExpanded(node.id)}
          onExpand={(isOpen) => setExpanded(node.id, isOpen)}
          {...rowProps}
        />
      ))}
    </ul>
  );
}

interface RowProps {
  readonly openId: number | null;
  readonly stopId: number | null;
  readonly onOpen: (id: number | null) => void;
  readonly onFocus: (id: number | null) => void;
  readonly handlers: DropHandlers;
}

function RootRow({ name, openId, stopId, onOpen, onFocus, handlers }: RowProps & { readonly name: string }) {
  const element = useRef<HTMLLIElement>(null);
  const isOver = useFolderTarget(element, null, handlers);
  return (
    <li
      ref={element}
      {...rowAttributes({ id: null, openId, stopId, isOver, onOpen, onFocus })}
      aria-level={1}
      style={{ paddingInlineStart: 12 }}
    >
      <Images size={16} aria-hidden />
      <span className={classes.name} dir="auto">
        {name}
      </span>
    </li>
  );
}

interface FolderRowProps extends RowProps {
  readonly node: FolderNode;
  readonly isExpanded: boolean;
  readonly onExpand: (isOpen: boolean) => void;
}

function FolderRow({ node, isExpanded, onExpand, openId, stopId, onOpen, onFocus, handlers }: FolderRowProps) {
  const element = useRef<HTMLLIElement>(null);
  const isOver = useFolderTarget(element, node.id, handlers);
  useDrag(element, () => ({ cargo: { kind: 'folder', id: node.id }, label: node.name }));
  const hasChildren = node.children.length > 0;
  const Icon = node.id === openId ? FolderOpen : Folder;
  return (
    <li
      ref={element}
      {...rowAttributes({ id: node.id, openId, stopId, isOver, onOpen, onFocus })}
      aria-level={node.depth + 2}
      aria-expanded={hasChildren ? isExpanded : undefined}
      aria-label={`${node.name}, ${words.contents(node.inside.media, node.inside.folders)}`}
      title={node.name}
      style={{ paddingInlineStart: 4 + 14 * Math.min(node.depth, 8) }}
    >
      <span
        className={classes.caret}
        data-open={isExpanded || undefined}
        aria-hidden
        onClick={(event) => {
          if (!hasChildren) return;
          event.stopPropagation();
          onExpand(!isExpanded);
        }}
      >
        {hasChildren && <ChevronRight size={14} />}
      </span>
      <Icon size={16} aria-hidden />
      <span className={classes.name} dir="auto">
        {node.name}
      </span>
      <span
        className={classes.count}
        data-count={node.inside.media > 0 ? node.inside.media.toLocaleString('en') : ''}
      />
    </li>
  );
}

interface RowState extends Omit<RowProps, 'handlers'> {
  readonly id: number | null;
  readonly isOver: boolean;
}

function rowAttributes({ id, openId, stopId, isOver, onOpen, onFocus }: RowState) {
  return {
    role: 'treeitem',
    tabIndex: id === stopId ? 0 : -1,
    'aria-selected': id === openId,
    className: classes.row,
    'data-folder': id ?? 'root',
    'data-over': isOver || undefined,
    onClick: () => onOpen(id),
    onFocus: () => onFocus(id),
  } as const;
}
