import { Alert, Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { FolderOpen, Images, ListChecks, TriangleAlert } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import type { MediaDto, Onlooker } from '../../api/index.ts';
import { libraryWords } from '../../library/index.ts';
import { ShareDialog } from '../../sharing/index.ts';
import { useLatest } from '../../state/index.ts';
import {
  allOf,
  EmptyState,
  ErrorNotice,
  MediaGrid,
  NothingFound,
  Page,
  PutOnBoardDialog,
  uiWords,
} from '../../ui/index.ts';
import { useDropAnywhere } from '../../uploads/index.ts';
import { AddMedia } from './AddMedia.tsx';
import { type Entry, isNote } from './board-order.ts';
import { isInPreparation } from './board-query.ts';
import { BOARD_LOOK } from './board-tile.tsx';
import { BoardMenu } from './BoardMenu.tsx';
import { BoardSelection } from './BoardSelection.tsx';
import classes from './BoardView.module.css';
import { BoardFilters, BoardViewer, MoveDialog, NoteEditor } from './dialogs.ts';
import { pathTo } from './folder-tree.ts';
import { folderLink, Folders } from './Folders.tsx';
import { FolderTree } from './FolderTree.tsx';
import { nameOf, settingsOf } from './media-names.ts';
import { Present } from './Present.tsx';
import { DecisionFilter } from './review/DecisionFilter.tsx';
import { isReviewed } from './review/decisions.ts';
import { words as reviewWords } from './review/words.ts';
import { Trail } from './Trail.tsx';
import type { BoardActions } from './use-board-actions.ts';
import { downloadMedia, type FolderView, NO_FILTER, type OpenFolder, useFolderView } from './use-folder-view.ts';
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
            {...{ tree, handlers }}
            boardName={board.name}
            openId={folderId}
            onOpen={toFolder}
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
              <AddMedia view={view} onFiles={upload} />
              <BoardMenu {...{ board, tree, folder, actions }} onOpen={toFolder} onShare={view.share} />
            </>
          }
        >
          <Contents view={view} {...props} />
        </Page>
      </div>
      <BoardSelection view={view} />
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

interface ContentsProps extends Pick<BoardViewProps, 'filter' | 'onFilter' | 'onOpenMedia'> {
  readonly view: FolderView;
}

/** The folders, media and notes of the open folder. */
function Contents({ view, filter, onFilter, onOpenMedia }: ContentsProps) {
  const { board, folder, folders, inFolder, media, tiles, decision, actions, select, isSearch } = view;
  const isEmpty = inFolder.length + folders.length + tiles.length === 0 && !isSearch;
  return (
    <>
      <State media={media} actions={actions} onSelect={(ids) => select(allOf(ids))} />
      {board.media.length > 0 && (
        <div className={classes.filters}>
          <BoardFilters {...{ filter, onFilter }} tags={view.tags} isSet={!view.isByHand} />
        </div>
      )}
      {view.searchError && <ErrorNotice error={view.searchError} />}
      {(isReviewed(inFolder) || decision !== null) && (
        <DecisionFilter value={decision} onChange={(next) => onFilter({ decision: next ?? '' })} />
      )}
      {folders.length > 0 && <Folders boardId={board.id} folders={folders} handlers={view.handlers} />}
      {tiles.length > 0 && <Tiles view={view} onOpenMedia={onOpenMedia} />}
      {isSearch && media.length === 0 && (
        <NothingFound icon={Images} texts={libraryWords} isFiltered onClear={() => onFilter(NO_FILTER)} />
      )}
      {!isSearch && media.length === 0 && inFolder.length > 0 && (
        <EmptyState
          icon={ListChecks}
          title={reviewWords.noneLeft}
          hint={reviewWords.noneLeftHint}
          action={<Button onClick={() => onFilter({ decision: '' })}>{reviewWords.showAll}</Button>}
        />
      )}
      <VisuallyHidden role="status">{view.placed}</VisuallyHidden>
      {isEmpty && (
        <EmptyState
          icon={folder ? FolderOpen : Images}
          title={folder ? words.emptyFolder : words.emptyBoard}
          hint={words.emptyBoardHint}
        />
      )}
    </>
  );
}

/** The grid. By hand, entries are dragged between others, or moved by Alt and arrows. */
function Tiles({ view, onOpenMedia }: Pick<ContentsProps, 'view' | 'onOpenMedia'>) {
  const { tiles, note, openNote, remove, askWhere, addNote, isByHand } = view;
  const entries = useLatest(tiles);
  const latestOpen = useLatest({ openNote, onOpenMedia });
  const open = useCallback(
    (id: number) => {
      const entry = entries.current.find((each) => each.id === id);
      if (entry && isNote(entry)) latestOpen.current.openNote(entry);
      else latestOpen.current.onOpenMedia(id);
    },
    [entries, latestOpen],
  );
  const step = (by: -1 | 1) => (ids: readonly number[]) => view.step(ids, by);
  const byKeys = {
    ...{ 'Alt+ArrowLeft': step(-1), 'Alt+ArrowUp': step(-1) },
    ...{ 'Alt+ArrowRight': step(1), 'Alt+ArrowDown': step(1) },
  };
  const editor = <NoteEditor note={note} onSave={view.saveNote} onClose={() => openNote(null)} />;
  return (
    <MediaGrid
      items={tiles}
      label={words.mediaList}
      hint={isByHand ? `${words.keys}. ${words.orderKeys}` : words.keys}
      look={BOARD_LOOK}
      selection={view.selection}
      onSelect={view.select}
      onOpen={open}
      actions={{
        ...{ Delete: remove, Backspace: remove, m: askWhere, b: view.copy, d: downloadMedia },
        n: (ids) => addNote(ids.at(-1) ?? null),
        ...(isByHand && byKeys),
      }}
      dragLabel={dragLabel}
      onDrop={isByHand ? view.drop : null}
      over={note && { id: note.id, content: editor }}
    />
  );
}

/** The dialogs that put media on another board, share and move them. */
function Dialogs({ view }: { readonly view: FolderView }) {
  const { board, tree, title, copied, copy, shared, share, movedIds, askWhere, move, handlers } = view;
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
        accepts={(target) => handlers.accepts({ kind: 'media', ids: movedIds ?? [] }, target)}
        onMove={(target) => movedIds && move(movedIds, target)}
      />
    </>
  );
}

/** The file of an item for another board. An item that is not prepared has none yet. */
const fileOf = ({ url, extras }: MediaDto) => (url === null ? [] : [{ url, extras: settingsOf(extras) ?? undefined }]);

const dragLabel = (entry: Entry, count: number) =>
  count > 1 ? uiWords.selection.count(count) : isNote(entry) ? entry.text : nameOf(entry);

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
