import { useQueryClient } from '@tanstack/react-query';
import { type ListedGenerations, withGeneration, x12 } from '../../api/index.ts';
import { Changes } from '../../state/index.ts';

/** For lists of generations. */
export const generationChanges = new Changes<ListedGenerations>('generations', 'credits');

/** Cancels a generation, which is shown as canceled at once. */
export function useCancel() {
  const queries = useQueryClient();
  return (id: number) =>
    generationChanges.make(
      queries,
      (list) => withGeneration(list, id, { state: 'canceled' }),
      () => x12.generations.cancel({ id }),
    );
}
