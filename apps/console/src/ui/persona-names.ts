import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { type MemberDto, type PersonaSummaryDto, teamMembersListOptions } from '../api/index.ts';
import { words } from './words.ts';

type Persona = Pick<PersonaSummaryDto, 'id' | 'name' | 'created_by'>;
type Person = Pick<MemberDto, 'user_id' | 'email'>;

/**
 * Names personas. Personas of different creators with the same name get the creator's e-mail, because people may have the same
 * name too.
 */
export function usePersonaNames(personas: readonly Persona[]): (persona: Persona) => string {
  const ambiguous = useMemo(() => ambiguousNames(personas), [personas]);
  const members = useQuery({ ...teamMembersListOptions(), enabled: ambiguous.size > 0 });
  const people = members.data?.members;
  return useCallback((persona) => personaName(persona, ambiguous, people ?? []), [ambiguous, people]);
}

/** The names of personas of several creators. */
export function ambiguousNames(personas: readonly Persona[]): ReadonlySet<string> {
  const makers = Map.groupBy(personas, ({ name }) => name);
  const isAmbiguous = (same: readonly Persona[]) => new Set(same.map(({ created_by }) => created_by)).size > 1;
  return new Set([...makers].filter(([, same]) => isAmbiguous(same)).map(([name]) => name));
}

export function personaName(
  { name, created_by }: Persona,
  ambiguous: ReadonlySet<string>,
  members: readonly Person[],
): string {
  if (!ambiguous.has(name)) return name;
  const maker = members.find(({ user_id }) => user_id === created_by);
  return words.personaBy(name, maker?.email ?? words.formerMember(created_by));
}
