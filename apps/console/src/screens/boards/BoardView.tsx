import { Alert, Button, Group, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { FolderOpen, Images, ListChecks, TriangleAlert } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import type { MediaDto, Onlooker } from '../../api/index.ts';
import { ShareDialog } from '../../sharing/index.ts';
import {
  allOf,
  EmptyState,
  MediaGrid,
  NOTHING,
  Page,
  PutOnBoardDialog,
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
import { BoardViewer, MoveDialog } from './dialogs.ts';
import { pathTo } from './folder-tree.ts';
import { folderLink, Folders } from './Folders.tsx';
import { FolderTree } from './FolderTree.tsx';
import { nameOf, settingsOf } from './media-names.ts';
import { Present } from './Present.tsx';
import { DecisionFilter } from './review/DecisionFilter.tsx';
import { type Decision, isReviewed } from './review/decisions.ts';
import { words as reviewWords } from './review/words.ts';
import { Trail } from './Trail.tsx';
import type { BoardActions } from './use-board-actions.ts';
import { downloadMedia, type FolderView, type OpenFolder, useFolderView } from './use-folder-view.ts';
import { words } from './words.ts';

interface BoardViewProps extends OpenFolder {
  /** Members who look at the board now. */
  readonly people: readonly Onlooker[];
  /** The media item that is open in the viewer. */
  readonly mediaId: number | null;
  readonly onOpenMedia: (id: number | null) => void;
  /** True if the versions of the open item are compared. */
  readonly isComparing: boolean;
  readonly onCompare: (isComparing: boolean) => void;
  readonly onDecision: (decision: Decision | null) => void;
}

/** A folder of a board, or its root: its contents and their actions. */
export function BoardView(props: BoardViewProps) {
  const view = useFolderView(props);
  const { board, tree, folder, folderId, title, media, actions, handlers } = view;
  const navigate = useNavigate();
  const toFolder = (id: number | null) => void navigate(folderLink(board.id, id));
  const upload = useCallback(
    (files: readonly File[]) => actions.upload(files, folderId, title),
    [actions, folderId, title],
  );
  useDropAnywhere(useMemo(() => ({ label: words.dropOn(title), onFiles: upload }), [upload, title]));

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
          isWide
          title={title}
          actions={
            <>
              <Present people={props.people} />
              <AddMedia onFiles={upload} onPick={(picked) => void actions.add(picked, folderId)} />
              <BoardMenu {...{ board, tree, folder, actions }} onOpen={toFolder} onShare={view.share} />
            </>
          }
        >
          <Contents view={view} {...props} />
        </Page>
      </div>
      <Selected view={view} />
      <BoardViewer
        boardId={board.id}
        media={media}
        all={board.media}
        openId={props.mediaId}
        onOpen={props.onOpenMedia}
        isComparing={props.isComparing}
        onCompare={props.onCompare}
        folderName={title}
        actions={actions}
        onMove={(id) => view.askWhere([id])}
        onDelete={(id) => view.remove([id])}
      />
      <Dialogs view={view} />
    </div>
  );
}

interface ContentsProps extends Pick<BoardViewProps, 'decision' | 'onDecision' | 'onOpenMedia'> {
  readonly view: FolderView;
}

/** The folders and media of the open folder. */
function Contents({ view, decision, onDecision, onOpenMedia }: ContentsProps) {
  const { board, folder, folders, inFolder, media, actions, select, remove, askWhere } = view;
  const open = useCallback((id: number) => onOpenMedia(id), [onOpenMedia]);
  return (
    <>
      <State media={media} actions={actions} onSelect={(ids) => select(allOf(ids))} />
      {(isReviewed(inFolder) || decision !== null) && <DecisionFilter value={decision} onChange={onDecision} />}
      {folders.length > 0 && <Folders boardId={board.id} folders={folders} handlers={view.handlers} />}
      {media.length > 0 && (
        <MediaGrid
          items={media}
          label={words.mediaList}
          hint={words.keys}
          look={BOARD_LOOK}
          selection={view.selection}
          onSelect={select}
          onOpen={open}
          actions={{ Delete: remove, Backspace: remove, m: askWhere, b: view.copy, d: downloadMedia }}
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
    </>
  );
}

function Selected({
  view: { board, media, selection, select, askWhere, copy, share, remove },
}: {
  readonly view: FolderView;
}) {
  const ids = [...selection.ids];
  return (
    <SelectionBar
      selection={selection}
      onClear={() => select(NOTHING)}
      onSelectAll={() => select(allOf(media.map(({ id }) => id)))}
    >
      <BoardSelection
        count={ids.length}
        onMove={() => askWhere(ids)}
        onPutOnBoard={() => copy(ids)}
        onDownload={() => downloadMedia(ids)}
        onShare={() => share({ board_id: board.id, media_ids: ids })}
        onDelete={() => remove(ids)}
      />
    </SelectionBar>
  );
}

/** The dialogs that put media on another board, share and move them. */
function Dialogs({ view }: { readonly view: FolderView }) {
  const { board, tree, title, folderId, copied, copy, shared, share, movedIds, askWhere, move } = view;
  return (
    <>
      <PutOnBoardDialog files={copied && copied.flatMap(fileOf)} onClose={() => copy(null)} />
      <ShareDialog shared={shared} name={title} onClose={() => share(null)} />
      <MoveDialog
        opened={movedIds !== null}
        onClose={() => askWhere(null)}
        title={words.moveTitle(movedIds?.length ?? 0)}
        tree={tree}
        boardName={board.name}
        accepts={(target) => target !== folderId}
        onMove={(target) => movedIds && move(movedIds, target)}
      />
    </>
  );
}

/** The file of an item for another board. An item that is not prepared has none yet. */
const fileOf = ({ url, extras }: MediaDto) => (url === null ? [] : [{ url, extras: settingsOf(extras) ?? undefined }]);

const dragLabel = (media: MediaDto, count: number) => (count === 1 ? nameOf(media) : uiWords.selection.count(count));

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
