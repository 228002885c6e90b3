import type { TokenSecret } from './token.ts';

/** A link that signs its user in to the console, once and within ten minutes. */
export interface SignInLink {
  /** Part of the link's fragment, and never stored. Has the format of a token, but does not authenticate requests. */
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
