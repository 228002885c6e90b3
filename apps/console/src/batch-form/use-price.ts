import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type BatchDryRunResponse, x12, X12Error } from '../api/index.ts';
import type { BatchBody } from './batch-draft.ts';

const WAIT_MS = 350;
/** Delay after a transient failure, so that the price is known soon after the service is back. */
const RETRY_MS = 2000;

/** The number of cells and the price, by a dry run when the typing pauses. The last result stays until the next. */
export function usePrice(body: BatchBody) {
  const now = JSON.stringify(body.matrix);
  const [text] = useDebouncedValue(now, WAIT_MS);
  const query = useQuery({
    queryKey: ['batches', 'dry-run', text],
    queryFn: async ({ signal }) => {
      const matrix = JSON.parse(text) as BatchBody['matrix'];
      return (await x12.batches.create({ name: body.name, matrix, dry_run: true }, { signal })) as BatchDryRunResponse;
    },
    placeholderData: keepPreviousData,
    retry: (_, error) => error instanceof X12Error && error.isTransient,
    retryDelay: RETRY_MS,
  });
  const error = query.error ?? query.failureReason;
  return { ...query, error, price: error ? undefined : query.data, isChecking: query.isFetching || text !== now };
}
