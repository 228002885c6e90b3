import { readSettings } from '#config';
import { programOf, runProgram } from '#process';
import { logWarnings } from '#wiring';
import { Api } from './api.ts';

logWarnings();
await runProgram(
  programOf(() => Api.start(readSettings(process.env))),
  6000,
);
