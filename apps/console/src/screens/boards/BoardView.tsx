import { Alert, Button, Group, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { FolderOpen, Images, ListChecks, TriangleAlert } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import type { MediaDto, Onlooker, WholeBoardDto } from '../../api/index.ts';
import {
  allOf,
  downloadZip,
  EmptyState,
  keptIn,
  MediaGrid,
  NOTHING,
  notifyDone,
  notifyError,
  Page,
  PutOnBoardDialog,
  refusalToDownload,
  type Selection,
  SelectionBar,
  uiWords,
} from '../../ui/index.ts';
import { useDropAnywhere } from '../../uploads/index.ts';
import { AddMedia } from './AddMedia.tsx';
import { isInPreparation } from './board-query.ts';
import { BOARD_LOOK } from './board-tile.tsx';
import { BoardMenu } from './BoardMenu.tsx';
import { BoardSelection } from './BoardSelection.tsx';
import classes from './BoardView.module.css';
import { BoardViewer } from './BoardViewer.tsx';
import type { DropHandlers } from './drag-and-drop.ts';
import { canMoveInto, type FolderTree as Tree, pathTo } from './folder-tree.ts';
import { folderLink, Folders } from './Folders.tsx';
import { FolderTree } from './FolderTree.tsx';
import { nameOf, settingsOf } from './media-names.ts';
import { MoveDialog } from './MoveDialog.tsx';
import { Present } from './Present.tsx';
import { DecisionFilter } from './review/DecisionFilter.tsx';
import { type Decision, isReviewed } from './review/decisions.ts';
import { words as reviewWords } from './review/words.ts';
import type { Shared } from './sharing/share-form.ts';
import { ShareDialog } from './sharing/ShareDialog.tsx';
import { Trail } from './Trail.tsx';
import { type BoardActions, useBoardActions } from './use-board-actions.ts';
import { words } from './words.ts';

interface BoardViewProps {
  readonly board: WholeBoardDto;
  readonly tree: Tree;
  /** Who looks at the board now. */
  readonly people: readonly Onlooker[];
  /** Null for the board's root. */
  readonly folderId: number | null;
  /** The media item that is open in the viewer. */
  readonly mediaId: number | null;
  readonly onOpenMedia: (id: number | null) => void;
  /** Whether the versions of the open item are compared. */
  readonly isComparing: boolean;
  readonly onCompare: (isComparing: boolean) => void;
  /** Only media with this decision are shown; null for all. */
  readonly decision: Decision | null;
  readonly onDecision: (decision: Decision | null) => void;
}

/** A folder of a board, or its root: its contents and their actions. */
export function BoardView(props: BoardViewProps) {
  const { board, tree, people, folderId, mediaId, onOpenMedia, decision, onDecision } = props;
  const actions = useBoardActions(board.id);
  const navigate = useNavigate();
  const folder = folderId === null ? null : tree.byId.get(folderId)!;
  const title = folder?.name ?? board.name;
  const inFolder = useMemo(() => board.media.filter(({ folder_id }) => folder_id === folderId), [board, folderId]);
  const media = useMemo(
    () => (decision === null ? inFolder : inFolder.filter((each) => each.decision === decision)),
    [inFolder, decision],
  );
  const folders = folder?.children ?? tree.roots;

  const [chosen, setSelection] = useState<Selection>(NOTHING);
  const shownIds = useMemo(() => new Set(media.map(({ id }) => id)), [media]);
  const selection = useMemo(() => keptIn(chosen, shownIds), [chosen, shownIds]);
  const [shared, setShared] = useState<Shared | null>(null);
  const [movedIds, setMoved] = useState<readonly number[] | null>(null);
  const [copied, setCopied] = useState<readonly MediaDto[] | null>(null);
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
  const download = (ids: readonly number[]) => {
    const refusal = refusalToDownload(ids.length);
    if (refusal) return notifyDone(refusal);
    void downloadZip({ media_ids: [...ids] }).catch(notifyError);
  };
  const handlers = useDropHandlers({ board, tree, actions, move, nameOfFolder });
  const open = useCallback((id: number) => onOpenMedia(id), [onOpenMedia]);
  const toFolder = (id: number | null) => void navigate(folderLink(board.id, id));
  useDropAnywhere(
    useMemo(
      () => ({ label: words.dropOn(title), onFiles: (files: File[]) => actions.upload(files, folderId, title) }),
      [actions, folderId, title],
    ),
  );

  return (
    <div className={classes.frame}>
      {tree.byId.size > 0 && (
        <aside className={classes.aside} aria-label={words.folders}>
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
              <Present people={people} />
              <AddMedia
                onFiles={(files) => actions.upload(files, folderId, title)}
                onPick={(picked) => void actions.add(picked, folderId)}
              />
              <BoardMenu
                board={board}
                tree={tree}
                folder={folder}
                actions={actions}
                onOpen={toFolder}
                onShare={setShared}
              />
            </>
          }
        >
          <State media={media} actions={actions} onSelect={(ids) => setSelection(allOf(ids))} />
          {(isReviewed(inFolder) || decision !== null) && <DecisionFilter value={decision} onChange={onDecision} />}
          {folders.length > 0 && <Folders boardId={board.id} folders={folders} handlers={handlers} />}
          {media.length > 0 && (
            <MediaGrid
              items={media}
              label={words.mediaList}
              hint={words.keys}
              look={BOARD_LOOK}
              selection={selection}
              onSelect={setSelection}
              onOpen={open}
              actions={{
                Delete: remove,
                Backspace: remove,
                m: setMoved,
                b: (ids) => setCopied(mediaOf(ids)),
                d: download,
              }}
              dragLabel={dragLabel}
            />
          )}
          {media.length === 0 && inFolder.length > 0 && (
            <EmptyState
              icon={ListChecks}
              title={reviewWords.noneLeft}
              hint={reviewWords.noneLeftHint}
              action={<Button onClick={() => onDecision(null)}>{reviewWords.showAll}</Button>}
            />
          )}
          {inFolder.length + folders.length === 0 && (
            <EmptyState
              icon={folder ? FolderOpen : Images}
              title={folder ? words.emptyFolder : words.emptyBoard}
              hint={words.emptyBoardHint}
            />
          )}
        </Page>
      </div>
      <SelectionBar
        selection={selection}
        onClear={() => setSelection(NOTHING)}
        onSelectAll={() => setSelection(allOf(media.map(({ id }) => id)))}
      >
        <BoardSelection
          count={selection.ids.size}
          onMove={() => setMoved([...selection.ids])}
          onPutOnBoard={() => setCopied(mediaOf([...selection.ids]))}
          onDownload={() => download([...selection.ids])}
          onShare={() => setShared({ board_id: board.id, media_ids: [...selection.ids] })}
          onDelete={() => remove([...selection.ids])}
        />
      </SelectionBar>
      <BoardViewer
        boardId={board.id}
        media={media}
        all={board.media}
        openId={mediaId}
        onOpen={onOpenMedia}
        isComparing={props.isComparing}
        onCompare={props.onCompare}
        folderName={title}
        actions={actions}
        onMove={(id) => setMoved([id])}
        onDelete={(id) => remove([id])}
      />
      <PutOnBoardDialog files={copied && copied.flatMap(fileOf)} onClose={() => setCopied(null)} />
      <ShareDialog shared={shared} name={title} onClose={() => setShared(null)} />
      <MoveDialog
        opened={movedIds !== null}
        onClose={() => setMoved(null)}
        title={words.moveTitle(movedIds?.length ?? 0)}
        tree={tree}
        boardName={board.name}
        accepts={(target) => target !== folderId}
        onMove={(target) => movedIds && move(movedIds, target)}
      />
    </div>
  );
}

/** The file of an item for another board. An item that is not prepared has none yet. */
const fileOf = ({ url, extras }: MediaDto) => (url === null ? [] : [{ url, extras: settingsOf(extras) ?? undefined }]);

const dragLabel = (media: MediaDto, count: number) => (count === 1 ? nameOf(media) : uiWords.selection.count(count));

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
            {words.inPreparation(waiting)}
          </Text>
        )}
      </div>
      {failed.length > 0 && (
        <Alert color="red" icon={<TriangleAlert aria-hidden />} title={words.failedCount(failed.length)}>
          <Text size="sm" c="var(--mantine-color-text)">
            {words.failedHint}
          </Text>
          <Group gap="xs" mt="sm">
            <Button size="xs" variant="default" onClick={() => void actions.retry(failed)}>
              {words.retry}
            </Button>
            <Button size="xs" variant="default" onClick={() => onSelect(failed.map(({ id }) => id))}>
              {words.selectFailed}
            </Button>
          </Group>
        </Alert>
      )}
    </>
  );
}
