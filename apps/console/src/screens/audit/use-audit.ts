import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { auditListInfiniteOptions, client, teamMembersListOptions, usePages } from '../../api/index.ts';
import { useMe } from '../../shell/index.ts';
import { notifyError, saveCsv } from '../../ui/index.ts';
import { type AuditEntryDto, type AuditState, queryOf } from './audit-query.ts';
import { actorOf } from './sentence.ts';
import { words } from './words.ts';

const PAGE = 50;

/** The entries that match, newest first. */
export function useAudit(filter: AuditState) {
  const options = auditListInfiniteOptions({ query: { ...queryOf(filter), limit: PAGE } });
  return usePages({ ...options, placeholderData: keepPreviousData }, (page) => page.entries);
}

type Entries = readonly AuditEntryDto[];

/** Actors that can be chosen: the members, and all others who did something that is listed. */
export function useActors(entries: Entries, chosen: string) {
  const { user, workspace } = useMe();
  const members = useQuery({ ...teamMembersListOptions(), enabled: workspace.is_team }).data?.members;
  return useMemo(() => {
    const names = new Map([[String(user.id), user.email]]);
    for (const { user_id: id, email } of members ?? []) names.set(String(id), email);
    for (const entry of entries) {
      const { actor } = entry;
      if (typeof actor === 'object') names.set(String(actor.user_id), actorOf(entry));
    }
    names.set('operator', words.actors.operator).set('system', words.actors.system);
    if (chosen && !names.has(chosen)) names.set(chosen, words.unnamed(words.targets.user, Number(chosen)));
    return [...names].map(([id, name]) => ({ id, name }));
  }, [user, members, entries, chosen]);
}

/** Downloads all entries that match, in all pages. */
export function useCsv(filter: AuditState) {
  return useMutation({
    mutationFn: async () => {
      const { data } = await client.request({
        ...{ method: 'GET', url: '/v2/audit', parseAs: 'blob' },
        ...{ headers: { Accept: 'text/csv' }, query: { ...queryOf(filter) } },
      });
      saveCsv('audit.csv', data as Blob);
    },
    onError: (error) => notifyError(error, words.csvFailed),
    gcTime: 0,
  });
}
