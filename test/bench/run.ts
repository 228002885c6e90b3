import { readdir } from 'node:fs/promises';

/** `npm run bench -- <name>` runs `<name>.bench.ts` beside this file. */
const name = process.argv[2];
const benches = (await readdir(import.meta.dirname))
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.slice(0, -'.bench.ts'.length));

if (name && benches.includes(name)) {
  await import(`./${name}.bench.ts`);
} else {
  console.error(`npm run bench -- <name>, where <name> is one of: ${benches.join(', ')}`);
  process.exitCode = 2;
}
