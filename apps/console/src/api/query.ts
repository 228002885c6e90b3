import { QueryClient, type QueryClientConfig } from '@tanstack/react-query';

/** The cache of what the service said. The client itself repeats what is worth repeating. */
export function createQueryClient(caches: QueryClientConfig = {}): QueryClient {
  return new QueryClient({
    ...caches,
    defaultOptions: { queries: { staleTime: 15_000, retry: false }, mutations: { retry: false } },
  });
}
