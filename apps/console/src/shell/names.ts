import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import {
  type GenerationResponse,
  modelsListOptions,
  personasListOptions,
  type PersonaSummaryDto,
  teamMembersListOptions,
} from '../api/index.ts';
import { uiWords, usePersonaNames } from '../ui/index.ts';
import { useMe } from './session.ts';

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
      nameOf: (kind: keyof typeof listed, id: string | number) => nameIn(kind, id, String(id)),
      modelOf: ({ model }: GenerationResponse) => nameIn('models', model, model),
      personaOf: ({ pid }: GenerationResponse) =>
        pid === null ? uiWords.deletedPersona : nameIn('personas', pid, uiWords.number(pid)),
      memberOf: ({ user_id }: GenerationResponse) => nameIn('members', user_id, uiWords.formerMember(user_id)),
    };
  }, [me, models.data, personas.data, nameOfPersona, members.data]);
}

export type Names = ReturnType<typeof useNames>;

/** The rows of model, persona and member among the settings of a generation. */
export function namesWith(names: Names) {
  const { model, persona, member } = uiWords.settings;
  return (generation: GenerationResponse) => ({
    [model]: names.modelOf(generation),
    [persona]: names.personaOf(generation),
    [member]: names.memberOf(generation),
  });
}
