import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import { type PersonaDto, personasGetOptions } from '../../api/index.ts';
import { doomed } from './doomed.ts';
import { PersonaPictures } from './persona-pictures.ts';
import { withTrainings } from './persona-view.ts';

/** While pictures are being copied: how often to look. */
const POLL_MS = 1500;

/** A persona, without the pictures that are as good as deleted; read again while a picture is being copied. */
export function usePersona(id: number) {
  const gone = useSyncExternalStore(doomed.subscribe, doomed.ids);
  const query = useQuery({
    ...personasGetOptions({ path: { persona_id: id } }),
    refetchInterval: ({ state }) => (isCopying(state.data?.persona) ? POLL_MS : false),
  });
  const persona = query.data?.persona;
  const shown = useMemo(() => persona && withTrainings(persona, keptOf(persona, gone)), [persona, gone]);
  return { ...query, persona: shown };
}

/** What is on its way to the service has no id of its own yet: to read now would show the slot empty. */
function isCopying(persona: PersonaDto | undefined): boolean {
  return persona?.trainings.some(({ id, state }) => id > 0 && state === 'created') ?? false;
}

function keptOf({ trainings }: PersonaDto, gone: ReadonlySet<number>) {
  return trainings.filter(({ id }) => !gone.has(id));
}

/** What can be done with the pictures of a persona. */
export function usePictures({ id, name }: Pick<PersonaDto, 'id' | 'name'>): PersonaPictures {
  const queries = useQueryClient();
  return useMemo(() => new PersonaPictures(id, name, queries), [id, name, queries]);
}
