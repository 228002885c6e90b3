import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type CreateTokenRequest,
  entries,
  type TokenDto,
  tokensDeleteToken,
  tokensGetTokens,
  tokensGetTokensQueryKey,
  tokensPostToken,
} from '../../api/index.ts';

/** The size of a page: the most that the service returns. */
const PAGE = 200;

/** Those of all pages: they are searched here, and log-ins may stand before every API token. */
export function useTokens() {
  return useQuery({ queryKey: tokensGetTokensQueryKey(), queryFn: ({ signal }) => readTokens(signal) });
}

async function readTokens(signal: AbortSignal): Promise<readonly TokenDto[]> {
  const tokens: TokenDto[] = [];
  const read = (cursor: string | undefined) => tokensGetTokens({ query: { limit: PAGE, cursor }, signal });
  for await (const token of entries(read, (page) => page.tokens)) tokens.push(token);
  return tokens;
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
