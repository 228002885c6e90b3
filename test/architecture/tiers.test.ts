import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../support/processes.ts';

interface TestFile {
  readonly path: string;
  readonly tier: string | null;
  readonly about: readonly string[];
}
interface Run {
  readonly files: readonly string[];
  readonly projects: readonly string[];
}
interface Project {
  readonly displayName: string;
  readonly testMatch: readonly string[];
  readonly testPathIgnorePatterns?: readonly string[];
}

const scripts = await import(join(ROOT, 'scripts', 'test-files.mjs'));
const files: readonly TestFile[] = scripts.testFiles();
const runs: readonly Run[] = scripts.runsFor(files);
const tiers: readonly (string | null)[] = scripts.TIERS;
const projects: readonly Project[] = (await import(join(ROOT, 'jest.config.js'))).default.projects;
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');

describe('the tiers of the tests', () => {
  it('have every test file of the repository', () => {
    const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' });
    const tests = tracked
      .split('\n')
      .filter((path) => /\.test\.[cm]?[jt]sx?$/.test(path) && existsSync(join(ROOT, path)));
    expect(files.map(({ path }) => path)).toEqual(tests.sort());
  });

  it('are one for each file: by its header, or the first one beside the code', () => {
    expect(files.filter(({ tier }) => !tiers.includes(tier)).map(({ path }) => path)).toEqual([]);
    expect(files.filter(({ path }) => (textOf(path).match(/@tier /g) ?? []).length > 1)).toEqual([]);
  });

  it('name the folders that a deep file is about', () => {
    const deep = files.filter(({ tier }) => tier === 'deep');
    expect(deep.filter(({ about }) => about.length === 0).map(({ path }) => path)).toEqual([]);
    expect(deep.flatMap(({ about }) => about).filter((folder) => !existsSync(join(ROOT, folder)))).toEqual([]);
  });

  it('are all run by `npm run test:all`, each file once, and one journey with engines in containers, too', () => {
    const run = runs.flatMap((each) => each.files).toSorted();
    const all = [...files.map(({ path }) => path), 'test/e2e/generation.test.ts'];
    expect(run).toEqual(all.toSorted());
  });

  it('have a Jest project for each file of a run', () => {
    const isOf = (path: string, { testMatch, testPathIgnorePatterns = [] }: Project) =>
      testMatch.some((glob) => matchesGlob(path, glob.replace('<rootDir>', ''))) &&
      !testPathIgnorePatterns.some((ignored) => path.match(ignored));
    for (const run of runs) {
      const ofRun = projects.filter(({ displayName }) => run.projects.includes(displayName));
      const countOf = (path: string) => ofRun.filter((project) => isOf(`/${path}`, project)).length;
      expect(run.files.filter((path) => countOf(path) !== 1)).toEqual([]);
    }
  });
});

describe('the deep files of a run of CI', () => {
  const DAY_MS = 86_400_000;
  const select = async (all: object[], changed: string[], day = 0): Promise<{ chosen: string[]; left: string[] }> =>
    (await import(join(ROOT, 'scripts', 'deep-selection.mjs'))).selectDeep(all, changed, day * DAY_MS);
  const file = (name: string, seconds: number, ...about: string[]) => ({
    path: `test/${name}.test.ts`,
    seconds,
    about,
  });
  const images = file('images', 100, 'libs/adapters/images');
  const queue = file('containers/queue', 100, 'libs/adapters/queue');

  it('are those about what changed', async () => {
    const all = [images, queue];
    expect((await select(all, ['libs/adapters/images/src/a.ts'], 5)).chosen).toEqual([images.path]);
    expect((await select(all, ['libs/adapters/queue/src/a.ts'], 5)).chosen).toEqual([queue.path]);
    expect((await select(all, [images.path, 'libs/adapters/imagesque/a.ts'], 5)).chosen).toEqual([images.path]);
  });

  it('are one about each folder that changed, before a second one', async () => {
    const all = [file('a', 100, 'apps/console'), file('b', 100, 'apps/console'), file('c', 100, 'libs/config')];
    const { chosen } = await select(all, ['apps/console/x.ts', 'libs/config/x.ts'], 5);
    expect(chosen).toEqual(['a', 'c', 'b'].map((name) => `test/${name}.test.ts`));
  });

  it('are without a change each once in ten days, except those that need containers', async () => {
    const all = [queue, ...Array.from({ length: 24 }, (_, index) => file(`${index}`, 1, 'libs/kernel'))];
    const days = await Promise.all(Array.from({ length: 10 }, (_, day) => select(all, [], day)));
    expect(days.flatMap(({ chosen }) => chosen).toSorted()).toEqual(
      all
        .slice(1)
        .map(({ path }) => path)
        .toSorted(),
    );
  });

  it('take at most 150 seconds of two cores, those about a change first', async () => {
    const all = [file('due', 10), file('large', 290, 'apps/api'), file('small', 10, 'apps/api')];
    expect(await select(all, ['apps/api/src/main.ts'])).toEqual({
      chosen: ['test/large.test.ts', 'test/small.test.ts'],
      left: ['test/due.test.ts'],
    });
  });
});
