import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './child.mjs';
import { ensureBuilt } from './ensure-built.mjs';
import { ensureInstalled, npm } from './ensure-installed.mjs';
import { nodeProgram } from './node-program.mjs';
import { Refusal, runScript } from './refusal.mjs';
import { readTotals, sentenceOf } from './test-totals.mjs';

/** Maximum time between the last result and the end of Jest. */
const END_WITHIN_MS = 20_000;

// `npm test`: every suite that can run on this machine, or the projects of the arguments. Needs nothing installed.
await runScript(async () => {
  await ensureInstalled();
  await ensureBuilt();
  nodeProgram();
  const projects = process.argv.length > 2 ? process.argv.slice(2) : await projectsForHere();
  const results = process.env.TEST_RESULTS ?? mkdtempSync(join(tmpdir(), 'x12-results-'));
  try {
    mkdirSync(results, { recursive: true });
    const file = join(results, `${projects.join('-')}.json`);
    const code = await runJest(projects, file);
    process.stdout.write(`${sentenceOf(readTotals([file]))}\n`);
    return code;
  } finally {
    if (!process.env.TEST_RESULTS) rmSync(results, { recursive: true });
  }
});

async function runJest(projects, file) {
  const hanging = new AbortController();
  const watch = setInterval(() => {
    if (!existsSync(file) || Date.now() - statSync(file).mtimeMs < END_WITHIN_MS) return;
    console.error('Jest does not end: a test left something open');
    hanging.abort();
  }, 1000);
  const workers = projects.includes('faults') ? ['--maxWorkers', String(faultWorkers())] : [];
  const jest = ['--ci', '--json', '--outputFile', file, ...workers, '--selectProjects', ...projects];
  const { code } = await npm(['run', '--silent', 'jest', '--', ...jest], { signal: hanging.signal });
  clearInterval(watch);
  return code;
}

/** A suite of faults waits for half of its time: for locks to end, and for what starts again. */
function faultWorkers() {
  return Math.min(Math.ceil(1.5 * availableParallelism()), 6);
}

async function projectsForHere() {
  const withoutDocker = ['domain', 'unit', 'architecture', 'contracts', 'e2e', 'console'];
  const { code } = await run('docker', ['info'], { stdio: 'ignore' });
  if (code === 0) return [...withoutDocker, 'containers'];
  if (process.env.CONTAINERS === 'required') {
    throw new Refusal('Docker does not respond, and CONTAINERS=required: start a Docker engine');
  }
  console.log('Docker does not respond: the container suites are left out');
  return withoutDocker;
}
