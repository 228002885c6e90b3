import type { X12 } from '../x12.ts';
import { type Account, accountOf, configPath, readConfig } from './config.ts';
import { jsonLine, linesOf, plain } from './text.ts';

/** A run of a command: its client, and its output. Results go to standard output, messages to standard error. */
export class Session {
  /** How to get the result of a started call after an interruption. */
  resume: string | null = null;
  /** True once standard output has a result. */
  hasPrinted = false;
  #progress = '';

  constructor(
    readonly isJson: boolean,
    /** Aborts at the first Ctrl-C. */
    readonly signal: AbortSignal,
  ) {}

  /** @throws Failure `signedOut` */
  async client(account?: Account): Promise<X12> {
    const { url, token } = account ?? accountOf(process.env, await readConfig(configPath(process.env)));
    const { X12 } = await import('../x12.ts');
    return new X12({ baseUrl: url, token });
  }

  /** Prints a result: the value with `--json`, otherwise rows. */
  print(value: unknown, rows: readonly (readonly unknown[])[]): void {
    const lines = this.isJson ? [jsonLine(value)] : linesOf(rows, process.stdout.isTTY);
    this.progress('');
    this.hasPrinted = true;
    process.stdout.write(lines.map((line) => `${line}\n`).join(''));
  }

  note(text: string): void {
    this.progress('');
    process.stderr.write(`${plain(text)}\n`);
  }

  /** Shows the progress in one line of a terminal; an empty text removes it. */
  progress(text: string): void {
    if (!process.stderr.isTTY || text === this.#progress) return;
    this.#progress = text;
    process.stderr.write(`\r\u001b[K${plain(text).slice(0, (process.stderr.columns || 80) - 1)}`);
  }
}
