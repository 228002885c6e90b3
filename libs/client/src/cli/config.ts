import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { Failure, UsageError } from './failures.ts';

/** Where the service is, and the token of an account there. */
export interface Account {
  readonly url: string;
  readonly token: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The account of the environment, or the saved one. A saved token is not sent to another address.
 *
 * @throws Failure `signedOut`, UsageError
 */
export function accountOf(env: Environment, saved: Partial<Account>): Account {
  const url = env.X12_URL ? addressOf(env.X12_URL) : saved.url;
  const token = env.X12_TOKEN || (url === saved.url ? saved.token : undefined);
  if (url && token) return { url, token };
  const [missing, variable] = url ? [`no token for ${url}`, 'X12_TOKEN'] : ['no address of a service', 'X12_URL'];
  throw new Failure('signedOut', `there is ${missing}: run x12 login --url URL, or set ${variable}`);
}

/** The address of a service as it is saved. @throws UsageError */
export function addressOf(text: string): string {
  if (/^https?:\/\/./.test(text) && URL.canParse(text)) return text.replace(/\/+$/, '');
  throw new UsageError(`the address of a service is like https://x12.example.com, not ${text}`);
}

export function configPath(env: Environment): string {
  return join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'x12', 'config.json');
}

/** @returns an empty object before the first login */
export async function readConfig(path: string): Promise<Partial<Account>> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  try {
    return JSON.parse(text) as Partial<Account>;
  } catch {
    throw new Failure('usage', `${path} is not JSON: run x12 login again after you have deleted it`);
  }
}

/** Saves the account for its user alone; a reader sees the former file or the whole new one. */
export async function saveConfig(path: string, account: Account): Promise<void> {
  const part = `${path}.${process.pid}.part`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    await writeFile(part, `${JSON.stringify(account)}\n`, { mode: 0o600 });
    await rename(part, path);
  } finally {
    await rm(part, { force: true });
  }
}
