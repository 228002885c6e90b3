import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { StartError } from '#process';

/** Reads a password from a prompt without echo, or the whole input where that is no terminal. */
export async function readPassword(
  input: NodeJS.ReadableStream & { readonly isTTY?: boolean },
  output: NodeJS.WritableStream,
): Promise<string> {
  if (!input.isTTY) return (await text(input)).replace(/\r?\n$/, '');
  output.write('Password: ');
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: silent, terminal: true });
  const none = once(lines, 'close').then(() => null);
  const typed = await Promise.race([lines.question('').catch(() => null), none]);
  lines.close();
  output.write('\n');
  if (typed === null) throw new StartError('no password was given');
  return typed;
}
