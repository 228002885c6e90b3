import { type QueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { authMeOptions, x12, X12Error } from '../api/index.ts';

type Role = 'owner' | 'admin' | 'member';

/** The signed-in user and their workspace. */
export const meQuery = { ...authMeOptions(), staleTime: 60_000 };

/** Redirects to the sign-in, and from there back to `address`, if nobody is signed in. */
export async function requireSession(queries: QueryClient, address: string): Promise<void> {
  try {
    await queries.ensureQueryData(meQuery);
  } catch (error) {
    if (!isSignedOut(error)) throw error;
    redirect({ to: '/sign-in', search: { next: address }, throw: true });
  }
}

/** Reports whether a call failed because nobody is signed in. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof X12Error && error.code === 'unauthenticated';
}

/** For components within `Shell`, where a user is signed in. */
export function useMe() {
  return useSuspenseQuery(meQuery).data;
}

const ROLES: readonly Role[] = ['member', 'admin', 'owner'];

/** Reports whether the user has at least this role. It only hides actions: the service decides. */
export function useRole(least: Role): boolean {
  return ROLES.indexOf(useMe().role) >= ROLES.indexOf(least);
}

/** Erases the user and reloads the page, as `signOut`. */
export async function deleteAccount(proof: { readonly email: string; readonly password?: string }): Promise<void> {
  await x12.auth.delete(proof);
  sessionStorage.clear();
  location.assign(`/console/sign-in#done=${ACCOUNT_DELETED}`);
}

/** The fragment with it makes the sign-in page say that the account is deleted. */
export const ACCOUNT_DELETED = 'account-deleted';

/** Ends the session and reloads the page, so that neither memory nor session storage keeps its data. */
export async function signOut(): Promise<void> {
  await x12.auth.session.delete();
  sessionStorage.clear();
  location.assign('/console/sign-in');
}
