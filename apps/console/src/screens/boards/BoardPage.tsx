import { Button } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { Images } from 'lucide-react';
import { useMemo } from 'react';
import { NotFound } from '../../shell/index.ts';
import { useShown } from '../../state/index.ts';
import { EmptyState, ErrorNotice, Loading, Page, useListState } from '../../ui/index.ts';
import { words } from '../../words.ts';
import { useBoard } from './board-query.ts';
import { BoardView } from './BoardView.tsx';
import { boardChanges } from './changes.ts';
import { folderLink } from './Folders.tsx';
import { treeOf } from './folder-tree.ts';

const said = words.boards;
/** The board's root is open, and no media item. */
const ABSENT = { folder: 0, media: 0 };

export function BoardPage() {
  const { boardId } = useParams({ strict: false });
  const id = Number(boardId);
  if (!Number.isSafeInteger(id) || id <= 0) return <NotFound />;
  return <OpenBoard key={id} id={id} />;
}

function OpenBoard({ id }: { readonly id: number }) {
  const { data, error, refetch } = useBoard(id);
  const board = useShown(boardChanges, data)?.board;
  const tree = useMemo(() => board && treeOf(board.folders, board.media), [board]);
  const [{ folder, media }, change] = useListState(ABSENT);

  if (error?.code === 'not_found') return <NotFound />;
  if (!board || !tree) {
    return (
      <Page title={said.title}>
        {error ? <ErrorNotice error={error} onRetry={() => void refetch()} /> : <Loading rows={3} height={180} />}
      </Page>
    );
  }
  if (folder !== 0 && !tree.byId.has(folder)) return <FolderGone boardId={id} name={board.name} />;
  const openMedia = (mediaId: number | null) => change({ media: mediaId ?? 0 }, { push: media === 0 });
  return (
    <>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      <BoardView
        key={folder}
        board={board}
        tree={tree}
        folderId={folder === 0 ? null : folder}
        mediaId={media === 0 ? null : media}
        onOpenMedia={openMedia}
      />
    </>
  );
}

function FolderGone({ boardId, name }: { readonly boardId: number; readonly name: string }) {
  return (
    <Page title={name}>
      <EmptyState
        icon={Images}
        title={said.folderGone}
        hint={said.folderGoneHint}
        action={
          <Button component={Link} {...(folderLink(boardId, null) as object)}>
            {said.toBoard}
          </Button>
        }
      />
    </Page>
  );
}
