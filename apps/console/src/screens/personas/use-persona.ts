import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type PersonaDto, personasGetOptions } from '../../api/index.ts';
import { useShown } from '../../state/index.ts';
import { personaChanges, PersonaPictures } from './persona-pictures.ts';

/** How often the persona is read again while pictures are being copied. */
const POLL_MS = 1500;

/** A persona, read again while a picture is being copied. */
export function usePersona(id: number) {
  const query = useQuery({
    ...personasGetOptions({ path: { persona_id: id } }),
    refetchInterval: ({ state }) => (isCopying(state.data?.persona) ? POLL_MS : false),
  });
  return { ...query, persona: useShown(personaChanges, query.data)?.persona };
}

function isCopying(persona: PersonaDto | undefined): boolean {
  return persona?.trainings.some(({ state }) => state === 'created') ?? false;
}

/** The changes of the pictures of a persona. */
export function usePictures({ id, name }: Pick<PersonaDto, 'id' | 'name'>): PersonaPictures {
  const queries = useQueryClient();
  return useMemo(() => new PersonaPictures(id, name, queries), [id, name, queries]);
}
