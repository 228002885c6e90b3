import { useState } from 'react';
import { type BatchDraft, bodyOf, settingNames, variableNames } from './batch-draft.ts';
import { type BatchField, batchProblems, shownProblems } from './batch-problems.ts';
import { usePrice } from './use-price.ts';
import { useRun } from './use-run.ts';

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
