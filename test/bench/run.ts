import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { rate, type Result, type Standing } from './contest.ts';

/** Benches of `npm run bench -- all` with their cases, and the rounds that they run in. */
const COMPARED = [['boards'], ['upload', 'allocate'], ['generate'], ['jobs'], ['pictures']];
const SHORT = { ROUNDS: '3', ROUND_MS: '1000', JOBS: '3000' };

/** `npm run bench -- <name>` runs `<name>.bench.ts` beside this file. */
const name = process.argv[2];
const benches = (await readdir(import.meta.dirname))
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.slice(0, -'.bench.ts'.length));

if (name === 'all') {
  await compareAll();
} else if (name && benches.includes(name)) {
  await import(`./${name}.bench.ts`);
} else {
  console.error(`npm run bench -- <name>, where <name> is all or one of: ${benches.join(', ')}`);
  process.exitCode = 2;
}

/** Runs the benches that compare, one after the other, and prints one table; fails when one of them does. */
async function compareAll(): Promise<void> {
  const results: Result[] = [];
  for (const args of COMPARED) {
    const child = fork(import.meta.filename, args, { env: { ...SHORT, ...process.env } });
    child.on('message', (result: Result) => results.push(result));
    const [code] = (await once(child, 'close')) as [number | null];
    if (code === 0) continue;
    console.log(`${args.join(' ')}: not all that is required`);
    process.exitCode = 1;
  }
  console.log(`\n${row('work', 'ratio', 'target', 'met', 'ours', 'compared', 'µs', 'µs of PostgreSQL')}`);
  for (const { work, ratio, least, standings } of results) {
    const both = (of: (standing: Standing) => string) => standings.slice(0, 2).map(of);
    const micros = (key: 'own' | 'postgres') => both((each) => each[key]?.toFixed(0) ?? '-').join(' : ');
    const [ours, compared] = both(({ perSecond }) => rate(perSecond).trim());
    const met = ratio >= least ? 'yes' : 'no';
    console.log(row(work, ratio.toFixed(2), String(least), met, ours!, compared!, micros('own'), micros('postgres')));
  }
}

/** A line of the table. */
function row(work: string, ...columns: string[]): string {
  return work.padEnd(36) + columns.map((column, index) => column.padStart([6, 8, 5, 9, 10, 14, 18][index]!)).join('');
}
