import { execFileSync } from 'node:child_process';
import { ROOT } from './root.mjs';

/** The environment with the commit of this clone as X12_COMMIT, if git knows it. */
export function withCommit(env) {
  if (env.X12_COMMIT) return env;
  try {
    const args = ['rev-parse', '--short=12', 'HEAD'];
    const commit = execFileSync('git', args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'ignore'] });
    return { ...env, X12_COMMIT: commit.toString().trim() };
  } catch {
    return env;
  }
}
