import { useMutation, useQuery } from '@tanstack/react-query';
import { X12Error } from '../../../api/index.ts';
import type { TrialResponse } from '../generated/index.ts';
import { useAccess } from '../operator-queries.ts';
import { type Entry, previewable } from './entry.ts';
import { type TrialFields, trialProblems } from './trial.ts';

const POLL_MS = 1000;

/** A trial of an entry that need not be saved: one real output, which the vendor bills. */
export function useTrial(id: string, entry: Entry | null) {
  const { read, send } = useAccess();
  const start = useMutation({
    mutationFn: async (fields: TrialFields) => {
      // The vendor's bill helps to decide the cost.
      const body = { entry: previewable(entry!), ...fields };
      const { trial } = await send<TrialResponse>('POST', `models/${encodeURIComponent(id)}/try`, { body });
      return trial;
    },
  });
  const started = start.data;
  const { data, error } = useQuery({
    queryKey: ['trial', started?.id],
    enabled: started !== undefined,
    queryFn: ({ signal }) => read<TrialResponse>(`trials/${started!.id}`, {}, signal),
    refetchInterval: ({ state }) => (isEnded(state.data?.trial.state) ? false : POLL_MS),
    staleTime: 0,
  });
  const trial = start.isPending ? null : (data?.trial ?? started ?? null);
  const isRefused = start.error instanceof X12Error && start.error.code === 'validation_failed';
  return {
    trial,
    isRunning: start.isPending || (trial !== null && !isEnded(trial.state)),
    /** At the fields of the form. */
    problems: isRefused ? trialProblems((start.error as X12Error).fields) : {},
    error: isRefused ? null : (start.error ?? error),
    start: start.mutate,
  };
}

function isEnded(state: string | undefined): boolean {
  return state === 'succeeded' || state === 'failed';
}
