#!/usr/bin/env node
import type { X12Error } from '../x12-error.ts';
import { COMMANDS } from './commands.ts';
import { EXIT, Failure, UsageError } from './failures.ts';
import { generalHelp, helpOf } from './help.ts';
import { parse } from './parse.ts';
import { Session } from './session.ts';

const interruption = new AbortController();
let session = new Session(process.argv.includes('--json'), interruption.signal);

process.once('SIGINT', () => interruption.abort());
// The reader of a pipe may have seen enough.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) =>
  process.exit(code === 'EPIPE' ? EXIT.done : EXIT.failed),
);
try {
  await run(process.argv.slice(2));
} catch (error) {
  process.exitCode = await report(error);
}

async function run(argv: readonly string[]): Promise<void> {
  const parsed = parse(argv, COMMANDS);
  if (!parsed) return void process.stdout.write(`${generalHelp(COMMANDS)}\n`);
  const { command, call, isJson, wantsHelp } = parsed;
  if (wantsHelp) return void process.stdout.write(`${helpOf(command)}\n`);
  session = new Session(isJson, interruption.signal);
  const execute = await command.load();
  await execute(session, call);
}

/** Prints why a command ended early. @returns the exit code */
async function report(error: unknown): Promise<number> {
  if (interruption.signal.aborted) {
    session.note(`Interrupted. ${session.resume ?? ''}`);
    return EXIT.interrupted;
  }
  const failure = await failureOf(error);
  session.note(`x12: ${failure.message}`);
  const value = failure.value ?? { error: { code: failure.exit, message: failure.message } };
  if (session.isJson && !session.hasPrinted) session.print(value, []);
  return EXIT[failure.exit];
}

async function failureOf(error: unknown): Promise<Failure> {
  if (error instanceof Failure) return error;
  if (isSystemError(error)) return new UsageError(error.message);
  const { X12Error } = await import('../x12-error.ts');
  if (error instanceof X12Error) return refusalOf(error);
  throw error;
}

/** An error of Node about a file. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

function refusalOf({ code, status, message, fields, requestId }: X12Error): Failure {
  const exit = code === 'unauthenticated' ? 'signedOut' : status === 0 ? 'unreachable' : 'refused';
  const details = Object.entries(fields).map(([field, texts]) => `${field} ${texts.join(', ')}`);
  const hint = exit === 'signedOut' ? '; x12 login saves a token' : '';
  const text = [`${code}: ${message}${hint}`, ...details.filter((detail) => detail !== message)].join('; ');
  return new Failure(exit, text, { error: { code, message, fields, request_id: requestId } });
}
