import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { generatePostGenerate, type GenerateResponse, refreshGenerations } from '../../api/index.ts';

export interface Sending {
  readonly key: number;
  readonly model: string;
  readonly prompt: string;
}

type Body = NonNullable<Parameters<typeof generatePostGenerate>[0]>['body'];

let lastKey = 0;

/** Starts generations, several at once; those on their way are listed until the service's list has them. */
export function useGenerate() {
  const queries = useQueryClient();
  const [sending, setSending] = useState<readonly Sending[]>([]);
  // As a mutation: its errors are seen by the shell, which leads to the sign-in when the session has ended.
  const { mutateAsync: post } = useMutation({ mutationFn: (body: Body) => generatePostGenerate({ body }) });
  /** @returns the id */
  const generate = async (body: Body & { model: string }): Promise<number> => {
    const key = ++lastKey;
    setSending((others) => [{ key, model: body.model, prompt: body.prompt ?? '' }, ...others]);
    try {
      const { generation_id } = (await post(body)) as GenerateResponse;
      void queries.invalidateQueries({ queryKey: [{ _id: 'creditsGetCredits' }] });
      await refreshGenerations(queries);
      return generation_id;
    } finally {
      setSending((others) => others.filter((each) => each.key !== key));
    }
  };
  return { sending, generate };
}
