import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type MemberDto,
  teamInvitationsListOptions,
  teamMembersListOptions,
  useChange,
  x12,
  X12Error,
} from '../../api/index.ts';
import { meQuery } from '../../shell/index.ts';
import { Changes } from '../../state/index.ts';
import { notifyDone } from '../../ui/index.ts';
import { words } from './words.ts';

export type GivenRole = 'member' | 'admin';

const MAIL_CHECK_MS = 3000;

/** All members and invitations: they are searched here. */
export function useDirectory() {
  const members = useQuery(teamMembersListOptions());
  const invitations = useQuery({
    ...teamInvitationsListOptions(),
    refetchInterval: ({ state }) =>
      state.data?.invitations.some(({ delivery }) => delivery === 'waiting') ? MAIL_CHECK_MS : false,
  });
  return { members, invitations };
}

export const memberChanges = new Changes<readonly MemberDto[]>('team');

/** Changes a role. The new role is shown at once, and reverted if the service refuses. */
export function useRoleChange() {
  const queries = useQueryClient();
  return ({ userId, role }: { readonly userId: number; readonly role: GivenRole }) => {
    const given = { role, level: role === 'admin' ? 2 : 1 };
    return memberChanges.make(
      queries,
      (members) => members.map((each) => (each.user_id === userId ? { ...each, ...given } : each)),
      () => x12.team.members.update({ user_id: userId, role }),
    );
  };
}

export const useRemoval = () =>
  useChange((userId: number) => x12.team.members.remove({ user_id: userId }), 'team').mutateAsync;

export const useTransfer = () =>
  useChange((userId: number) => x12.team.ownership.transfer({ user_id: userId }), 'team').mutateAsync;

export const useRevocation = () => useChange((id: number) => x12.team.invitations.revoke({ id }), 'team').mutateAsync;

export interface Invitee {
  readonly email: string;
  readonly role: GivenRole;
  /** The password of an account to open; null to invite by mail. */
  readonly password: string | null;
}

/** A mail to an unknown address, a mail to an existing user, or a new account in the team. */
export type InviteOutcome = 'invited' | 'asked' | 'added';

export const useInvite = () => useChange(invite, 'team').mutateAsync;

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

/** Reads everything again after the user has moved to another workspace. */
export function useWorkspaceChange() {
  const queries = useQueryClient();
  return async () => {
    await queries.invalidateQueries(meQuery);
    const [me] = meQuery.queryKey;
    await queries.resetQueries({ predicate: ({ queryKey }) => (queryKey[0] as typeof me)._id !== me._id });
  };
}

/** Accepts or declines an invitation as the signed-in user. */
export function useInvitationResponse() {
  const changeWorkspace = useWorkspaceChange();
  return useMutation({
    mutationFn: (response: { token: string; act: 'accept' | 'decline' }) => x12.team.invitations.respond(response),
    // Not in the form, which is unmounted when the user joins a team.
    onSuccess: async ({ state, team }) => {
      notifyDone(words[state](team.owner));
      if (state === 'accepted') await changeWorkspace();
    },
  });
}
