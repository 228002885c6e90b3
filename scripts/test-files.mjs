import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.mjs';

/** When a test file runs: at each save, in `npm test`, in `npm run test:all`, or there alone on the machine. */
export const TIERS = ['unit', 'test', 'deep', 'timings'];

/** Seconds of a file that does not name them. */
const USUAL_SECONDS = { unit: 1, test: 5, deep: 15, timings: 20 };
/** `@tier deep, 40 s, about libs/adapters/images`: the first docblock of a file. */
const HEADER =
  /^\/\*\*(?:(?!\*\/)[^])*?@tier (?<tier>\w+)(?:, (?<seconds>\d+) s)?(?:, about (?<about>[^\n*]+?))? *(?:\n|\*\/)/;

/**
 * The test files, by their path in the clone.
 *
 * @returns of each its tier, the seconds it takes in a run, and for a deep one the folders it is about
 */
export function testFiles() {
  const inside = (folder) => readdirSync(join(ROOT, folder), { recursive: true }).map((name) => join(folder, name));
  const paths = ['apps', 'libs', 'test'].flatMap(inside);
  return paths
    .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules'))
    .sort()
    .map(describeFile);
}

export function describeFile(path) {
  const header = HEADER.exec(readFileSync(join(ROOT, path), 'utf8'))?.groups ?? {};
  // Tests beside the code, and those of its architecture, are of the first tier unless they name another.
  const tier = header.tier ?? (/^(apps|libs|test\/architecture)\//.test(path) ? 'unit' : null);
  const about = header.about?.trim().split(/\s+/) ?? [];
  return { path, tier, seconds: Number(header.seconds ?? USUAL_SECONDS[tier] ?? 1), about };
}

/** Files whose path contains one of the texts. */
export function filesLike(texts) {
  return testFiles().filter(({ path }) => texts.some((text) => path.includes(text)));
}

/** The journey that runs with engines in containers, too: the embedded PostgreSQL is newer than docker-compose.yml's. */
const ON_ENGINES_TOO = 'test/e2e/generation.test.ts';
const PROJECTS = ['domain', 'unit', 'architecture', 'contracts', 'e2e', 'console'];

/** Jest's runs of files, one after the other. What needs the machine for itself comes last, one at a time. */
export function runsFor(files) {
  const runOf = ({ path, tier }) => {
    if (tier === 'timings') return 'timings';
    return /^test\/(containers|faults)\//.exec(path)?.[1] ?? 'main';
  };
  const of = (run) => files.filter((file) => runOf(file) === run).map(({ path }) => path);
  const startsEngines = of('containers').length > 0;
  const journeys = files.map(({ path }) => path).filter((path) => startsEngines && path === ON_ENGINES_TOO);
  return [
    { files: of('main'), projects: PROJECTS },
    { files: [...of('containers'), ...journeys], projects: ['containers'] },
    { files: of('faults'), projects: ['faults'] },
    { files: of('timings'), projects: [...PROJECTS, 'faults'], alone: true },
  ];
}
