import { useQuery } from '@tanstack/react-query';
import { modelsListOptions } from '../../api/index.ts';

/** The titles of the models by id, or the id. @param enabled false for a screen that does not read the list itself */
export function useModelTitles(enabled = true) {
  const { data } = useQuery({ ...modelsListOptions(), staleTime: 300_000, enabled });
  return (id: string) => data?.models.find((model) => model.id === id)?.title ?? id;
}
