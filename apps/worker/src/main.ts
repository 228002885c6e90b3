import { readSettings } from '#config';
import { programOf, runProgram } from '#process';
import { logWarnings } from '#wiring';
import { Worker } from './worker.ts';

logWarnings();
await runProgram(
  programOf(() => Worker.start(readSettings(process.env))),
  6000,
);
