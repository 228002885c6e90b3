import { useQueries } from '@tanstack/react-query';
import { generationsGetOptions } from '../../api/index.ts';
import { type NamesOf, type Setting, settingsOf } from './settings.ts';

const NONE: readonly Setting[] = [];

/**
 * The settings of generations; none until all are read.
 *
 * @param ids null for an item that no generation made
 */
export function useSettings(ids: readonly (number | null)[], namesOf: NamesOf): readonly Setting[] {
  const generations = useQueries({
    queries: ids.map((id) => ({
      ...generationsGetOptions({ path: { id: id ?? 0 } }),
      enabled: id !== null,
      staleTime: 60_000,
    })),
    combine: (all) => (all.some(({ isLoading }) => isLoading) ? undefined : all.map(({ data }) => data ?? null)),
  });
  return generations ? settingsOf(generations, namesOf) : NONE;
}
