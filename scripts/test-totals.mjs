import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Adds up the results that Jest wrote with `--json`; a suite that could not run counts as one failure. */
export function readTotals(files) {
  const totals = { passed: 0, failed: 0, skipped: 0 };
  for (const file of files) {
    const results = readResults(file);
    totals.passed += results?.numPassedTests ?? 0;
    totals.failed += results ? results.numFailedTests + results.numRuntimeErrorTestSuites : 1;
    totals.skipped += results ? results.numPendingTests + results.numTodoTests : 0;
  }
  return totals;
}

export function sentenceOf({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** `null` if Jest ended before it wrote the results. */
function readResults(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

// As a program: the totals of a folder of such files.
if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const folder = process.argv[2];
  const files = readdirSync(folder).map((name) => join(folder, name));
  process.stdout.write(`${sentenceOf(readTotals(files))}\n`);
}
