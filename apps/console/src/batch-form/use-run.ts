import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type BatchResponse, refresh, x12, X12Error } from '../api/index.ts';
import { Starts } from '../ui/index.ts';
import type { BatchBody } from './batch-draft.ts';

/** A batch that was refused. */
interface Refused {
  readonly text: string;
  readonly error: unknown;
}

/** Runs a batch once, and opens its results. */
export function useRun(onAccepted: () => void) {
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
