import { Select, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { boardsListOptions, boardsMediaListInfiniteOptions, usePages } from '../../api/index.ts';
import { fileName } from '../../text.ts';
import { EmptyState } from '../EmptyState.tsx';
import { QueryState } from '../QueryState.tsx';
import { words } from '../words.ts';
import type { PickedMedia, PickTabProps } from './picked-media.ts';
import { PickGrid } from './PickGrid.tsx';

/** Media of one board. */
export function BoardTab(props: PickTabProps) {
  const boards = useQuery(boardsListOptions());
  const [chosen, choose] = useState<string | null>(null);
  if (!boards.data) return <QueryState query={boards} rows={3} height={110} />;
  const all = boards.data.boards;
  const first = all.find(({ media_count }) => media_count > 0) ?? all[0];
  if (!first) return <EmptyState title={words.picker.noBoards} hint={words.picker.emptyHint} />;
  const id = chosen ?? String(first.id);
  return (
    <Stack gap="sm">
      <Select
        searchable
        label={words.picker.board}
        allowDeselect={false}
        data={all.map((board) => ({ value: String(board.id), label: board.name }))}
        value={id}
        onChange={choose}
      />
      <MediaOfBoard key={id} boardId={Number(id)} {...props} />
    </Stack>
  );
}

function MediaOfBoard({ boardId, ...props }: PickTabProps & { readonly boardId: number }) {
  const options = boardsMediaListInfiniteOptions({ path: { board_id: boardId }, query: { limit: 100 } });
  const { list, items } = usePages(options, ({ media }) =>
    media.flatMap(({ url, ...facts }): PickedMedia[] => (url === null ? [] : [{ ...facts, url, name: fileName(url) }])),
  );
  return <PickGrid {...props} media={items} list={list} />;
}
