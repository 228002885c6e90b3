import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

/**
 * Reads a secret: from a prompt without echo, or all of standard input if that is no terminal.
 *
 * @returns an empty text when the prompt is left
 */
export async function readSecret(label: string, signal: AbortSignal): Promise<string> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY) return (await text(stdin)).trim();
  stderr.write(`${label}: `);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silent, terminal: true });
  lines.once('SIGINT', () => process.emit('SIGINT'));
  const left = once(lines, 'close').then(() => '');
  const typed = await Promise.race([lines.question('', { signal }).catch(() => ''), left]);
  lines.close();
  stderr.write('\n');
  return typed.trim();
}
