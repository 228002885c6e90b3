import { Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type BoardDto, refresh, x12 } from '../../api/index.ts';
import { shellWords, useDeletionNotice } from '../../shell/index.ts';
import { ConfirmDialog } from '../../ui/index.ts';
import { NameDialog } from './dialogs.ts';
import { words } from './words.ts';

export type BoardDialog = 'rename' | 'delete';

interface BoardDialogsProps {
  readonly board: Omit<BoardDto, 'created_at'>;
  readonly dialog: BoardDialog | null;
  readonly onClose: () => void;
  readonly onDeleted?: () => unknown;
}

/** Asks for a new name of a board, or whether to delete it. */
export function BoardDialogs({ board, dialog, onClose, onDeleted }: BoardDialogsProps) {
  const { id, name, media_count, folders_count } = board;
  const queries = useQueryClient();
  const notifyDeleted = useDeletionNotice();
  const rename = async (newName: string) => {
    await x12.boards.update({ id, name: newName });
    await refresh(queries, 'boards');
  };
  const remove = async () => {
    await x12.boards.delete({ id });
    await notifyDeleted(words.deletedBoard(name), 'board', id);
    await onDeleted?.();
    queries.removeQueries({ queryKey: [{ _id: 'boardsGet', path: { id } }] });
    await refresh(queries, 'boards', 'trash');
  };
  return (
    <>
      <NameDialog
        opened={dialog === 'rename'}
        onClose={onClose}
        title={words.renameBoard}
        action={words.save}
        name={name}
        onSubmit={rename}
      />
      <ConfirmDialog
        opened={dialog === 'delete'}
        onClose={onClose}
        title={words.deleteBoard}
        action={words.delete}
        onConfirm={remove}
      >
        <DeletionSummary question={words.deleteBoardQuestion(name)} media={media_count} folders={folders_count} />
      </ConfirmDialog>
    </>
  );
}

interface DeletionSummaryProps {
  readonly question: string;
  readonly media: number;
  readonly folders: number;
}

/** Lists the contents that are deleted with a board or folder. */
export function DeletionSummary({ question, media, folders }: DeletionSummaryProps) {
  return (
    <div>
      <Text fw={600} lineClamp={4} dir="auto">
        {question}
      </Text>
      <Text mt="xs">{words.goes(media, folders)}</Text>
      <Text size="sm" c="dimmed" mt="xs">
        {words.takesFiles} {shellWords.trashKeeps}
      </Text>
    </div>
  );
}
