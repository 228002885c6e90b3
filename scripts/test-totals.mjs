import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from './root.mjs';

/**
 * Adds up the results that Jest wrote with `--json`. What ran again (`….again.json`) counts as it ended then; a suite that
 * could not run counts as one failure.
 */
export function readTotals(files) {
  const totals = { passed: 0, failed: 0, skipped: 0 };
  for (const file of files) {
    const suites = suitesIn(file);
    if (!suites) totals.failed++;
    for (const { status, assertionResults } of suites ?? []) {
      const count = (...states) => assertionResults.filter((test) => states.includes(test.status)).length;
      totals.passed += count('passed');
      totals.failed += count('failed') || (status === 'failed' ? 1 : 0);
      totals.skipped += count('pending', 'todo');
    }
  }
  return totals;
}

export function sentenceOf({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** A line for each test that failed, and for each suite that could not run: its file, name and first line of the error. */
export function failuresIn(files) {
  return files
    .flatMap((file) => suitesIn(file) ?? [])
    .flatMap(failuresOf)
    .map(({ line }) => line);
}

/** The same for what failed at first and passed when it ran again. */
export function flakyIn(files) {
  return files.flatMap((file) => {
    const failed = new Set((suitesIn(file) ?? []).flatMap(failuresOf).map(({ test }) => test));
    const atFirst = (readResults(file)?.testResults ?? []).flatMap(failuresOf);
    return atFirst.filter(({ test }) => !failed.has(test)).map(({ line }) => line);
  });
}

/** Paths of suites with a failure. */
export function suitesFailedIn(file) {
  const suites = readResults(file)?.testResults ?? [];
  return suites.filter(({ status }) => status === 'failed').map(({ name }) => relative(ROOT, name));
}

function failuresOf({ name, status, message, assertionResults }) {
  const path = relative(ROOT, name);
  const describe = (test, error) => ({ test, line: `${test}: ${firstLineOf(error)}` });
  const failed = assertionResults
    .filter((test) => test.status === 'failed')
    .map(({ fullName, failureMessages }) => describe(`${path} › ${fullName}`, failureMessages[0]));
  return failed.length === 0 && status === 'failed' ? [describe(path, message)] : failed;
}

function firstLineOf(message = '') {
  return stripVTControlCharacters(message).trim().split('\n')[0].slice(0, 300);
}

/** The suites as they ended; `null` if Jest ended before it wrote the results. */
function suitesIn(file) {
  const results = readResults(file);
  if (!results) return null;
  const again = readResults(againOf(file))?.testResults ?? [];
  return results.testResults.map((suite) => again.find(({ name }) => name === suite.name) ?? suite);
}

function againOf(file) {
  return file.replace(/\.json$/, '.again.json');
}

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
  const names = readdirSync(folder).filter((name) => !name.endsWith('.again.json'));
  const files = names.map((name) => join(folder, name));
  for (const failure of failuresIn(files)) process.stdout.write(`FAILED ${failure}\n`);
  for (const flaky of flakyIn(files)) process.stdout.write(`FLAKY ${flaky}\n`);
  process.stdout.write(`${sentenceOf(readTotals(files))}\n`);
}
