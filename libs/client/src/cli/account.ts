import { rm } from 'node:fs/promises';
import type { Call } from './command.ts';
import { addressOf, configPath, readConfig, saveConfig } from './config.ts';
import { Failure, UsageError } from './failures.ts';
import { openInBrowser } from './open-browser.ts';
import { readSecret } from './prompt.ts';
import type { Session } from './session.ts';

interface Login {
  readonly url?: string;
  readonly open?: boolean;
}

/** The page of the console with the form of a new token. */
const NEW_TOKEN = '/console/tokens?create=true';

export async function login(session: Session, { options }: Call<Login>): Promise<void> {
  const { env } = process;
  const path = configPath(env);
  const address = options.url ?? env.X12_URL ?? (await readConfig(path)).url;
  if (!address) throw new UsageError('give the address of the service: x12 login --url https://x12.example.com');
  const url = addressOf(address);
  session.note(`Make a token: ${url}${NEW_TOKEN}`);
  if (options.open) openInBrowser(url + NEW_TOKEN);
  const token = env.X12_TOKEN || (await readSecret('API token', session.signal));
  session.signal.throwIfAborted();
  if (!/^[!-~]+$/.test(token)) throw new Failure('signedOut', 'no token was given');
  const x12 = await session.client({ url, token });
  const { user, workspace } = await x12.auth.me({ signal: session.signal });
  await saveConfig(path, { url, token });
  session.note(`Signed in as ${user.email}. The token is in ${path}.`);
  if (session.isJson) session.print({ url, user, workspace }, []);
}

export async function logout(session: Session): Promise<void> {
  const path = configPath(process.env);
  const { url } = await readConfig(path);
  await rm(path, { force: true });
  session.note(url ? `Signed out. The token works until you delete it: ${url}/console/tokens` : 'No token is saved.');
  if (session.isJson) session.print({ url: url ?? null }, []);
}

export async function whoami(session: Session): Promise<void> {
  const x12 = await session.client();
  const call = { signal: session.signal };
  const [{ user, workspace, role }, { credits }] = await Promise.all([x12.auth.me(call), x12.credits.get(call)]);
  session.print({ user, workspace, role, credits }, [
    ['account', user.email],
    ['workspace', `${workspace.id} (${workspace.plan}, ${role})`],
    ['credits left', credits.available],
  ]);
}
