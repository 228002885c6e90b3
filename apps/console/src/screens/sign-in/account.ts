import { x12, X12Error } from '../../api/index.ts';
import { words } from './words.ts';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** @returns the challenge, if a code is needed too */
export function signIn({ email, password }: Credentials): Promise<string | null> {
  return challengeOf(x12.auth.session.create({ email: email.trim(), password }));
}

/** @throws X12Error with the field `code` when the code is wrong and another one may follow */
export async function signInByCode({ challenge, code }: { readonly challenge: string; readonly code: string }) {
  const again = await challengeOf(x12.auth.session.create({ challenge, code: code.trim() }));
  const { wrong } = words.code;
  if (again !== null) throw new X12Error('validation_failed', wrong, { fields: { code: [wrong] } });
}

export async function signInByToken({ token }: { readonly token: string }): Promise<void> {
  await x12.auth.session.create({ token: token.trim() });
}

/** @returns the challenge, if a code is needed too */
export function signInByLink({ link }: { readonly link: string }): Promise<string | null> {
  return challengeOf(x12.auth.session.create({ link }));
}

/** The challenge of the refusal; `null` when the session is open. */
async function challengeOf(opening: Promise<unknown>): Promise<string | null> {
  try {
    await opening;
    return null;
  } catch (error) {
    if (error instanceof X12Error && error.challenge !== null) return error.challenge;
    throw error;
  }
}

export async function signUp({ name, ...given }: Credentials & { readonly name: string }): Promise<void> {
  const credentials = { ...given, email: given.email.trim() };
  const { token } = await x12.auth.signUp({ ...credentials, name: name.trim() || undefined });
  await signIn(credentials);
  // Revokes the token of the sign-up, which the session does not need. Without the cookie, which belongs to the session.
  await x12.auth.session.delete({ headers: { Authorization: `Bearer ${token}` }, credentials: 'omit' });
}
