import { useQuery } from '@tanstack/react-query';
import { teamInvitationsRead } from '../api/index.ts';

/**
 * The invitation with this token, read as the user with this e-mail: nothing for `null`. It leaves the cache, and its
 * token with it, together with what shows it.
 */
export function useInvitation(token: string | null, email: string) {
  return useQuery({
    queryKey: ['invitation', email, token],
    queryFn: ({ signal }) => teamInvitationsRead({ body: { token: token! }, signal }),
    enabled: token !== null,
    gcTime: 0,
  });
}
