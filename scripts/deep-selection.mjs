import { pathToFileURL } from 'node:url';
import { run } from './child.mjs';
import { testFiles } from './test-files.mjs';

/** Time of a run of CI, on two cores. */
const BUDGET_SECONDS = 150;
const DAY_MS = 86_400_000;
/** Without a change of what it is about, a deep file runs every tenth day. */
const DAYS = 10;

/**
 * The deep files for a run of CI: those about changed files, then a tenth of the rest that rotates by the day, as far as
 * the time goes. Files that need containers run after changes only.
 *
 * @returns the paths of what runs, and of what would have run if there had been more time
 */
export function selectDeep(files, changed, now = Date.now()) {
  const touches = (folder) => changed.some((path) => path === folder || path.startsWith(`${folder}/`));
  const isAbout = ({ path, about }) => [path, ...about].some(touches);
  const isDue = ({ path }, index) =>
    !path.startsWith('test/containers/') && index % DAYS === Math.floor(now / DAY_MS) % DAYS;
  const wanted = [...new Set([...inTurn(files.filter(isAbout)), ...files.filter(isDue)])];
  const selection = { chosen: [], left: [] };
  let seconds = 0;
  for (const file of wanted) {
    const fits = seconds + file.seconds / 2 <= BUDGET_SECONDS;
    if (fits) seconds += file.seconds / 2;
    selection[fits ? 'chosen' : 'left'].push(file.path);
  }
  return selection;
}

/** One file about each folder, then a second one about each, and so on. */
function inTurn(files) {
  const counts = {};
  const turns = files.map((file) => [(counts[file.about[0]] = (counts[file.about[0]] ?? 0) + 1), file]);
  return turns.sort(([a], [b]) => a - b).map(([, file]) => file);
}

/** The same, for the commits of the last day before the newest one. */
export async function deepSelection() {
  const files = testFiles().filter(({ tier }) => tier === 'deep');
  return selectDeep(files, await changedFiles());
}

async function changedFiles() {
  const { output: date } = await run('git', ['log', '-1', '--format=%ct'], { stdio: 'pipe' });
  const since = new Date(Number(date) * 1000 - DAY_MS).toISOString();
  const args = ['log', `--since=${since}`, '--format=', '--name-only'];
  const { code, output } = await run('git', args, { stdio: 'pipe' });
  return code === 0 ? [...new Set(output.split('\n').filter(Boolean))] : [];
}

// As a program: the chosen files, a line each.
if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const path of (await deepSelection()).chosen) process.stdout.write(`${path}\n`);
}
