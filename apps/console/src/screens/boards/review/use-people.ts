import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { teamMembersListOptions } from '../../../api/index.ts';
import { useMe } from '../../../shell/index.ts';
import type { Person } from './mentions.ts';

/** The other members of the team, read when they are needed. A personal workspace has none. */
export function usePeople(isNeeded: boolean): readonly Person[] {
  const me = useMe();
  const { data } = useQuery({
    ...teamMembersListOptions(),
    enabled: isNeeded && me.workspace.is_team,
    staleTime: 60_000,
  });
  return useMemo(
    () =>
      (data?.members ?? []).flatMap(({ user_id: id, name, email, joined_at: joinedAt }) =>
        joinedAt === null || id === me.user.id ? [] : [{ id, name, email }],
      ),
    [data, me.user.id],
  );
}
