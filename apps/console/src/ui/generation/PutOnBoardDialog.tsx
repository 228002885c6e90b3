import { Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useRef, useState } from 'react';
import { boardsListOptions, fieldProblem, refresh, x12 } from '../../api/index.ts';
import { ErrorNotice } from '../ErrorNotice.tsx';
import { FormButtons } from '../FormButtons.tsx';
import { offerUndo } from '../notices.tsx';
import { QueryState } from '../QueryState.tsx';
import { words } from '../words.ts';

interface PutOnBoardDialogProps {
  /** Null while the dialog is closed. */
  readonly files: readonly FileForBoard[] | null;
  readonly onClose: () => void;
  /** Goes on with the new items of the board. Absent: they can be taken off again. */
  readonly onPut?: (put: PutOnBoard) => void;
}

export interface PutOnBoard {
  readonly name: string;
  readonly board_id: number;
  readonly media_ids: readonly number[];
}

interface FileForBoard {
  /** The stored URL. */
  readonly url: string;
  /** Saved with the item, such as the settings of its generation. */
  readonly extras?: object;
}

const NEW = 'new';
const text = words.putOnBoard;

/** Puts stored files on an existing or new board. */
export function PutOnBoardDialog({ files, ...on }: PutOnBoardDialogProps) {
  return (
    <Modal opened={files !== null} onClose={on.onClose} title={on.onPut ? text.first : text.title}>
      {files !== null && <BoardForm files={files} {...on} />}
    </Modal>
  );
}

interface BoardFormProps extends PutOnBoardDialogProps {
  readonly files: readonly FileForBoard[];
}

function BoardForm({ files, onClose, onPut }: BoardFormProps) {
  const boards = useQuery(boardsListOptions());
  const [chosen, choose] = useState<string | null>(null);
  const [name, setName] = useState('');
  const put = usePutOnBoard({ files, onClose, onPut });
  if (!boards.data) return <QueryState query={boards} rows={2} />;
  const all = boards.data.boards;
  const value = chosen ?? String(all[0]?.id ?? NEW);
  const isNew = value === NEW;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    put.mutate(isNew ? { name } : { id: Number(value), name: all.find(({ id }) => String(id) === value)!.name });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {onPut && <Text size="sm">{text.firstHint}</Text>}
        <Select
          searchable
          data-autofocus
          allowDeselect={false}
          label={text.board}
          data={[
            ...all.map((board) => ({ value: String(board.id), label: board.name })),
            { value: NEW, label: text.newBoard },
          ]}
          value={value}
          onChange={choose}
        />
        {isNew && (
          <TextInput
            required
            label={text.name}
            maxLength={255}
            value={name}
            error={fieldProblem(put.error, 'name', text.name)}
            onChange={(event) => setName(event.target.value)}
          />
        )}
        {put.error && <ErrorNotice error={put.error} />}
        <FormButtons action={onPut ? text.next : text.action} isSending={put.isPending} onCancel={onClose} />
      </Stack>
    </form>
  );
}

interface Target {
  /** Absent for a new board. */
  readonly id?: number;
  readonly name: string;
}

function usePutOnBoard({ files, onClose, onPut }: BoardFormProps) {
  const queries = useQueryClient();
  /** Items put on the board before a failure: the next try continues there. */
  const begun = useRef<{ readonly target: string; readonly boardId: number; readonly mediaIds: number[] } | null>(null);
  return useMutation({
    mutationFn: async ({ id, name }: Target) => {
      const target = id === undefined ? `new ${name}` : String(id);
      if (begun.current?.target !== target) {
        const boardId = id ?? (await x12.boards.create({ name })).board.id;
        begun.current = { target, boardId, mediaIds: [] };
      }
      const { boardId, mediaIds } = begun.current;
      for (const { url, extras } of files.slice(mediaIds.length)) {
        const body = { url, extras: extras && JSON.stringify(extras) };
        const { media } = await x12.boards.media.create({ board_id: boardId, ...body });
        mediaIds.push(media.id);
      }
      return { boardId, mediaIds };
    },
    onSuccess: ({ boardId, mediaIds }, { name }) => {
      onClose();
      void refresh(queries, 'boards');
      if (onPut) return onPut({ name, board_id: boardId, media_ids: mediaIds });
      offerUndo(text.done(name), async () => {
        await x12.boards.media.deleteMany({ board_id: boardId, ids: mediaIds });
        await refresh(queries, 'boards');
      });
    },
  });
}
