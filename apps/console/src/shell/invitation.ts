import { useQuery } from '@tanstack/react-query';
import { x12, X12Error } from '../api/index.ts';

export const isInvalidInvitation = (error: unknown) => error instanceof X12Error && error.code === 'invalid_invitation';

/** The invitation with this token, before somebody has signed in. */
export function useInvitationPreview(token: string | null) {
  return useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => x12.team.invitations.mailed.read({ token: token! }, { signal }),
    enabled: token !== null,
    gcTime: 0,
  });
}

/**
 * The invitation with this token, read as the user with this e-mail. It leaves the cache, with its token, when its component
 * is unmounted.
 */
export function useInvitation(token: string | null, email: string) {
  return useQuery({
    queryKey: ['invitation', email, token],
    queryFn: ({ signal }) => x12.team.invitations.read({ token: token! }, { signal }),
    enabled: token !== null,
    gcTime: 0,
  });
}
