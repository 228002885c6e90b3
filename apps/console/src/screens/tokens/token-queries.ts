import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type CreateTokenRequest,
  tokensDeleteToken,
  tokensGetTokensOptions,
  tokensGetTokensQueryKey,
  tokensPostToken,
} from '../../api/index.ts';

/** All of them: they are searched here. */
export function useTokens() {
  return useQuery(tokensGetTokensOptions());
}

/** The new token is in memory alone, and gone from there with whoever shows it. */
export function useTokenCreation() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: CreateTokenRequest) => tokensPostToken({ body }),
    onSuccess: refresh,
    gcTime: 0,
  });
}

export function useTokenRevocation() {
  const refresh = useRefresh();
  return useMutation({ mutationFn: (id: number) => tokensDeleteToken({ path: { id } }), onSettled: refresh })
    .mutateAsync;
}

function useRefresh() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: tokensGetTokensQueryKey() });
}
