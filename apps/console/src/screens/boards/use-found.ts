import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { boardsMediaListQueryKey, x12 } from '../../api/index.ts';

/** Milliseconds without a keystroke before the service searches. */
const TYPING_MS = 250;
const PAGE = 200;

/** Ids of the media that the service finds by words and tags; null before the first response and while nothing is searched. */
export function useFound(boardId: number, text: string, tags: readonly string[]) {
  const [q] = useDebouncedValue(text, TYPING_MS);
  const path = { board_id: boardId };
  const query = { limit: PAGE, ...(q !== '' && { q }), ...(tags.length > 0 && { tag: [...tags] }) };
  const search = useQuery({
    queryKey: boardsMediaListQueryKey({ path, query }),
    queryFn: async () => {
      const ids = new Set<number>();
      for await (const { id } of x12.boards.media.list({ ...path, ...query })) ids.add(id);
      return ids;
    },
    enabled: q !== '' || tags.length > 0,
    placeholderData: keepPreviousData,
  });
  return { found: text === '' && tags.length === 0 ? null : (search.data ?? null), error: search.error };
}
