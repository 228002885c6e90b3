import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { refresh, type ShareDto, sharesListOptions, x12 } from '../../../api/index.ts';
import { changeOf, creationOf, type Shared, type ShareForm } from './share-form.ts';

/** The links that show something of a board. */
export function useShares(boardId: number) {
  return useQuery(sharesListOptions({ query: { board_id: boardId, limit: 200 } }));
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
