import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

/** Adds up the results that Jest wrote with `--json`; a suite that could not run counts as one failure. */
export function readTotals(files) {
  const totals = { passed: 0, failed: 0, skipped: 0, retried: 0 };
  for (const file of files) {
    const results = readResults(file);
    totals.passed += results?.numPassedTests ?? 0;
    totals.failed += results ? results.numFailedTests + results.numRuntimeErrorTestSuites : 1;
    totals.skipped += results ? results.numPendingTests + results.numTodoTests : 0;
    totals.retried += results?.testResults.flatMap(passedAtSecondTry).length ?? 0;
  }
  return totals;
}

export function sentenceOf({ passed, failed, skipped, retried }) {
  const retries = retried > 0 ? ` (${retried} at the second try)` : '';
  return `${passed} passed${retries}, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** A line for each test that failed, and for each suite that could not run: its file, name and first line of the error. */
export function failuresIn(files) {
  const suites = files.flatMap((file) => readResults(file)?.testResults ?? []);
  return suites.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    const lines = failed.map(({ fullName, failureMessages }) => `${fullName}: ${firstLineOf(failureMessages[0])}`);
    if (lines.length === 0 && status === 'failed') lines.push(firstLineOf(message));
    return lines.map((line) => `${relative(process.cwd(), name)} › ${line}`);
  });
}

/** The same for each test that passed at the second try. */
export function retriesIn(files) {
  const suites = files.flatMap((file) => readResults(file)?.testResults ?? []);
  return suites.flatMap((suite) =>
    passedAtSecondTry(suite).map(
      ({ fullName, retryReasons }) =>
        `${relative(process.cwd(), suite.name)} › ${fullName}: ${firstLineOf(retryReasons?.[0])}`,
    ),
  );
}

function passedAtSecondTry({ assertionResults }) {
  return assertionResults.filter(({ status, invocations }) => status === 'passed' && invocations > 1);
}

function firstLineOf(message = '') {
  return stripVTControlCharacters(message).trim().split('\n')[0].slice(0, 300);
}

/** `null` if Jest ended before it wrote the results. */
function readResults(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

// As a program: the failures and totals of a folder of such files.
if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const folder = process.argv[2];
  const files = readdirSync(folder).map((name) => join(folder, name));
  for (const failure of failuresIn(files)) process.stdout.write(`FAILED ${failure}\n`);
  for (const retry of retriesIn(files)) process.stdout.write(`SECOND TRY ${retry}\n`);
  process.stdout.write(`${sentenceOf(readTotals(files))}\n`);
}
