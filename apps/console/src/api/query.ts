import { focusManager, QueryClient, type QueryClientConfig } from '@tanstack/react-query';

/** Younger data is not read again when the window gets the focus: people switch back and forth. */
const YOUNG_MS = 2000;

/** The cache of responses. It does not retry, because the client does. */
export function createQueryClient(caches: QueryClientConfig = {}): QueryClient {
  followFocus();
  return new QueryClient({
    ...caches,
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        retry: false,
        // Other members of the workspace change the same lists meanwhile.
        refetchOnWindowFocus: ({ state }) => (Date.now() - state.dataUpdatedAt > YOUNG_MS ? 'always' : false),
      },
      mutations: { retry: false },
    },
  });
}

/** Reads again when the window gets the focus: by default TanStack Query only waits for the window to be visible. */
function followFocus(): void {
  focusManager.setEventListener((onFocus) => {
    const look = () => onFocus();
    addEventListener('focus', look);
    addEventListener('visibilitychange', look);
    return () => {
      removeEventListener('focus', look);
      removeEventListener('visibilitychange', look);
    };
  });
}
