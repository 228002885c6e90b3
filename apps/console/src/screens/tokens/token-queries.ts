import { useQuery } from '@tanstack/react-query';
import { authTokensListQueryKey, type CreateTokenRequest, type TokenDto, useChange, x12 } from '../../api/index.ts';

/** The size of a page: the maximum of the service. */
const PAGE = 200;

/** The tokens of all pages: they are searched here, and log-ins may precede every API token. */
export function useTokens() {
  return useQuery({ queryKey: authTokensListQueryKey(), queryFn: ({ signal }) => readTokens(signal) });
}

async function readTokens(signal: AbortSignal): Promise<readonly TokenDto[]> {
  const tokens: TokenDto[] = [];
  for await (const token of x12.auth.tokens.list({ limit: PAGE }, { signal })) tokens.push(token);
  return tokens;
}

/** The new token is only in memory, and is dropped when its dialog closes. */
export const useTokenCreation = () => useChange((body: CreateTokenRequest) => x12.auth.tokens.create(body), 'tokens');

export const useTokenRevocation = () => useChange((id: number) => x12.auth.tokens.revoke({ id }), 'tokens').mutateAsync;
