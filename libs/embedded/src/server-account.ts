import { execFile, spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { chown, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { StartError } from '#process';

const run = promisify(execFile);

/** The account that PostgreSQL runs under: our own, except that it refuses to run as root. */
export interface ServerAccount {
  spawn(program: string, args: readonly string[], options: SpawnOptions): ChildProcess;
  /** Gives it a file or folder that we made. */
  own(path: string): Promise<void>;
}

const OURSELVES: ServerAccount = {
  spawn,
  own: async () => undefined,
};

/** The name that every distribution's own PostgreSQL uses too. */
const ACCOUNT = 'postgres';

/**
 * Finds the account, and makes it on a machine where we are root and there is none.
 *
 * @param cluster what the account owns already, if it is there
 * @param paths folders that it must be able to enter, programs that it must be able to run
 */
export async function findServerAccount(cluster: string, ...paths: string[]): Promise<ServerAccount> {
  if (process.getuid?.() !== 0) return OURSELVES;
  const account = (await ownerOf(cluster)) ?? (await lookUp()) ?? (await make());
  const own = (path: string) => chown(path, account.uid, account.gid);
  if (await canReach(account, paths)) {
    return { own, spawn: (program, args, options) => spawn(program, args, { ...options, ...account }) };
  }
  return {
    own,
    spawn: (program, args, options) => spawn('setpriv', throughWalls(account, program, args), options),
  };
}

interface Ids {
  readonly uid: number;
  readonly gid: number;
}

async function ownerOf(cluster: string): Promise<Ids | null> {
  try {
    const { uid, gid } = await stat(cluster);
    return uid === 0 ? null : { uid, gid };
  } catch {
    return null;
  }
}

async function lookUp(): Promise<Ids | null> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', ACCOUNT]), run('id', ['-g', ACCOUNT])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return null;
  }
}

async function make(): Promise<Ids> {
  await run('useradd', [
    '--system',
    '--user-group',
    '--no-create-home',
    '--shell',
    '/bin/false',
    ACCOUNT,
  ]).catch(() => undefined);
  const made = await lookUp();
  if (made) return made;
  throw new StartError(
    `PostgreSQL does not run as root, and an account \`${ACCOUNT}\` can not be made: start as another user, or give DATABASE_URL`,
  );
}

async function canReach(account: Ids, paths: readonly string[]): Promise<boolean> {
  const script = 'for path; do test -x "$path" || exit 1; done';
  try {
    await run('/bin/sh', ['-c', script, 'sh', ...paths], { ...account, cwd: '/' });
    return true;
  } catch {
    return false;
  }
}

/**
 * A clone in root's home, or in a folder of `mktemp -d`, is behind folders that no other account may enter. So
 * the account keeps root's right to pass them, and nothing else of root's. (`no_setuid_fixup`: without it
 * access(2) does not count that right.)
 */
function throughWalls(account: Ids, program: string, args: readonly string[]): string[] {
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
