import { logWarnings } from '#wiring';
import { buildProgram } from './program.ts';
import { readPassword } from './read-password.ts';

logWarnings();
await buildProgram({
  env: process.env,
  readPassword: () => readPassword(process.stdin, process.stderr),
  write: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
  exit: (code) => (process.exitCode = code),
}).parseAsync();

// All is closed by now. What holds the event loop nevertheless must not hold whoever waits for the result.
process.exit();
