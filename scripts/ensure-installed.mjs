import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './child.mjs';
import { withProgress } from './progress.mjs';
import { Refusal } from './refusal.mjs';
import { ROOT } from './root.mjs';

/** Installs the packages of package-lock.json unless exactly these are installed. */
export async function ensureInstalled() {
  if (!isSupported()) {
    throw new Refusal(`${process.platform}-${process.arch} is not supported: use Linux or macOS, x64 or arm64`);
  }
  if (isInstalled()) return;
  await withProgress('Installing packages (npm ci), once', async () => {
    const { code, output } = await npm(['ci', '--include=dev', '--include=optional'], { stdio: 'pipe' });
    if (code !== 0 || !isInstalled()) {
      throw new Refusal(`npm ci failed (${reasonIn(output)}): check network and disk space, then start again`);
    }
  });
}

/** Runs the npm that runs this script, or the npm on the path. */
export function npm(args, { stdio = 'inherit', signal } = {}) {
  const self = process.env.npm_execpath;
  const options = { stdio: ['ignore', stdio, stdio], signal };
  return self?.endsWith('.js') ? run(process.execPath, [self, ...args], options) : run('npm', args, options);
}

function isSupported() {
  return ['linux', 'darwin'].includes(process.platform) && ['x64', 'arm64'].includes(process.arch);
}

/** Compares npm's record of its last install with the lock file, without packages of other platforms. */
function isInstalled() {
  const wanted = packagesIn(join(ROOT, 'package-lock.json'));
  const installed = packagesIn(join(ROOT, 'node_modules', '.package-lock.json'));
  if (!wanted || !installed) return false;
  const paths = Object.keys(wanted).filter((path) => path !== '');
  return (
    Object.keys(installed).every((path) => path in wanted) &&
    paths.every((path) => {
      const { version, integrity, optional, devOptional } = wanted[path];
      const found = installed[path];
      if (!found) return Boolean(optional || devOptional);
      return found.version === version && found.integrity === integrity && existsSync(join(ROOT, path, 'package.json'));
    })
  );
}

function packagesIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return null;
  }
}

/** The line of npm's output that has the reason. */
function reasonIn(output) {
  const lines = output.split('\n').filter((line) => /^npm (error|ERR!)/.test(line));
  const said = lines.map((line) => line.replace(/^npm (error|ERR!)\s*/, '').trim()).filter(Boolean);
  return said.find((line) => !/^(code|errno|syscall|path)\b/.test(line)) ?? said[0] ?? 'it gives no reason';
}
