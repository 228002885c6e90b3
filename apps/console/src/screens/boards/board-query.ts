import { queryOptions, useQuery } from '@tanstack/react-query';
import { boardsGetQueryKey, type BoardsGetResponse, client, type MediaDto, X12Error } from '../../api/index.ts';

/** The ETag of each response, so that an unchanged board is not sent again. */
const etags = new WeakMap<BoardsGetResponse, string>();

/** A board with its contents, and the ids of its notes negative, so that no media item has one of them. Its events say when to read it again. */
function boardQuery(id: number) {
  const queryKey = boardsGetQueryKey({ path: { id } });
  return queryOptions({
    queryKey,
    queryFn: ({ client: queries, signal }) => read(id, queries.getQueryData<BoardsGetResponse>(queryKey), signal),
    // Comparing 5,000 media items takes longer than rendering the visible ones.
    structuralSharing: false,
  });
}

export function useBoard(id: number) {
  return useQuery(boardQuery(id));
}

export function isInPreparation({ state }: Pick<MediaDto, 'state'>): boolean {
  return state === 'created';
}

async function read(id: number, known: BoardsGetResponse | undefined, signal: AbortSignal) {
  const etag = known && etags.get(known);
  try {
    const { data: read, response } = await client.get<{ 200: BoardsGetResponse }, unknown, true>({
      url: '/v2/boards/{id}',
      path: { id },
      headers: etag === undefined ? {} : { 'If-None-Match': etag },
      signal,
    });
    const { board } = read;
    const data = { ...read, board: { ...board, notes: board.notes.map((note) => ({ ...note, id: -note.id })) } };
    const next = response.headers.get('etag');
    if (next !== null) etags.set(data, next);
    return data;
  } catch (error) {
    if (known && error instanceof X12Error && error.status === 304) return known;
    throw error;
  }
}
