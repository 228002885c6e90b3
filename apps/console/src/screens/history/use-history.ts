import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import {
  type GenerationResponse,
  generationsListInfiniteOptions,
  modelsListOptions,
  personasListOptions,
  type PersonaSummaryDto,
  pollWhileOpen,
  teamMembersListOptions,
  useLiveGenerations,
} from '../../api/index.ts';
import { useMe } from '../../shell/index.ts';
import { useNextPage, usePersonaNames } from '../../ui/index.ts';
import { words } from '../../words.ts';
import { type HistoryState, queryOf } from './history-query.ts';

/** The filtered generations, newest first, with live updates. */
export function useHistory(filter: HistoryState) {
  const list = useInfiniteQuery({
    ...generationsListInfiniteOptions({ query: queryOf(filter) }),
    initialPageParam: {},
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    refetchInterval: pollWhileOpen,
  });
  const generations = useMemo(() => list.data?.pages.flatMap((page) => page.generations) ?? [], [list.data]);
  useLiveGenerations(generations);
  const more = useNextPage(list);
  return { list, generations, more };
}

const NONE: readonly PersonaSummaryDto[] = [];

export interface Named {
  readonly id: string;
  readonly name: string;
}

/** The names of the models, personas and members of generations. A personal workspace has one member. */
export function useNames() {
  const me = useMe();
  const models = useQuery({ ...modelsListOptions(), staleTime: 300_000 });
  const personas = useQuery(personasListOptions());
  const nameOfPersona = usePersonaNames(personas.data?.personas ?? NONE);
  const members = useQuery({ ...teamMembersListOptions(), enabled: me.workspace.is_team });
  return useMemo(() => {
    const people = [me.user, ...(members.data?.members ?? []).filter(({ user_id }) => user_id !== me.user.id)];
    const listed = {
      models: (models.data?.models ?? []).map(({ id, title }) => ({ id, name: title })),
      personas: (personas.data?.personas ?? NONE).map((each) => ({ id: String(each.id), name: nameOfPersona(each) })),
      members: people.map(({ id, name, email }) => ({ id: String(id), name: name || email })),
    };
    const nameIn = (kind: keyof typeof listed, id: string | number, otherwise: string) =>
      listed[kind].find((each) => each.id === String(id))?.name ?? otherwise;
    return {
      ...listed,
      modelOf: ({ model }: GenerationResponse) => nameIn('models', model, model),
      personaOf: ({ pid }: GenerationResponse) =>
        pid === null ? words.history.deletedPersona : nameIn('personas', pid, words.history.number(pid)),
      memberOf: ({ user_id }: GenerationResponse) => nameIn('members', user_id, words.history.former(user_id)),
    };
  }, [me, models.data, personas.data, nameOfPersona, members.data]);
}

export type Names = ReturnType<typeof useNames>;
