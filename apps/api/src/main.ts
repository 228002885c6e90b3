import { readSettings } from '#config';
import { programOf, runProgram } from '#process';
import { Api } from './api.ts';

await runProgram(
  programOf(() => Api.start(readSettings(process.env))),
  6000,
);
