import { type QueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { authMeOptions, x12, X12Error } from '../api/index.ts';

type Role = 'owner' | 'admin' | 'member';

/** Who is signed in, and the workspace that they act in. */
export const meQuery = { ...authMeOptions(), staleTime: 60_000 };

/** Leads to the sign-in, and back to `address` from there, if nobody is signed in. */
export async function requireSession(queries: QueryClient, address: string): Promise<void> {
  try {
    await queries.ensureQueryData(meQuery);
  } catch (error) {
    if (!isSignedOut(error)) throw error;
    redirect({ to: '/sign-in', search: { next: address }, throw: true });
  }
}

/** Whether a call failed as nobody is signed in. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof X12Error && error.code === 'unauthenticated';
}

/** Only below `Shell`, where somebody is signed in. */
export function useMe() {
  return useSuspenseQuery(meQuery).data;
}

const ROLES: readonly Role[] = ['member', 'admin', 'owner'];

/** Whether the one signed in has at least this role. The service decides; this is for what is offered. */
export function useRole(least: Role): boolean {
  return ROLES.indexOf(useMe().role) >= ROLES.indexOf(least);
}

/** Ends the session, and loads the page anew: nothing of the session stays in memory, nor in the storage of the page. */
export async function signOut(): Promise<void> {
  await x12.auth.session.delete();
  sessionStorage.clear();
  location.assign('/console/sign-in');
}
