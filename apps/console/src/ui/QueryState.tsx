import { ErrorNotice } from './ErrorNotice.tsx';
import { Loading } from './Loading.tsx';

interface QueryStateProps {
  readonly query: {
    readonly error: unknown;
    readonly isPending: boolean;
    readonly isFetchNextPageError?: boolean;
    readonly refetch: () => unknown;
  };
  /** Placeholders while the query is read first. */
  readonly rows: number;
  /** CSS pixels of each. */
  readonly height?: number;
}

/** Shows that a query is read first, or its error. `NextPageError` shows that of a next page. */
export function QueryState({ query, ...placeholders }: QueryStateProps) {
  const { error, isPending, isFetchNextPageError = false, refetch } = query;
  if (error && !isFetchNextPageError) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  return isPending && <Loading {...placeholders} />;
}
