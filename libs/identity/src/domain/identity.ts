import type { Email } from './email.ts';
import type { Account } from './user.ts';

/** Claims of an issuer of OpenID Connect about a person who has signed in there. */
export interface Claims {
  readonly issuer: string;
  /** Identifies the person at the issuer, for good: their address may change. */
  readonly subject: string;
  /** `null` where the issuer names none, or none that can be stored. */
  readonly email: Email | null;
  readonly emailVerified: boolean;
  readonly name: string | null;
  /** True if the claim that makes people operators has its value. */
  readonly isOperator: boolean;
}

/** A person's account at an issuer, by which they sign in to their account here. It belongs to one user. */
export interface Identity {
  readonly id: number;
  readonly userId: number;
  readonly issuer: string;
  readonly subject: string;
  /** As the issuer named it when the identity was linked. */
  readonly email: Email | null;
  readonly createdAt: Date;
}

/** The operator's settings of single sign-on. */
export interface SingleSignOnRules {
  /** True if an unknown person gets an account. */
  readonly autoRegister: boolean;
  /** Domains, in lower case, of the addresses that may sign in; empty for all. */
  readonly allowedDomains: readonly string[];
  /** True if people may also log in by password. */
  readonly passwordLogin: boolean;
  /** The issuer by which people can sign in now; `null` without one. */
  readonly issuer: string | null;
}

/** Why nobody was signed in: the code that the console's sign-in page gets in its fragment. */
export const SIGN_IN_REFUSALS = [
  /** The person cancelled at the issuer, or the issuer refused them. */
  'sso_denied',
  /** The attempt is older than ten minutes, was used, or began in another browser. */
  'sso_expired',
  /** The issuer's response is not for this attempt, or not valid. */
  'sso_invalid',
  /** The issuer is not reachable, or the service can't be used with it. */
  'sso_unavailable',
  'sso_email_unverified',
  'sso_domain_not_allowed',
  'sso_not_registered',
  /** There is an account with this address, which the person has to link while signed in. */
  'sso_link_required',
  /** The identity belongs to another account. */
  'sso_linked_elsewhere',
] as const;
export type SignInRefusal = (typeof SIGN_IN_REFUSALS)[number];

export type SignInDecision =
  | { readonly kind: 'sign_in' | 'link' | 'take_over'; readonly userId: number }
  | { readonly kind: 'register'; readonly email: Email }
  | { readonly kind: 'refuse'; readonly reason: SignInRefusal };

/**
 * Decides what a sign-in at the issuer does here:
 *
 * 1. Addresses outside the allowed domains sign in nobody.
 * 2. A linked identity signs in its user, whatever its address is now.
 * 3. An address that the issuer has not verified proves nothing.
 * 4. An unknown address gets an account if unknown people may register.
 * 5. An account with two-factor and a verified address is linked by its user only, while signed in.
 * 6. An account whose address is verified here is linked.
 * 7. An account whose address was never verified may have been opened by somebody else, who waits for the owner of the
 *    address: it passes to the owner, and every other way into it ends.
 */
export function decideSignIn(
  claims: Claims,
  found: {
    /** The user to whom the identity is linked. */
    readonly linkedUserId: number | null;
    /** The account with the address of the claims. */
    readonly account: Pick<Account, 'id' | 'emailVerified' | 'twoFactor'> | null;
  },
  rules: SingleSignOnRules,
): SignInDecision {
  const { email } = claims;
  if (!isAllowed(email, rules)) return { kind: 'refuse', reason: 'sso_domain_not_allowed' };
  if (found.linkedUserId !== null) return { kind: 'sign_in', userId: found.linkedUserId };
  if (email === null || !claims.emailVerified) return { kind: 'refuse', reason: 'sso_email_unverified' };
  const { account } = found;
  if (!account) {
    return rules.autoRegister ? { kind: 'register', email } : { kind: 'refuse', reason: 'sso_not_registered' };
  }
  if (!account.emailVerified) return { kind: 'take_over', userId: account.id };
  if (account.twoFactor) return { kind: 'refuse', reason: 'sso_link_required' };
  return { kind: 'link', userId: account.id };
}

function isAllowed(email: Email | null, { allowedDomains }: SingleSignOnRules): boolean {
  if (allowedDomains.length === 0) return true;
  return email !== null && allowedDomains.includes(email.slice(email.lastIndexOf('@') + 1));
}

/**
 * Reports whether a user may unlink an identity: a way in must be left, which is another identity at the present
 * issuer, or a password that may be used. Identities at an issuer that the operator has replaced sign in nobody.
 */
export function mayUnlink(
  left: { readonly identities: readonly Pick<Identity, 'issuer'>[]; readonly hasPassword: boolean },
  { passwordLogin, issuer }: Pick<SingleSignOnRules, 'passwordLogin' | 'issuer'>,
): boolean {
  if (left.hasPassword && passwordLogin) return true;
  return issuer !== null && left.identities.some((identity) => isSameUrl(identity.issuer, issuer));
}

/** The operator's setting may lack the slash at the end of the issuer's own name. */
function isSameUrl(one: string, other: string): boolean {
  return new URL(one).href === new URL(other).href;
}
