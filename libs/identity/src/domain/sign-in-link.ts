import type { TokenSecret } from './token.ts';

/** A link by which its user signs in to the console: once, within ten minutes. */
export interface SignInLink {
  /** Stands in the fragment of the link, and is never stored. It has the format of a token, and is none. */
  readonly secret: TokenSecret;
  readonly expiresAt: Date;
}

export const SIGN_IN_LINK_MINUTES = 10;

export function signInLinkExpiry(createdAt: Date): Date {
  return new Date(createdAt.getTime() + SIGN_IN_LINK_MINUTES * 60_000);
}

/** The address of the link: browsers send no fragment, so the secret is in no log. */
export function signInAddress(publicUrl: string, { secret }: Pick<SignInLink, 'secret'>): string {
  return `${publicUrl}/console/sign-in#link=${secret}`;
}
