import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type GenerateInput, type GenerateResponse, refreshGenerations, x12, X12Error } from '../../api/index.ts';
import { Starts } from './starts.ts';

export interface Sending {
  readonly key: string;
  readonly model: string;
  readonly prompt: string;
}

interface Start {
  readonly key: string;
  readonly input: GenerateInput;
}

/** Starts generations, several at once; those on their way are listed until the service's list has them. */
export function useGenerate() {
  const queries = useQueryClient();
  const [sending, setSending] = useState<readonly Sending[]>([]);
  const [starts] = useState(() => new Starts());
  // As a mutation: its errors are seen by the shell, which leads to the sign-in when the session has ended.
  const { mutateAsync: post } = useMutation({
    mutationFn: ({ key, input }: Start) => x12.generations.create(input, { headers: { 'Idempotency-Key': key } }),
  });
  /** @returns the id; null for the second click of a double click */
  const generate = async (input: GenerateInput): Promise<number | null> => {
    const key = starts.begin(JSON.stringify(input), performance.now());
    if (key === null) return null;
    setSending((others) => [{ key, model: input.model, prompt: input.prompt ?? '' }, ...others]);
    try {
      const { generation_id } = (await post({ key, input })) as GenerateResponse;
      starts.end(key, 'accepted');
      void queries.invalidateQueries({ queryKey: [{ _id: 'creditsGet' }] });
      await refreshGenerations(queries);
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
