import { useMutation, useQueryClient } from '@tanstack/react-query';
import { refresh, type ShareDto, sharesListInfiniteOptions, usePages, x12 } from '../api/index.ts';
import { changeOf, creationOf, type Shared, type ShareForm } from './share-form.ts';

const PAGE = 100;

/** The links of the workspace, or only those that show something of a board. */
export function useShares(boardId?: number) {
  const query = { limit: PAGE, ...(boardId !== undefined && { board_id: boardId }) };
  return usePages(sharesListInfiniteOptions({ query }), ({ shares }) => shares);
}

/** Makes a link. */
export function useShareCreation(shared: Shared) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (form: ShareForm) => x12.shares.create(creationOf(form, shared)),
    onSuccess: () => refresh(queries, 'shares'),
    // The response has the only copy of the URL.
    gcTime: 0,
  });
}

export function useShareChange(share: ShareDto) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (form: ShareForm) => x12.shares.update({ id: share.id, ...changeOf(form, share) }),
    onSuccess: () => refresh(queries, 'shares'),
    gcTime: 0,
  });
}

/** Switches a link off. */
export function useSwitchOff() {
  const queries = useQueryClient();
  return async ({ id }: ShareDto) => {
    await x12.shares.delete({ id });
    await refresh(queries, 'shares');
  };
}
