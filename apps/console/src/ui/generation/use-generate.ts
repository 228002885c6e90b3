import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type GenerateInput, type GenerateResponse, refresh, x12, X12Error } from '../../api/index.ts';
import { Starts } from './starts.ts';

export interface Sending {
  readonly key: string;
  readonly model: string;
  readonly prompt: string;
}

/** Starts generations, several at once. Starts in flight are in `sending` until the service's list has them. */
export function useGenerate() {
  const queries = useQueryClient();
  const [sending, setSending] = useState<readonly Sending[]>([]);
  const [starts] = useState(() => new Starts());
  /** @returns the id of the generation; null for the second click of a double click */
  const generate = async (input: GenerateInput): Promise<number | null> => {
    const key = starts.begin(JSON.stringify(input), performance.now());
    if (key === null) return null;
    setSending((others) => [{ key, model: input.model, prompt: input.prompt ?? '' }, ...others]);
    try {
      const headers = { 'Idempotency-Key': key };
      const { generation_id } = (await x12.generations.create(input, { headers })) as GenerateResponse;
      starts.end(key, 'accepted');
      await refresh(queries, 'generations', 'credits');
      return generation_id;
    } catch (error) {
      starts.end(key, isRefusal(error) ? 'refused' : 'unknown');
      throw error;
    } finally {
      setSending((others) => others.filter((each) => each.key !== key));
    }
  };
  return { sending, generate };
}

function isRefusal(error: unknown): boolean {
  return error instanceof X12Error && !error.isTransient && error.code !== 'idempotency_in_progress';
}
