import { focusManager, QueryClient, type QueryClientConfig, type QueryObserverOptions } from '@tanstack/react-query';
import { isRefusal } from '../refusal.ts';

type RefetchInterval = NonNullable<QueryObserverOptions['refetchInterval']>;

/** Younger data is not read again when the window gets the focus: people switch back and forth. */
const YOUNG_MS = 2000;

/** Queries that a timer repeats end with a refusal, until something else reads them again. */
export class Queries extends QueryClient {
  override readonly defaultQueryOptions: QueryClient['defaultQueryOptions'] = (options) => {
    const all = super.defaultQueryOptions(options);
    const { refetchInterval } = all as { readonly refetchInterval?: RefetchInterval };
    if (options._defaulted || !refetchInterval) return all;
    const unlessRefused: RefetchInterval = (query) => {
      if (isRefusal(query.state.error)) return false;
      return typeof refetchInterval === 'function' ? refetchInterval(query) : refetchInterval;
    };
    return Object.assign(all, { refetchInterval: unlessRefused });
  };
}

/** The cache of responses. It does not retry, because the client does. */
export function createQueryClient(caches: QueryClientConfig = {}): QueryClient {
  followFocus();
  return new Queries({
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
