import { fork, type ChildProcess, type ForkOptions } from 'node:child_process';
import { extname } from 'node:path';

/** `.ts` when programs run from source, `.js` from a build. */
const EXTENSION = extname(import.meta.url);
const FROM_SOURCE = [
  '--conditions=x12-source',
  '--experimental-transform-types',
  '--disable-warning=ExperimentalWarning',
];

/** The environment gets no secrets: only what a process needs to start and to find fonts. */
const PASSED_ON = ['PATH', 'HOME', 'TMPDIR', 'LD_LIBRARY_PATH', 'FONTCONFIG_PATH', 'FONTCONFIG_FILE'];

/**
 * Starts a program that opens untrusted files.
 *
 * @param program its URL without the extension
 */
export function forkUntrusted(program: URL, stderr: 'inherit' | 'pipe', options: ForkOptions = {}): ChildProcess {
  return fork(new URL(program.href + EXTENSION), [], {
    execArgv: EXTENSION === '.ts' ? FROM_SOURCE : [],
    // Few arenas return freed memory sooner than one arena for each thread.
    env: { ...Object.fromEntries(PASSED_ON.map((name) => [name, process.env[name]])), MALLOC_ARENA_MAX: '2' },
    stdio: ['ignore', 'ignore', stderr, 'ipc'],
    ...options,
  });
}
