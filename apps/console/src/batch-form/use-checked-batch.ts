import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type BatchDryRunResponse, type BatchResponse, refresh, x12, X12Error } from '../api/index.ts';
import { Starts } from '../ui/index.ts';
import { type BatchBody, type BatchDraft, bodyOf, settingNames, variableNames } from './batch-draft.ts';
import { type BatchField, batchProblems, shownProblems } from './batch-problems.ts';

export type CheckedBatch = ReturnType<typeof useCheckedBatch>;

/** The price of the batch, its problems, and its start. */
export function useCheckedBatch(draft: BatchDraft, onAccepted: () => void) {
  const body = bodyOf(draft);
  const { price, error, isChecking, fetchStatus, refetch } = usePrice(body);
  const { run, isRunning, refused } = useRun(onAccepted);
  const [wasTried, setTried] = useState(false);
  const names = settingNames(draft);
  const isMissing = (field: BatchField) =>
    (field === 'models' && draft.models.length === 0) ||
    (field === 'variables' && variableNames(draft).some((name) => !draft.variables[name]?.length));
  const problems = shownProblems(batchProblems(error, names), isMissing, wasTried);
  const last = refused?.text === JSON.stringify(body) ? batchProblems(refused.error, names) : null;
  return {
    /** Undefined while the batch is incomplete. */
    price,
    isChecking,
    isOffline: fetchStatus === 'paused',
    checkAgain: () => void refetch(),
    isRunning,
    refused,
    fields: { ...problems.fields, ...last?.fields },
    /** The problem of the number of cells. */
    countProblem: problems.count ?? last?.count ?? null,
    /** The problem of no field. */
    problem: last?.other ?? problems.other,
    start: () => {
      setTried(true);
      void run(body);
    },
  };
}

const WAIT_MS = 350;
/** Delay after a transient failure, so that the price is known soon after the service is back. */
const RETRY_MS = 2000;

/** The number of cells and the price, by a dry run when the typing pauses. The last result stays until the next. */
function usePrice(body: BatchBody) {
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

/** A batch that was refused. */
interface Refused {
  readonly text: string;
  readonly error: unknown;
}

/** Runs a batch once, and opens its results. */
function useRun(onAccepted: () => void) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [starts] = useState(() => new Starts());
  const [isRunning, setRunning] = useState(false);
  const [refused, setRefused] = useState<Refused | null>(null);
  const run = async (body: BatchBody) => {
    const text = JSON.stringify(body);
    const key = starts.begin(text, performance.now());
    if (key === null) return;
    setRunning(true);
    try {
      const { batch } = (await x12.batches.create(body, { headers: { 'Idempotency-Key': key } })) as BatchResponse;
      starts.end(key, 'accepted');
      onAccepted();
      void refresh(queries, 'batches', 'generations', 'credits');
      await navigate({ to: '/batches/$batchId', params: { batchId: String(batch.id) } });
    } catch (error) {
      starts.end(key, error instanceof X12Error && !error.isTransient ? 'refused' : 'unknown');
      setRefused({ text, error });
    } finally {
      setRunning(false);
    }
  };
  return { run, isRunning, refused };
}
