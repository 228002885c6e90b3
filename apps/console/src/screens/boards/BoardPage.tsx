import { Button } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { Images } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useLiveBoard, type WholeBoardDto } from '../../api/index.ts';
import { NotFound } from '../../shell/index.ts';
import { useShown } from '../../state/index.ts';
import { EmptyState, ErrorNotice, Loading, Page, useListState } from '../../ui/index.ts';
import { useBoard } from './board-query.ts';
import { BoardView } from './BoardView.tsx';
import { boardChanges } from './changes.ts';
import { folderLink } from './Folders.tsx';
import { type FolderTree, treeOf } from './folder-tree.ts';
import { NO_FILTER } from './use-folder-view.ts';
import { words } from './words.ts';

/** The board's root is open, and no media item; all is shown by hand; no versions are compared. */
const ABSENT = { folder: 0, media: 0, versions: false, ...NO_FILTER };

export function BoardPage() {
  const { boardId } = useParams({ strict: false });
  const id = Number(boardId);
  if (!Number.isSafeInteger(id) || id <= 0) return <NotFound />;
  return <OpenBoard key={id} id={id} />;
}

function OpenBoard({ id }: { readonly id: number }) {
  const { data, error, refetch } = useBoard(id);
  const board = useShown(boardChanges, data)?.board;
  const people = useLiveBoard(id);
  const tree = useMemo(() => board && treeOf(board.folders, board.media), [board]);
  const [{ folder, media, versions, ...filter }, change] = useListState(ABSENT);
  const [last, setLast] = useState<{ readonly board: WholeBoardDto; readonly tree: FolderTree } | null>(null);

  if (error?.code === 'not_found') return <NotFound />;
  if (!board || !tree) {
    return (
      <Page title={words.title}>
        {error ? <ErrorNotice error={error} onRetry={() => void refetch()} /> : <Loading rows={3} height={180} />}
      </Page>
    );
  }
  const isThere = folder === 0 || tree.byId.has(folder);
  // Somebody deletes the folder of the item that is open: what is being written about the item stays.
  const shown = isThere || media === 0 ? { board, tree } : last;
  if (isThere && media !== 0 && last?.board !== board) setLast({ board, tree });
  if (folder !== 0 && !shown?.tree.byId.has(folder)) return <FolderGone boardId={id} name={board.name} />;
  const openMedia = (mediaId: number | null) => change({ media: mediaId ?? 0, versions: false }, { push: media === 0 });
  return (
    <>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      <BoardView
        key={folder}
        board={shown!.board}
        tree={shown!.tree}
        people={people}
        folderId={folder === 0 ? null : folder}
        mediaId={media === 0 ? null : media}
        onOpenMedia={openMedia}
        isComparing={versions}
        onCompare={(isComparing) => change({ versions: isComparing }, { push: isComparing })}
        filter={filter}
        onFilter={change}
      />
    </>
  );
}

function FolderGone({ boardId, name }: { readonly boardId: number; readonly name: string }) {
  return (
    <Page title={name}>
      <EmptyState
        icon={Images}
        title={words.folderGone}
        hint={words.folderGoneHint}
        action={
          <Button component={Link} {...(folderLink(boardId, null) as object)}>
            {words.toBoard}
          </Button>
        }
      />
    </Page>
  );
}
