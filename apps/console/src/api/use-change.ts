import { useMutation, useQueryClient } from '@tanstack/react-query';
import { refresh, type Subject } from './refresh.ts';

/**
 * A change of the service. Reads these subjects again after it, and after a refusal: others may have changed the same.
 * Its result may be a secret, so no cache keeps it.
 */
export function useChange<Input, Result>(change: (input: Input) => Promise<Result>, ...stale: readonly Subject[]) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: change, onSettled: () => refresh(queries, ...stale), gcTime: 0 });
}
