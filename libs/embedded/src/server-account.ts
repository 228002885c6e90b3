import { execFile, spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { chown, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { StartError } from '#process';

const run = promisify(execFile);

/** The account that runs PostgreSQL: the account of this process, or `postgres` if this process is root. */
export interface ServerAccount {
  spawn(program: string, args: readonly string[], options: SpawnOptions): ChildProcess;
  /** Makes the account the owner of a file or folder. */
  own(path: string): Promise<void>;
}

const OWN_ACCOUNT: ServerAccount = { spawn, own: async () => undefined };

/** The name that the PostgreSQL packages of all distributions use. */
const ACCOUNT = 'postgres';

/**
 * Finds the account, and creates it if this process is root and there is none.
 *
 * @param cluster if it exists, its owner is the account
 * @param paths folders that the account must be able to enter, and programs that it must be able to run
 */
export async function findServerAccount(cluster: string, ...paths: string[]): Promise<ServerAccount> {
  if (process.getuid?.() !== 0) return OWN_ACCOUNT;
  const account = (await ownerOf(cluster)) ?? (await find()) ?? (await create());
  const own = (path: string) => chown(path, account.uid, account.gid);
  if (await canReach(account, paths)) {
    return { own, spawn: (program, args, options) => spawn(program, args, { ...options, ...account }) };
  }
  return { own, spawn: (program, args, options) => spawn('setpriv', withDacOverride(account, program, args), options) };
}

interface Ids {
  readonly uid: number;
  readonly gid: number;
}

async function ownerOf(cluster: string): Promise<Ids | null> {
  const { uid, gid } = await stat(cluster).catch(() => ({ uid: 0, gid: 0 }));
  return uid === 0 ? null : { uid, gid };
}

async function find(): Promise<Ids | null> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', ACCOUNT]), run('id', ['-g', ACCOUNT])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return null;
  }
}

async function create(): Promise<Ids> {
  const options = ['--system', '--user-group', '--no-create-home', '--shell', '/bin/false'];
  await run('useradd', [...options, ACCOUNT]).catch(() => undefined);
  const made = await find();
  if (made) return made;
  throw new StartError(
    `PostgreSQL does not run as root, and an account \`${ACCOUNT}\` cannot be created: ` +
      'start as another user, or set DATABASE_URL',
  );
}

async function canReach(account: Ids, paths: readonly string[]): Promise<boolean> {
  const script = 'for path; do test -x "$path" || exit 1; done';
  return run('/bin/sh', ['-c', script, 'sh', ...paths], { ...account, cwd: '/' }).then(
    () => true,
    () => false,
  );
}

/**
 * Runs the program under the account with one capability of root: to enter any folder. Folders such as the home of root
 * or those of `mktemp -d` admit no other account. (Without `no_setuid_fixup`, access(2) ignores the capability.)
 */
function withDacOverride(account: Ids, program: string, args: readonly string[]): string[] {
  const capability = '-all,+dac_override';
  return [
    `--reuid=${account.uid}`,
    `--regid=${account.gid}`,
    '--clear-groups',
    '--securebits=+no_setuid_fixup',
    `--inh-caps=${capability}`,
    `--ambient-caps=${capability}`,
    program,
    ...args,
  ];
}
