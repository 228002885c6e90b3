import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { ROOT } from '../support/processes.ts';

const SOURCES = ['*.ts', '*.tsx', '*.mjs', ':!**/generated/**'];
const WITHOUT_SUBJECT = /^\s*(?:\/\*\*|\*|\/\/) (?:What|Of|Who|Whose|Whoever|Whether|Those)\b/;

it('comments begin with their subject', () => {
  const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...SOURCES], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const found = tracked
    .split('\n')
    .filter((path) => path !== '' && existsSync(join(ROOT, path)))
    .flatMap((path) => {
      const lines = readFileSync(join(ROOT, path), 'utf8').split('\n');
      // The first line of a comment: others continue a sentence.
      const begins = (at: number) => !/^\s*(?:\*|\/\/) \S/.test(lines[at - 1] ?? '');
      return lines.flatMap((line, at) => (WITHOUT_SUBJECT.test(line) && begins(at) ? `${path}:${at + 1} ${line}` : []));
    });
  expect(found).toEqual([]);
});
