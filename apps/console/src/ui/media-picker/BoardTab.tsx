import { Select, Stack } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { boardsListOptions, boardsMediaListInfiniteOptions } from '../../api/index.ts';
import { fileName } from '../../text.ts';
import { EmptyState } from '../EmptyState.tsx';
import { ErrorNotice } from '../ErrorNotice.tsx';
import { Loading } from '../Loading.tsx';
import { words } from '../words.ts';
import type { PickedMedia, PickTabProps } from './picked-media.ts';
import { PickGrid } from './PickGrid.tsx';

/** Media of one board. */
export function BoardTab(props: PickTabProps) {
  const boards = useQuery(boardsListOptions());
  const [chosen, choose] = useState<string | null>(null);
  if (boards.error && !boards.data) return <ErrorNotice error={boards.error} onRetry={() => void boards.refetch()} />;
  if (!boards.data) return <Loading rows={3} height={110} />;
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
  const list = useInfiniteQuery({
    ...boardsMediaListInfiniteOptions({ path: { board_id: boardId }, query: { limit: 100 } }),
    initialPageParam: { path: { board_id: boardId } },
    getNextPageParam: (page) => page.next_cursor,
  });
  const media = useMemo(
    () =>
      list.data?.pages.flatMap((page) =>
        page.media.flatMap(({ url, ...facts }): PickedMedia[] =>
          url === null ? [] : [{ ...facts, url, name: fileName(url) }],
        ),
      ) ?? null,
    [list.data],
  );
  return <PickGrid {...props} media={media} list={list} />;
}
