import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { X12Error } from '#client';

/**
 * The cache of what the service said. The client itself repeats what is worth repeating.
 *
 * @param onSignedOut called when the service no longer knows the session
 */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (error instanceof X12Error && error.code === 'unauthenticated') onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: { queries: { staleTime: 15_000, retry: false }, mutations: { retry: false } },
  });
}
