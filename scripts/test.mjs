import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './child.mjs';
import { deepSelection } from './deep-selection.mjs';
import { ensureBuilt } from './ensure-built.mjs';
import { ensureInstalled, npm } from './ensure-installed.mjs';
import { nodeProgram } from './node-program.mjs';
import { Refusal, runScript } from './refusal.mjs';
import { filesLike, runsFor, testFiles } from './test-files.mjs';
import { flakyIn, readTotals, sentenceOf, suitesFailedIn } from './test-totals.mjs';

/** Maximum time between the last result and the end of Jest. */
const END_WITHIN_MS = 20_000;
/** So many files that failed run again alone in CI. More are no chance. */
const MOST_AGAIN = 8;

// `npm test`: the tiers `unit` and `test`. Arguments choose others: `unit`, `all`, `selection` (of CI), or parts of paths.
await runScript(async () => {
  await ensureInstalled();
  await ensureBuilt();
  nodeProgram();
  const results = process.env.TEST_RESULTS ?? mkdtempSync(join(tmpdir(), 'x12-results-'));
  try {
    mkdirSync(results, { recursive: true });
    const files = [];
    let code = 0;
    for (const [name, each] of (await runsOf(process.argv.slice(2))).entries()) {
      if (each.files.length === 0) continue;
      const file = join(results, `${process.pid}-${name}.json`);
      code = (await runTwiceIfNeeded(each, file)) || code;
      files.push(file);
    }
    for (const line of flakyIn(files)) process.stdout.write(`FLAKY ${line}\n`);
    process.stdout.write(`${sentenceOf(readTotals(files))}\n`);
    return code;
  } finally {
    if (!process.env.TEST_RESULTS) rmSync(results, { recursive: true });
  }
});

async function runsOf([which = 'test', ...others]) {
  const tier = (...tiers) => testFiles().filter((file) => tiers.includes(file.tier));
  if (which === 'unit') return runsHere(tier('unit'));
  if (which === 'test') return runsHere(tier('unit', 'test'));
  if (which === 'selection') {
    const { chosen, left } = await deepSelection();
    if (left.length > 0) console.log(`Deep files left out for lack of time: ${left.join(', ')}`);
    return runsHere(filesLike(chosen));
  }
  if (which === 'all') {
    process.env.THOROUGH = '1';
    return runsHere(testFiles());
  }
  const files = filesLike([which, ...others]);
  if (files.length === 0) throw new Refusal(`no test file has ${which} in its path`);
  return runsHere(files);
}

/** Leaves out what can't run on this machine, and says how it could. */
async function runsHere(files) {
  const lacks = [];
  const without = (part, folder, remedy, isRequired) => {
    const out = files.filter(({ path }) => path.startsWith(folder));
    if (out.length === 0) return;
    if (isRequired) throw new Refusal(`${part} is missing: ${remedy}`);
    console.log(`${part} is missing: ${out.length} files of ${folder} are left out (${remedy})`);
    lacks.push(folder);
  };
  const browsers = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
  if (!browsers.some((path) => existsSync(path))) {
    without('Chromium', 'test/console/', 'apt-get install chromium-headless-shell', process.env.CI);
  }
  if ((await run('docker', ['info'], { stdio: 'ignore' })).code !== 0) {
    without('Docker', 'test/containers/', 'start a Docker engine', process.env.CONTAINERS);
  }
  return runsFor(files.filter(({ path }) => !lacks.some((folder) => path.startsWith(folder))));
}

/** In CI what failed runs again, alone: only what fails twice fails. What passed then is named as flaky. */
async function runTwiceIfNeeded(each, file) {
  const code = await runJest(each, file);
  const failed = suitesFailedIn(file);
  if (code === 0 || !process.env.CI || failed.length === 0 || failed.length > MOST_AGAIN) return code;
  console.log(`Running again, alone: ${failed.join(', ')}`);
  return runJest({ ...each, files: failed, alone: true }, `${file.slice(0, -'.json'.length)}.again.json`);
}

async function runJest({ files, projects, alone = false }, file) {
  const hanging = new AbortController();
  const watch = setInterval(() => {
    if (!existsSync(file) || Date.now() - statSync(file).mtimeMs < END_WITHIN_MS) return;
    console.error('Jest does not end: a test left something open');
    hanging.abort();
  }, 1000);
  process.env.TEST_SECONDS = String(filesLike(files).reduce((sum, { seconds }) => sum + seconds, 0));
  const jest = ['--ci', '--json', '--outputFile', file, ...(alone ? ['--runInBand'] : [])];
  const chosen = ['--runTestsByPath', ...files, '--selectProjects', ...projects];
  const { code } = await npm(['run', '--silent', 'jest', '--', ...jest, ...chosen], { signal: hanging.signal });
  clearInterval(watch);
  return code;
}
