import { authSessionCreate, authSessionDelete, authSignUp } from '../../api/index.ts';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

export async function signIn({ email, password }: Credentials): Promise<void> {
  await authSessionCreate({ body: { email: email.trim(), password } });
}

export async function signInByToken({ token }: { readonly token: string }): Promise<void> {
  await authSessionCreate({ body: { token: token.trim() } });
}

export async function signInByLink({ link }: { readonly link: string }): Promise<void> {
  await authSessionCreate({ body: { link } });
}

export async function signUp({ name, ...given }: Credentials & { readonly name: string }): Promise<void> {
  const credentials = { ...given, email: given.email.trim() };
  const { token } = await authSignUp({ body: { ...credentials, name: name.trim() || undefined } });
  await signIn(credentials);
  // The session has a token of its own that no script can read; this one is not kept. Its cookie is that of the session.
  await authSessionDelete({ headers: { Authorization: `Bearer ${token}` }, credentials: 'omit' });
}
