import { readSettings } from '#config';
import { programOf, runProgram } from '#process';
import { Worker } from './worker.ts';

await runProgram(
  programOf(() => Worker.start(readSettings(process.env))),
  6000,
);
