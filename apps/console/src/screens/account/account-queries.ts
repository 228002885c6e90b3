import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  authGrantsListQueryKey,
  authSessionsListQueryKey,
  type GrantDto,
  refresh,
  type SessionDto,
  useChange,
  type UserDto,
  x12,
} from '../../api/index.ts';
import { meQuery } from '../../shell/index.ts';
import { notifyDone } from '../../ui/index.ts';
import { uploads } from '../../uploads/index.ts';
import { words } from './words.ts';

/** The size of a page: the maximum of the service. */
const PAGE = 200;

/** The `place` of uploads of the user's picture. */
export const PICTURE = 'picture of the account';

/** Changes of the user's account. They reject with the service's refusal. */
export function useAccount() {
  const queries = useQueryClient();
  return {
    async saveName({ name }: { readonly name: string }): Promise<void> {
      showUser(queries, await x12.auth.update({ name: name.trim() || null }));
      notifyDone(words.nameSaved);
    },

    /** Continues when another screen is opened, and shows its progress and its failure with other uploads. */
    uploadPicture(file: File): void {
      uploads.forgetFailed(PICTURE);
      uploads.add(file, {
        purpose: words.pictureOf,
        place: PICTURE,
        then: async ({ url }) => {
          showUser(queries, await x12.auth.update({ avatar: url }));
          notifyDone(words.pictureSaved);
        },
      });
    },

    async removePicture(): Promise<void> {
      showUser(queries, await x12.auth.update({ avatar: null }));
      notifyDone(words.pictureRemoved);
    },

    async changePassword(body: { readonly current?: string; readonly password: string }): Promise<void> {
      showUser(queries, await x12.auth.password.update(body));
      notifyDone(words.passwordSaved);
      await refresh(queries, 'tokens');
    },
  };
}

/** Shows the changed user at once. */
function showUser(queries: QueryClient, { user }: { readonly user: UserDto }): void {
  queries.setQueryData(meQuery.queryKey, (me) => me && { ...me, user });
  void refresh(queries, 'team');
}

/** The sessions of all pages. */
export function useSessions() {
  return useQuery({ queryKey: authSessionsListQueryKey(), queryFn: ({ signal }) => readSessions(signal) });
}

async function readSessions(signal: AbortSignal): Promise<readonly SessionDto[]> {
  const sessions: SessionDto[] = [];
  for await (const session of x12.auth.sessions.list({ limit: PAGE }, { signal })) sessions.push(session);
  return sessions;
}

export function useGrants() {
  return useQuery({ queryKey: authGrantsListQueryKey(), queryFn: ({ signal }) => readGrants(signal) });
}

async function readGrants(signal: AbortSignal): Promise<readonly GrantDto[]> {
  const grants: GrantDto[] = [];
  for await (const grant of x12.auth.grants.list({ limit: PAGE }, { signal })) grants.push(grant);
  return grants;
}

export const useGrantEnd = () => useChange((id: number) => x12.auth.grants.delete({ id }), 'tokens').mutateAsync;

export const useSessionEnd = () => useChange(endSession, 'tokens').mutateAsync;

function endSession(id: number | 'others'): Promise<unknown> {
  return id === 'others' ? x12.auth.sessions.deleteMany() : x12.auth.sessions.delete({ id });
}

export const useExportRequest = () => useChange(() => x12.auth.exports.create(), 'exports');
