import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import {
  type MemberDto,
  refresh,
  teamInvitationsListOptions,
  teamMembersListOptions,
  x12,
  X12Error,
} from '../../api/index.ts';
import { meQuery } from '../../shell/index.ts';
import { Changes } from '../../state/index.ts';
import { notifyDone } from '../../ui/index.ts';
import { words } from '../../words.ts';

export type GivenRole = 'member' | 'admin';

const MAIL_CHECK_MS = 3000;

/** The members and invitations, both whole: they are searched here. */
export function useDirectory() {
  const members = useQuery(teamMembersListOptions());
  const invitations = useQuery({
    ...teamInvitationsListOptions(),
    refetchInterval: ({ state }) =>
      state.data?.invitations.some(({ delivery }) => delivery === 'waiting') ? MAIL_CHECK_MS : false,
  });
  return { members, invitations };
}

/** Whoever is refused may have lost the right meanwhile: all is read again after a failure too. */
function useTeamChange<Of, Result>(change: (of: Of) => Promise<Result>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: change, onSettled: () => refresh(queries, 'team') }).mutateAsync;
}

export const memberChanges = new Changes<readonly MemberDto[]>('team');

/** Shows the new role at once, and the old one again if the service refuses. */
export function useRoleChange() {
  const queries = useQueryClient();
  return useCallback(
    ({ userId, role }: { readonly userId: number; readonly role: GivenRole }) => {
      const given = { role, level: role === 'admin' ? 2 : 1 };
      return memberChanges.make(
        queries,
        (members) => members.map((each) => (each.user_id === userId ? { ...each, ...given } : each)),
        () => x12.team.members.update({ user_id: userId, role }),
      );
    },
    [queries],
  );
}

export const useRemoval = () => useTeamChange((userId: number) => x12.team.members.remove({ user_id: userId }));

export const useTransfer = () => useTeamChange((userId: number) => x12.team.ownership.transfer({ user_id: userId }));

export const useRevocation = () => useTeamChange((id: number) => x12.team.invitations.revoke({ id }));

export interface Invitee {
  readonly email: string;
  readonly role: GivenRole;
  /** Of an account to open; null to ask by mail. */
  readonly password: string | null;
}

/** What became of it: a mail to an address, a question to somebody with an account, or a new account in the team. */
export type InviteOutcome = 'invited' | 'asked' | 'added';

export const useInvite = () => useTeamChange(invite);

async function invite({ email, role, password }: Invitee): Promise<InviteOutcome> {
  if (password !== null) {
    await x12.team.members.add({ email, role, password });
    return 'added';
  }
  try {
    await x12.team.invitations.send({ email, role });
    return 'invited';
  } catch (error) {
    if (!(error instanceof X12Error) || error.code !== 'user_exists') throw error;
    await x12.team.members.add({ email, role });
    return 'asked';
  }
}

/** Ends with what belongs to another workspace than before: everything is read anew. */
export function useWorkspaceChange() {
  const queries = useQueryClient();
  return async () => {
    await queries.invalidateQueries(meQuery);
    const [me] = meQuery.queryKey;
    await queries.resetQueries({ predicate: ({ queryKey }) => (queryKey[0] as typeof me)._id !== me._id });
  };
}

/** Answers the invitation with this token as the one who is signed in. */
export function useAnswer() {
  const changeWorkspace = useWorkspaceChange();
  return useMutation({
    mutationFn: (answer: { token: string; act: 'accept' | 'decline' }) => x12.team.invitations.respond(answer),
    // Here and not where it is called: whoever joins a team no longer sees the form.
    onSuccess: async ({ state, team }) => {
      notifyDone(words.team[state](team.owner));
      if (state === 'accepted') await changeWorkspace();
    },
  });
}
