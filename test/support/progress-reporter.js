import { relative } from 'node:path';
import { DefaultReporter } from '@jest/reporters';
import { describeFile } from '../../scripts/test-files.mjs';

const EVERY_MS = 10_000;
const SLOWEST = 10;
/** Seconds of all files of this run, by their headers: scripts/test.mjs knows it. */
const EXPECTED = Number(process.env.TEST_SECONDS ?? 0);

/** Prints what failed, each ten seconds what is left, and at the end where the time went. */
export default class ProgressReporter extends DefaultReporter {
  #files = [];
  #done = 0;
  #printedAt = Date.now();

  onTestResult(test, result, results) {
    const path = relative(test.context.config.rootDir, test.path);
    const { start = 0, end = 0 } = result.perfStats;
    this.#files.push({ path, project: test.context.config.displayName.name, seconds: (end - start) / 1000 });
    this.#done += describeFile(path).seconds;
    super.onTestResult(test, result, results);
    this.#printProgress(results);
  }

  /** Nothing of a file that passed and printed nothing. */
  printTestFileHeader(path, config, result) {
    if (result.numFailingTests > 0 || result.testExecError || result.console) {
      super.printTestFileHeader(path, config, result);
    }
  }

  #printProgress({ numTotalTestSuites, numFailedTests, startTime }) {
    const count = this.#files.length;
    if (Date.now() - this.#printedAt < EVERY_MS || count === numTotalTestSuites) return;
    this.#printedAt = Date.now();
    const elapsed = (Date.now() - startTime) / 1000;
    const left = Math.max(0, (elapsed * (EXPECTED - this.#done)) / this.#done);
    const parts = [`${count} of ${numTotalTestSuites} files`, `${Math.round(elapsed)} s`];
    if (numFailedTests > 0) parts.push(`${numFailedTests} failed`);
    if (EXPECTED > 0) parts.push(`about ${Math.round(left)} s left`);
    this.log(parts.join(', '));
  }

  onRunComplete(_, results) {
    super.onRunComplete();
    if (this.#files.length > 1) this.#printTable();
    const { numPassedTests, numFailedTests, numPendingTests, startTime } = results;
    const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : '';
    const seconds = Math.round((Date.now() - startTime) / 1000);
    this.log(`${numPassedTests} passed, ${numFailedTests} failed${skipped}, in ${seconds} s`);
  }

  #printTable() {
    const rows = this.#files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
    const projects = Object.groupBy(this.#files, ({ project }) => project);
    const line = (seconds, text) => this.log(`${seconds.toFixed(1).padStart(8)} s  ${text}`);
    this.log('\nThe slowest files:');
    for (const { path, seconds } of rows) line(seconds, path);
    this.log('The projects, which run side by side:');
    for (const [project, files] of Object.entries(projects)) {
      line(
        files.reduce((sum, { seconds }) => sum + seconds, 0),
        `${project}, ${files.length} files`,
      );
    }
    this.log(`One file again: npm test -- ${rows[0].path}\n`);
  }
}
