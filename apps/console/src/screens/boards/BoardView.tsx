import { Alert, Button, Group, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { FolderOpen, Images, TriangleAlert } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import type { MediaDto, WholeBoardDto } from '../../api/index.ts';
import { EmptyState, Page } from '../../ui/index.ts';
import { useDropAnywhere } from '../../uploads/index.ts';
import { words } from '../../words.ts';
import { AddMedia } from './AddMedia.tsx';
import { isInPreparation } from './board-query.ts';
import { BoardMenu } from './BoardMenu.tsx';
import classes from './BoardView.module.css';
import { BoardViewer } from './BoardViewer.tsx';
import type { DropHandlers } from './drag-and-drop.ts';
import { canMoveInto, type FolderTree as Tree, pathTo } from './folder-tree.ts';
import { folderLink, Folders } from './Folders.tsx';
import { FolderTree } from './FolderTree.tsx';
import { Masonry } from './Masonry.tsx';
import { MoveDialog } from './MoveDialog.tsx';
import { allOf, keptIn, NOTHING, type Selection } from './selection.ts';
import { SelectionBar } from './SelectionBar.tsx';
import { Trail } from './Trail.tsx';
import { type BoardActions, useBoardActions } from './use-board-actions.ts';

const said = words.boards;

interface BoardViewProps {
  readonly board: WholeBoardDto;
  readonly tree: Tree;
  /** Null for the board's root. */
  readonly folderId: number | null;
  /** The media item that is open in the viewer. */
  readonly mediaId: number | null;
  readonly onOpenMedia: (id: number | null) => void;
}

/** A folder of a board, or its root: its contents and their actions. */
export function BoardView({ board, tree, folderId, mediaId, onOpenMedia }: BoardViewProps) {
  const actions = useBoardActions(board.id);
  const navigate = useNavigate();
  const folder = folderId === null ? null : tree.byId.get(folderId)!;
  const title = folder?.name ?? board.name;
  const media = useMemo(() => board.media.filter(({ folder_id }) => folder_id === folderId), [board, folderId]);
  const folders = folder?.children ?? tree.roots;

  const [chosen, setSelection] = useState<Selection>(NOTHING);
  const selection = useMemo(
    () =>
      keptIn(
        chosen,
        media.map(({ id }) => id),
      ),
    [chosen, media],
  );
  const [movedIds, setMoved] = useState<readonly number[] | null>(null);
  const mediaOf = (ids: readonly number[]) => {
    const wanted = new Set(ids);
    return board.media.filter(({ id }) => wanted.has(id));
  };
  const nameOfFolder = (id: number | null) => (id === null ? board.name : tree.byId.get(id)!.name);
  const move = (ids: readonly number[], target: number | null) => {
    setSelection(NOTHING);
    void actions.moveMedia(mediaOf(ids), target, nameOfFolder(target));
  };
  const remove = (ids: readonly number[]) => {
    setSelection(NOTHING);
    actions.deleteMedia(mediaOf(ids));
  };
  const handlers = useDropHandlers({ board, tree, actions, move, nameOfFolder });
  const open = useCallback((id: number) => onOpenMedia(id), [onOpenMedia]);
  const toFolder = (id: number | null) => void navigate(folderLink(board.id, id));
  useDropAnywhere(
    useMemo(
      () => ({ label: said.dropOn(title), onFiles: (files: File[]) => actions.upload(files, folderId, title) }),
      [actions, folderId, title],
    ),
  );

  return (
    <div className={classes.frame}>
      {tree.byId.size > 0 && (
        <aside className={classes.aside} aria-label={said.folders}>
          <FolderTree
            key={folderId}
            tree={tree}
            boardName={board.name}
            openId={folderId}
            onOpen={toFolder}
            handlers={handlers}
          />
        </aside>
      )}
      <div className={classes.content}>
        <Trail boardId={board.id} boardName={board.name} path={pathTo(tree, folderId)} handlers={handlers} />
        <Page
          title={title}
          actions={
            <>
              <AddMedia
                onFiles={(files) => actions.upload(files, folderId, title)}
                onPick={(picked) => void actions.add(picked, folderId)}
              />
              <BoardMenu board={board} tree={tree} folder={folder} actions={actions} onOpen={toFolder} />
            </>
          }
        >
          <State media={media} actions={actions} onSelect={(ids) => setSelection(allOf(ids))} />
          {folders.length > 0 && <Folders boardId={board.id} folders={folders} handlers={handlers} />}
          {media.length > 0 && (
            <Masonry
              media={media}
              selection={selection}
              onSelect={setSelection}
              onOpen={open}
              onDelete={remove}
              onMove={setMoved}
            />
          )}
          {media.length + folders.length === 0 && (
            <EmptyState
              icon={folder ? FolderOpen : Images}
              title={folder ? said.emptyFolder : said.emptyBoard}
              hint={said.emptyBoardHint}
            />
          )}
        </Page>
      </div>
      <SelectionBar
        selection={selection}
        onClear={() => setSelection(NOTHING)}
        onSelectAll={() => setSelection(allOf(media.map(({ id }) => id)))}
        onMove={() => setMoved([...selection.ids])}
        onDelete={() => remove([...selection.ids])}
      />
      <BoardViewer
        media={media}
        openId={mediaId}
        onOpen={onOpenMedia}
        folderName={title}
        actions={actions}
        onMove={(id) => setMoved([id])}
        onDelete={(id) => remove([id])}
      />
      <MoveDialog
        opened={movedIds !== null}
        onClose={() => setMoved(null)}
        title={said.moveTitle(movedIds?.length ?? 0)}
        tree={tree}
        boardName={board.name}
        accepts={(target) => target !== folderId}
        onMove={(target) => movedIds && move(movedIds, target)}
      />
    </div>
  );
}

interface DropOptions extends Pick<BoardViewProps, 'board' | 'tree'> {
  readonly actions: BoardActions;
  readonly move: (ids: readonly number[], target: number | null) => void;
  readonly nameOfFolder: (id: number | null) => string;
}

function useDropHandlers({ board, tree, actions, move, nameOfFolder }: DropOptions): DropHandlers {
  return {
    accepts: (cargo, target) => {
      if (cargo.kind === 'folder') return canMoveInto(tree, cargo.id, target);
      if (cargo.kind !== 'media') return false;
      const dragged = new Set(cargo.ids);
      return board.media.some(({ id, folder_id }) => dragged.has(id) && folder_id !== target);
    },
    onDrop: (cargo, target) => {
      if (cargo.kind === 'media') return move(cargo.ids, target);
      const folder = tree.byId.get(cargo.id);
      if (folder) void actions.moveFolder(folder, target, nameOfFolder(target));
    },
    onFiles: (files, target) => actions.upload(files, target, nameOfFolder(target)),
  };
}

interface StateProps {
  readonly media: readonly MediaDto[];
  readonly actions: BoardActions;
  readonly onSelect: (ids: readonly number[]) => void;
}

/** Says how many media items are in preparation, and offers to retry failed items. */
function State({ media, actions, onSelect }: StateProps) {
  const waiting = media.filter(isInPreparation).length;
  const failed = media.filter(({ state }) => state === 'failed');
  return (
    <>
      <div role="status" className={classes.status}>
        {waiting > 0 && (
          <Text size="sm" c="dimmed">
            {said.inPreparation(waiting)}
          </Text>
        )}
      </div>
      {failed.length > 0 && (
        <Alert color="red" icon={<TriangleAlert aria-hidden />} title={said.failedCount(failed.length)}>
          <Text size="sm" c="var(--mantine-color-text)">
            {said.failedHint}
          </Text>
          <Group gap="xs" mt="sm">
            <Button size="xs" variant="default" onClick={() => void actions.retry(failed)}>
              {said.retry}
            </Button>
            <Button size="xs" variant="default" onClick={() => onSelect(failed.map(({ id }) => id))}>
              {said.selectFailed}
            </Button>
          </Group>
        </Alert>
      )}
    </>
  );
}
