import { focusManager, QueryClient, type QueryClientConfig } from '@tanstack/react-query';

/** What is younger is not read again when the window gets the focus: people switch back and forth. */
const YOUNG_MS = 2000;

/** The cache of what the service said. The client itself repeats what is worth repeating. */
export function createQueryClient(caches: QueryClientConfig = {}): QueryClient {
  followFocus();
  return new QueryClient({
    ...caches,
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        retry: false,
        // Others of the workspace change the same lists meanwhile.
        refetchOnWindowFocus: ({ state }) => (Date.now() - state.dataUpdatedAt > YOUNG_MS ? 'always' : false),
      },
      mutations: { retry: false },
    },
  });
}

/** By default a window counts as focused while it can be seen, also when people work in another one beside it. */
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
