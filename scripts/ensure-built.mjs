import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from './ensure-installed.mjs';
import { withProgress } from './progress.mjs';
import { Refusal } from './refusal.mjs';
import { ROOT } from './root.mjs';

const SOURCES = ['apps', 'libs', 'nest-cli.json', 'package.json', 'package-lock.json', '.swcrc', 'tsconfig.json'];
/** Which sources `dist` was built from. */
const STAMP = join(ROOT, 'dist', 'sources.sha256');

/** Compiles the programs unless they were compiled from the very same sources. */
export async function ensureBuilt() {
  const sources = digestOfSources();
  if (sources === builtFrom()) return;
  await withProgress('Building', async () => {
    const { code, output } = await npm(['run', '--silent', 'build'], { stdio: 'pipe' });
    if (code !== 0) throw new Refusal(`the build failed: run \`npm run build\`, it says\n${output.trim()}`);
  });
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  writeFileSync(STAMP, sources);
}

function builtFrom() {
  try {
    return readFileSync(STAMP, 'utf8');
  } catch {
    return null;
  }
}

function digestOfSources() {
  const digest = createHash('sha256');
  for (const source of SOURCES) {
    for (const file of filesOf(source))
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
