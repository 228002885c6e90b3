import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { words } from './words.ts';

/**
 * Leads this browser to the page of the issuer, whose address `begin` asks the service for. The path to return to is in
 * the body of that request, as its fragment may contain a secret.
 */
export function useIssuer<T>(begin: (request: T) => Promise<{ readonly url: string }>) {
  return useMutation({
    mutationFn: async (request: T) => {
      const { url } = await begin(request);
      location.assign(url);
    },
    gcTime: 0,
  });
}

/** Why the single sign-on that led back to this page failed; `null` if none did. */
export function useSsoRefusal(): string | null {
  const [refusal] = useState(() => {
    const code = new URLSearchParams(location.hash.slice(1)).get('error');
    return code && (words.ssoReasons[code] ?? null);
  });
  return refusal;
}
