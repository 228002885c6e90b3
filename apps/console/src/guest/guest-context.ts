import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { GuestApi, Right, Share } from './api.ts';

export interface Guest {
  readonly api: GuestApi;
  readonly share: Share;
  may(right: Right): boolean;
  /** Does the work, and says if it is refused, over whatever is open. */
  save(work: (guest: { readonly api: GuestApi }) => Promise<unknown>): void;
  /** Does the work once the guest's name is known: asks for it if need be. @returns undefined if the guest gives none */
  named<T>(work: () => Promise<T>): Promise<T | undefined>;
}

export const GuestContext = createContext<Guest | null>(null);

export function useGuest(): Guest {
  return useContext(GuestContext)!;
}
