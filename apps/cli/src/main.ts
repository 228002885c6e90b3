import { buildProgram } from './program.ts';

await buildProgram({
  env: process.env,
  write: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
  exit: (code) => (process.exitCode = code),
}).parseAsync();
