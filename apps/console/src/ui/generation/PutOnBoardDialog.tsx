import { Button, Group, Modal, Select, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { boardsListOptions, fieldProblem, refresh, x12 } from '../../api/index.ts';
import { words } from '../../words.ts';
import { ErrorNotice } from '../ErrorNotice.tsx';
import { Loading } from '../Loading.tsx';
import { offerUndo } from '../notices.tsx';

interface PutOnBoardDialogProps {
  /** The stored URL; null while the dialog is closed. */
  readonly url: string | null;
  readonly onClose: () => void;
  /** Saved with the item, such as the settings of its generation. */
  readonly extras?: object;
}

const NEW = 'new';
const said = words.ui.putOnBoard;

/** Puts a stored file on an existing or new board. */
export function PutOnBoardDialog({ url, onClose, extras }: PutOnBoardDialogProps) {
  return (
    <Modal opened={url !== null} onClose={onClose} title={said.title}>
      {url !== null && <BoardForm url={url} extras={extras} onClose={onClose} />}
    </Modal>
  );
}

interface BoardFormProps extends Omit<PutOnBoardDialogProps, 'url'> {
  readonly url: string;
}

function BoardForm({ url, extras, onClose }: BoardFormProps) {
  const boards = useQuery(boardsListOptions());
  const [chosen, choose] = useState<string | null>(null);
  const [name, setName] = useState('');
  const put = usePutOnBoard(url, extras, onClose);
  if (boards.error && !boards.data) return <ErrorNotice error={boards.error} onRetry={() => void boards.refetch()} />;
  if (!boards.data) return <Loading rows={2} />;
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
        <Select
          searchable
          data-autofocus
          allowDeselect={false}
          label={said.board}
          data={[
            ...all.map((board) => ({ value: String(board.id), label: board.name })),
            { value: NEW, label: said.newBoard },
          ]}
          value={value}
          onChange={choose}
        />
        {isNew && (
          <TextInput
            required
            label={said.name}
            maxLength={255}
            value={name}
            error={fieldProblem(put.error, 'name', said.name)}
            onChange={(event) => setName(event.target.value)}
          />
        )}
        {put.error && <ErrorNotice error={put.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {words.ui.cancel}
          </Button>
          <Button type="submit" loading={put.isPending}>
            {said.action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface Target {
  /** Absent for a new board. */
  readonly id?: number;
  readonly name: string;
}

function usePutOnBoard(url: string, extras: object | undefined, onClose: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, name }: Target) => {
      const boardId = id ?? (await x12.boards.create({ name })).board.id;
      const body = { url, extras: extras && JSON.stringify(extras) };
      const { media } = await x12.boards.media.create({ board_id: boardId, ...body });
      return { boardId, mediaId: media.id };
    },
    onSuccess: ({ boardId, mediaId }, { name }) => {
      onClose();
      void refresh(queries, 'boards');
      offerUndo(said.done(name), async () => {
        await x12.boards.media.delete({ board_id: boardId, id: mediaId });
        await refresh(queries, 'boards');
      });
    },
  });
}
