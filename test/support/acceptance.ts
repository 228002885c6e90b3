import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from '@jest/globals';
import { ROOT } from './processes.ts';

const ROW = /^\| (\d+)\. (.+?) \|(.+)\|$/gm;
const CLIENTS = ['TypeScript', 'Python', 'command line', 'MCP', "OpenAI's SDK"] as const;

/**
 * The steps of the acceptance list in docs/reach.md that a client has, each a test named by its words.
 *
 * @throws Error when the steps are not those that the table marks for the client
 */
export function acceptance(client: (typeof CLIENTS)[number], steps: Readonly<Record<number, () => Promise<void>>>) {
  const rows = [...readFileSync(join(ROOT, 'docs/reach.md'), 'utf8').matchAll(ROW)].map(([, number, words, cells]) => ({
    number: Number(number),
    words: words!,
    has: cells!.split('|')[CLIENTS.indexOf(client)]!.trim() !== '–',
  }));
  if (rows.length !== 20) throw new Error(`docs/reach.md has ${rows.length} steps instead of 20`);
  for (const { number, words, has } of rows) {
    const step = steps[number];
    if (has !== (step !== undefined)) throw new Error(`step ${number} of ${client} is in one of table and tests only`);
    if (step) it(`${number}. ${words}`, step);
  }
}
