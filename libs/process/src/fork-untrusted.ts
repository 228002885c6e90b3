import { fork, type ChildProcess, type ForkOptions } from 'node:child_process';
import { extname } from 'node:path';

/** `.ts` when programs run from source, `.js` from a build. */
const EXTENSION = extname(new URL(import.meta.url).pathname);
const FROM_SOURCE = [
  '--conditions=x12-source',
  '--experimental-transform-types',
  '--disable-warning=ExperimentalWarning',
];

/** The environment variables of the child: enough to start and to find fonts, and no secrets. */
const PASSED_VARIABLES = [
  'PATH',
  'HOME',
  'TMPDIR',
  'LD_LIBRARY_PATH',
  'FONTCONFIG_PATH',
  'FONTCONFIG_FILE',
  'NODE_COMPILE_CACHE',
];

/**
 * Starts a program that opens untrusted files.
 *
 * @param program the URL of the program without the extension
 */
export function forkUntrusted(program: URL, stderr: 'inherit' | 'pipe', options: ForkOptions = {}): ChildProcess {
  return fork(new URL(program.href + EXTENSION), [], {
    execArgv: EXTENSION === '.ts' ? FROM_SOURCE : [],
    // With few arenas, freed memory returns to the system sooner.
    env: { ...Object.fromEntries(PASSED_VARIABLES.map((name) => [name, process.env[name]])), MALLOC_ARENA_MAX: '2' },
    stdio: ['ignore', 'ignore', stderr, 'ipc'],
    ...options,
  });
}
