import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { npm } from './ensure-installed.mjs';
import { withProgress } from './progress.mjs';
import { Refusal } from './refusal.mjs';
import { ROOT } from './root.mjs';

const COMMON = ['package.json', 'package-lock.json', 'tsconfig.json'];
const CLIENT = join('libs', 'client');
const CONSOLE = join('apps', 'console');
/** The parts of `dist`: the script that builds each, its sources, and the file with the hash of the sources it was built from. */
const PARTS = [
  {
    script: 'build:service',
    sources: ['apps', 'libs', 'nest-cli.json', '.swcrc', ...COMMON],
    without: [CONSOLE, CLIENT],
    stamp: join(ROOT, 'dist', 'sources.sha256'),
  },
  {
    script: 'build:console',
    sources: [CONSOLE, CLIENT, ...COMMON],
    without: [],
    stamp: join(ROOT, 'dist', 'console.sha256'),
  },
];

/** Builds the programs and the console, unless they were built from the same sources. */
export async function ensureBuilt() {
  const stale = PARTS.map((part) => ({ ...part, digest: digestOf(part) })).filter(
    (part) => part.digest !== builtFrom(part),
  );
  if (stale.length > 0) await withProgress('Building', () => Promise.all(stale.map(build)));
}

async function build({ script, stamp, digest }) {
  const { code, output } = await npm(['run', '--silent', script], { stdio: 'pipe' });
  if (code !== 0) throw new Refusal(`the build failed: run \`npm run ${script}\`, it says\n${output.trim()}`);
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  writeFileSync(stamp, digest);
}

function builtFrom({ stamp }) {
  try {
    return readFileSync(stamp, 'utf8');
  } catch {
    return null;
  }
}

function digestOf({ sources, without }) {
  const digest = createHash('sha256');
  for (const file of sources.flatMap(filesOf)) {
    if (without.some((folder) => file.startsWith(folder + sep))) continue;
    digest
      .update(`${file}\0`)
      .update(readFileSync(join(ROOT, file)))
      .update('\0');
  }
  return digest.digest('hex');
}

function filesOf(path) {
  try {
    return readdirSync(join(ROOT, path), { withFileTypes: true })
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap((entry) => filesOf(join(path, entry.name)));
  } catch (error) {
    if (error.code === 'ENOTDIR') return [path];
    throw error;
  }
}
