import { x12 } from '../../api/index.ts';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

export async function signIn({ email, password }: Credentials): Promise<void> {
  await x12.auth.session.create({ email: email.trim(), password });
}

export async function signInByToken({ token }: { readonly token: string }): Promise<void> {
  await x12.auth.session.create({ token: token.trim() });
}

export async function signInByLink({ link }: { readonly link: string }): Promise<void> {
  await x12.auth.session.create({ link });
}

export async function signUp({ name, ...given }: Credentials & { readonly name: string }): Promise<void> {
  const credentials = { ...given, email: given.email.trim() };
  const { token } = await x12.auth.signUp({ ...credentials, name: name.trim() || undefined });
  await signIn(credentials);
  // Revokes the token of the sign-up, which the session does not need. Without the cookie, which belongs to the session.
  await x12.auth.session.delete({ headers: { Authorization: `Bearer ${token}` }, credentials: 'omit' });
}
